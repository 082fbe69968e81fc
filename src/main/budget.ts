/** `ballast budget`: the money of one budget day and what it was spent on. */
import { withJournal } from "../control/past-journal.ts";
import { systemClock } from "../core/clock.ts";
import { DAY_MS, utcDay } from "../core/time.ts";
import type { BudgetOptions } from "../faces/cli/explain-commands.ts";
import { complain, print } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { budgetDay } from "../report/budget/day.ts";
import { budgetJson } from "../report/budget/json.ts";
import { budgetText } from "../report/budget/text.ts";

/** Exit code 1 for an empty journal, and for a day that has not begun. */
export function budgetProgram(options: BudgetOptions): Promise<number> {
  return withJournal(options, ({ reader, file }) => {
    // An agent on a faster practice clock is ahead of this machine: use the time of its last row.
    const newest = reader.rows({ limit: 1, newest: true })[0]?.atMs;
    if (newest === undefined) return complain(`${file} contains no rows yet`);
    const nowMs = Math.max(newest, systemClock().nowMs());
    const wanted =
      options.day === undefined ? nowMs : beginsOn(options.day, (atMs) => budgetDay(reader, atMs, nowMs).fromMs);
    const day = budgetDay(reader, wanted, nowMs);
    if (day.fromMs > nowMs) return complain(`the budget day ${utcDay(day.fromMs)} has not begun yet`);
    const json = budgetJson(day);
    print(options.format === "json" ? JSON.stringify(json) : budgetText(json));
    return EXIT.ok;
  });
}

/** An instant of the budget day that begins on the UTC day that starts at `dayMs`. */
function beginsOn(dayMs: number, beginningOf: (atMs: number) => number): number {
  return beginningOf(dayMs) < dayMs ? dayMs + DAY_MS - 1 : dayMs;
}
