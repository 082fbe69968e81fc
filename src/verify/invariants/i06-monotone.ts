import { eq, lt, type Num, show } from "../decimal.ts";
import { decimal, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { factsOf, OVER } from "../venue-view.ts";

/** I6: executed quantities never fall and an end is final, in the rows and at the venue. */
export const i06: Invariant = {
  id: "I6",
  title: "Monotone state",
  rule: "Of no order does the executed quantity ever fall, and nothing follows a terminal state but the same.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => [...walk(fromJournal(history)), ...walk(fromVenue(history))],
};

interface Step {
  readonly seq: number | null;
  readonly id: string;
  readonly state: string;
  readonly executed: Num;
}

function* fromJournal(history: History): Generator<Step> {
  for (const row of journalView(history).kinds("order", "intent")) {
    const { body, seq } = row;
    if (row.kind === "intent" && body["event"] !== "end") continue;
    const [id, state, executed] = [text(body, "orderId"), text(body, "state"), decimal(body, "executedQty")];
    if (id && state && executed) yield { seq, id, state, executed };
  }
}

function* fromVenue(history: History): Generator<Step> {
  for (const { order } of factsOf(history, "order"))
    yield { seq: null, id: `${order.orderId} at the venue`, state: order.state, executed: order.executed };
}

function walk(steps: Iterable<Step>): readonly Finding[] {
  const last = new Map<string, Step>();
  const found: Finding[] = [];
  for (const step of steps) {
    const before = last.get(step.id);
    if (before) found.push(...stepProblems(before, step));
    last.set(step.id, step);
  }
  return found;
}

function stepProblems(before: Step, { seq, id, state, executed }: Step): readonly Finding[] {
  const from = `${before.state} ${show(before.executed)}`;
  if (lt(executed, before.executed)) return [finding(seq, `order ${id}: ${from} became ${state} ${show(executed)}`)];
  const same = state === before.state && eq(executed, before.executed);
  return OVER.has(before.state) && !same
    ? [finding(seq, `order ${id}: after ${from} came ${state} ${show(executed)}`)]
    : [];
}
