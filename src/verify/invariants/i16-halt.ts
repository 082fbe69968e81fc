import { arrivalOf } from "../phase.ts";
import { text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, type JournalView, outcomeOf } from "../journal-view.ts";
import type { Row } from "../rows.ts";

/** Orders already in flight when a halt is written may arrive for this long. */
const IN_FLIGHT_MS = 2_000;
const SHUT: ReadonlySet<string> = new Set(["HOLD", "FLATTEN", "HALT"]);

/** I16: nothing opens under HOLD, FLATTEN or HALT, and only the operator ends the last two. */
export const i16: Invariant = {
  id: "I16",
  title: "Halt",
  rule: "After a row to HOLD, FLATTEN or HALT no opening order arrives more than 2 s later until a row leaves that state; FLATTEN and HALT are left only by the operator, after a complete reconciliation that followed them; restarts leave them standing.",
  needs: [],
  more: ["wire log"],
  unseen: "",
  judge: (history) => {
    const shuts = closures(journalView(history));
    return [
      ...shuts.flatMap((shut) => openedIn(history, shut)),
      ...shuts.flatMap((shut) => leftWrongly(history, shut)),
    ];
  },
};

interface Closure {
  readonly row: Row;
  readonly state: string;
  /** The row that ended it; null while it lasts. */
  readonly left: Row | null;
}

function closures(view: JournalView): readonly Closure[] {
  const rows = view.kinds("floor", "operator").filter((row) => text(row.body, "to") !== null);
  const found: Closure[] = [];
  let state = "NORMAL";
  for (const row of rows) {
    const to = text(row.body, "to") ?? "";
    const open = found.at(-1);
    if (open && open.left === null && to !== state) found[found.length - 1] = { ...open, left: row };
    if (SHUT.has(to) && to !== state) found.push({ row, state: to, left: null });
    state = to;
  }
  return found;
}

function openedIn(history: History, { row, state, left }: Closure): readonly Finding[] {
  return journalView(history).writes.flatMap((write) => {
    if (!write.opening || outcomeOf(write) === "not-sent") return [];
    const arrivedMs = arrivalOf(history, write);
    const announced = write.row.seq > row.seq && write.row.seq < (left?.seq ?? Infinity);
    const slow =
      write.row.seq < row.seq &&
      arrivedMs > row.atMs + IN_FLIGHT_MS + history.skewMs &&
      arrivedMs < (left?.atMs ?? Infinity);
    if (!slow && !(announced && arrivedMs > row.atMs + IN_FLIGHT_MS)) return [];
    const id = write.clientOrderId ?? "an opening order";
    return [
      finding(write.row.seq, `${id} came ${Math.round(arrivedMs - row.atMs)} ms after ${state} (row ${row.seq})`),
    ];
  });
}

/** HOLD ends by itself when equity recovers; the other two need a person. */
function leftWrongly(history: History, { row, state, left }: Closure): readonly Finding[] {
  if (!left || state === "HOLD") return [];
  const to = text(left.body, "to") ?? "";
  if (SHUT.has(to) && to !== "HOLD") return [];
  if (left.kind !== "operator")
    return [finding(left.seq, `${state} (row ${row.seq}) was left to ${to} without the operator`)];
  const whole = journalView(history)
    .kinds("reconcile")
    .some(({ seq, body }) => seq > row.seq && seq < left.seq && body["event"] === "complete");
  return whole ? [] : [finding(left.seq, `${state} (row ${row.seq}) was left without a complete reconciliation since`)];
}
