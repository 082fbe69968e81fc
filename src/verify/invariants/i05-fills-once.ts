import { dueAt } from "../alive.ts";
import { eq, NIL, type Num, show } from "../decimal.ts";
import { decimal, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import type { VenueExecution } from "../venue-facts.ts";
import type { Row } from "../rows.ts";
import { NEEDS } from "../service.ts";
import { factsOf, positionChanges } from "../venue-view.ts";

/** Events this close to the journal's end, in time in which the agent could read them, may be missing. */
const SETTLE_MS = 30_000;

/** I5: fills and positions of the journal equal those of the venue, figure by figure. */
export const i05: Invariant = {
  id: "I5",
  title: "Fills once",
  rule: "The fills of the journal are the executions of the venue, each once and with equal figures; positions agree exactly, position by position. What happened in the last 30 s of the journal's ready and reachable time may be missing.",
  needs: ["venue ledger"],
  more: [],
  unseen: "",
  judge: (history) => [...fillProblems(history), ...positionProblems(history)],
};

/** Whether it happened too late, in readable time, for the journal to be required to have it. */
function mayBeUnheard(history: History, atMs: number): boolean {
  const due = dueAt(history, NEEDS.fills, { fromMs: atMs, spanMs: SETTLE_MS });
  return due === null || due > (history.rows.at(-1)?.atMs ?? -Infinity);
}

function fillProblems(history: History): readonly Finding[] {
  const fills = new Map<string, Row>();
  const found: Finding[] = [];
  const executions = new Map(
    factsOf(history, "execution").map(({ execution, atMs }) => [execution.transactionId, { execution, atMs }]),
  );
  for (const row of journalView(history).kinds("fill")) {
    const id = text(row.body, "transactionId") ?? "";
    const earlier = fills.get(id);
    if (earlier) found.push(finding(row.seq, `fill ${id} stands a second time, first in row ${earlier.seq}`));
    fills.set(id, earlier ?? row);
    const known = executions.get(id);
    if (!known) found.push(finding(row.seq, `fill ${id} is not an execution of the venue`));
    else found.push(...figureProblems(row, known.execution));
  }
  for (const [id, { execution, atMs }] of executions) {
    if (fills.has(id) || mayBeUnheard(history, atMs) || atMs < (history.rows[0]?.atMs ?? 0)) continue;
    const { side, qty, symbol } = execution;
    found.push(finding(null, `execution ${id} (${side} ${show(qty)} ${symbol}, ${atMs}) is in no fill row`));
  }
  return found;
}

function figureProblems({ seq, body }: Row, execution: VenueExecution): readonly Finding[] {
  const figures: readonly (readonly [string, string, Num])[] = [
    ["qty", "qty", execution.qty],
    ["price", "price", execution.price],
    ["fee", "fee", execution.fee],
    ["realised result", "realizedPnl", execution.realized],
  ];
  const differs = figures.filter(([, name, true_]) => {
    // A push may leave the result out.
    if (name === "realizedPnl" && body[name] === null) return false;
    const written = decimal(body, name);
    return !written || !eq(written, true_);
  });
  const words = (["symbol", "side", "orderId"] as const).filter((name) => text(body, name) !== execution[name]);
  const id = execution.transactionId;
  return [
    ...differs.map(([what, name, real]) =>
      finding(seq, `fill ${id}: ${what} ${String(body[name])}, at the venue ${show(real)}`),
    ),
    ...words.map((name) => finding(seq, `fill ${id}: ${name} ${String(body[name])}, at the venue ${execution[name]}`)),
  ];
}

interface Held {
  readonly qty: Num;
  /** When the position got this size; -Infinity if the journal never recorded it. */
  readonly atMs: number;
  readonly seq: number | null;
}

function positionProblems(history: History): readonly Finding[] {
  const ours = new Map<string, Held>();
  for (const { body, atMs, seq } of journalView(history).kinds("position")) {
    const key = text(body, "leg");
    if (key) ours.set(key, { qty: decimal(body, "qty") ?? NIL, atMs, seq });
  }
  const theirs = new Map([...positionChanges(history)].map(({ key, qty, atMs }) => [key, { qty, atMs, seq: null }]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key) => {
    const mine = ours.get(key) ?? { qty: NIL, atMs: -Infinity, seq: null };
    const real = theirs.get(key) ?? { qty: NIL, atMs: -Infinity, seq: null };
    if (eq(mine.qty, real.qty) || (Number.isFinite(real.atMs) && mayBeUnheard(history, real.atMs))) return [];
    return [finding(mine.seq, `${key} is ${show(mine.qty)} in the journal and ${show(real.qty)} at the venue`)];
  });
}
