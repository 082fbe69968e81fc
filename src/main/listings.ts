/** `ballast reasons`, `ballast trades` and `ballast budget`: writes, closed trades and model money of a journal. */
import { EXIT } from "../ops/exit-codes.ts";
import { complain, print, withJournal } from "./open-journal.ts";
import { systemClock } from "../core/clock.ts";
import { DAY_MS, isoTime, utcDay } from "../core/time.ts";
import type { BudgetOptions, ReasonsOptions, TradesOptions } from "../faces/cli/explain-commands.ts";
import { budgetDay } from "../report/budget-day.ts";
import { budgetJson } from "../report/budget-json.ts";
import { budgetText } from "../report/budget-text.ts";
import { reasonsText } from "../report/reasons-text.ts";
import { writeStories } from "../report/order-story.ts";
import { closedTrades, tradeFacts, tradesTotal } from "../report/trades.ts";
import { tradesCsv, tradesText } from "../report/trades-text.ts";

/** Without bounds the whole journal. A span without a write is reported on standard error and is no failure. */
export function reasonsProgram(options: ReasonsOptions): Promise<number> {
  const { from: fromMs = 0, to: toMs = Number.MAX_SAFE_INTEGER, format } = options;
  if (fromMs >= toMs) return Promise.resolve(complain("--from must lie before --to", EXIT.usage));
  return withJournal(options, ({ reader, file }) => {
    const stories = writeStories(reader, { fromMs, toMs });
    print(reasonsText(stories, format));
    if (stories.length === 0) {
      const newest = reader.latest("wire-out")?.atMs;
      const hint = newest === undefined ? "it holds none at all" : `its newest is of ${isoTime(newest)}`;
      process.stderr.write(`ballast: ${file} holds no write in that time; ${hint}\n`);
    }
    return EXIT.ok;
  });
}

/** The total covers every trade that meets the conditions; `limit` shows only the newest of them. */
export function tradesProgram(options: TradesOptions): Promise<number> {
  const { from: fromMs, to: toMs, symbol, strategy, limit } = options;
  if (options.json && options.csv) return Promise.resolve(complain("give --json or --csv, not both", EXIT.usage));
  if ((fromMs ?? 0) >= (toMs ?? Infinity)) return Promise.resolve(complain("--from must lie before --to", EXIT.usage));
  return withJournal(options, ({ reader, file }) => {
    const filter = {
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(strategy === undefined ? {} : { strategy }),
    };
    const found = closedTrades(reader, filter);
    const trades = (limit === undefined ? found : found.slice(-limit)).map(tradeFacts);
    const total = tradesTotal(found);
    if (options.json) print(JSON.stringify({ trades, total }));
    else if (options.csv) print(tradesCsv(trades));
    else if (found.length > 0) print(tradesText(trades, total));
    if (found.length === 0) {
      const any = Object.keys(filter).length > 0 && closedTrades(reader, {}).length > 0;
      const next = any
        ? "Leave out a condition: ballast trades"
        : "See what is open with: ballast status; why nothing was opened: ballast why-not";
      process.stderr.write(`ballast: ${file} holds no closed trade${any ? " like that" : " yet"}. ${next}\n`);
    }
    return EXIT.ok;
  });
}

/** Exit code 1 for an empty journal, and for a day that has not begun. */
export function budgetProgram(options: BudgetOptions): Promise<number> {
  return withJournal(options, ({ reader, file }) => {
    // An agent on a faster practice clock is ahead of this machine: its last row says what time it is there.
    const newest = reader.rows({ limit: 1, newest: true })[0]?.atMs;
    if (newest === undefined) return complain(`${file} holds no rows yet`);
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
