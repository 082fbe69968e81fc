import { aliveFrom, dueAt } from "../alive.ts";
import { add, gt, mul, NIL, num, type Num, show } from "../decimal.ts";
import { rec, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { type IntentView, journalView } from "../journal-view.ts";
import type { VenueOrder } from "../venue-facts.ts";
import { NEEDS } from "../service.ts";
import { deliversTwice, factsOf, OVER } from "../venue-view.ts";
import { isOpeningFrame, matchedFrames } from "../wire-match.ts";

/**
 * A surplus order must halt openings within this time, of that in which the agent could see it: where the push of its fill was
 * lost, only the list of executions shows it, which the venue gives once in 10 s, and the turn may just have been used.
 */
const HALT_WITHIN_MS = 15_000;

/** I2: an opening order is sent once, across all runs; wire log and venue ledger show more than the rows. */
export const i02: Invariant = {
  id: "I2",
  title: "One order per intent",
  rule: "An intent's opening order leaves once, over all runs; the venue holds one order of its id unless the transport delivered twice, and then never fills more than what was delivered, and where it opens a HALT is in force or follows within 15 s in which the agent runs and is answered, unless one of the two ended unfilled before the agent could know it.",
  needs: [],
  more: ["wire log", "venue ledger"],
  unseen: "",
  judge: (history) => [...promisedTwice(history), ...sentTwice(history), ...atVenue(history)],
};

function promisedTwice(history: History): readonly Finding[] {
  const { intents } = journalView(history);
  const owners = new Map<string, string>();
  const found: Finding[] = [];
  for (const [id, intent] of intents) {
    const [, again] = intent.opened;
    if (again) found.push(finding(again.seq, `intent ${id} was promised ${intent.opened.length} times`));
    const owner = owners.get(intent.clientOrderId);
    if (owner !== undefined)
      found.push(finding(intent.opened[0]?.seq ?? null, `intents ${owner} and ${id} share ${intent.clientOrderId}`));
    owners.set(intent.clientOrderId, id);
  }
  return found;
}

function sentTwice(history: History): readonly Finding[] {
  const rows = new Map<string, number>();
  const frames = new Map<string, number>();
  const found: Finding[] = [];
  for (const { opening, clientOrderId, row } of journalView(history).writes) {
    if (!opening || clientOrderId === null) continue;
    const count = (rows.get(clientOrderId) ?? 0) + 1;
    rows.set(clientOrderId, count);
    if (count === 2) found.push(finding(row.seq, `a second wire-out row for ${clientOrderId}`));
  }
  for (const matched of matchedFrames(history)) {
    const id = text(matched.frame.params, "clientOrderId");
    if (!isOpeningFrame(matched) || matched.again || id === null) continue;
    const count = (frames.get(id) ?? 0) + 1;
    frames.set(id, count);
    if (count === 2) found.push(finding(matched.write?.row.seq ?? null, `${id} reached the venue a second time`));
  }
  return found;
}

function atVenue(history: History): readonly Finding[] {
  const { intents } = journalView(history);
  const byClient = new Map<
    string,
    { first: number; readonly orders: Map<string, TimedOrder>; second: number | null }
  >();
  for (const { order, atMs } of factsOf(history, "order")) {
    const known = byClient.get(order.clientOrderId) ?? { first: atMs, orders: new Map(), second: null };
    if (!known.orders.has(order.orderId) && known.orders.size > 0) known.second ??= atMs;
    const sinceMs = known.orders.get(order.orderId)?.sinceMs ?? atMs;
    known.orders.set(order.orderId, { ...order, sinceMs, changedMs: atMs });
    byClient.set(order.clientOrderId, known);
  }
  return [...byClient].flatMap(([id, { orders, second }]) => {
    const intent = intents.get(id);
    if (!intent?.qty) return [];
    const promisedMs = (intent.opened[0]?.atMs ?? Infinity) - history.skewMs;
    const doubled = second !== null && deliversTwice(history, second, Math.min(promisedMs, second));
    return [
      ...(second !== null && !doubled
        ? [finding(seqOf(intent), `the venue holds ${orders.size} orders of ${id}`)]
        : []),
      ...overfilled(id, intent, { orders: [...orders.values()], times: doubled ? orders.size : 1 }),
      // A second reduction, such as one that a repeated opening made necessary, opens nothing.
      ...(doubled && intent.opening && areTwo(history, [...orders.values()]) ? unhalted(history, id, second) : []),
    ];
  });
}

/** With the times of its first and of its newest record. */
interface TimedOrder extends VenueOrder {
  readonly sinceMs: number;
  readonly changedMs: number;
}

/** That the venue took two is known only where each of them can be. */
const areTwo = (history: History, orders: readonly TimedOrder[]): boolean =>
  orders.filter((order) => canBeSeen(history, order) || isNamed(history, order)).length > 1;

/** Of an order that ended unfilled, as it came or before the agent could look, nothing can be seen afterwards. */
const canBeSeen = (history: History, { state, executed, sinceMs, changedMs }: TimedOrder): boolean =>
  gt(executed, NIL) ||
  !OVER.has(state) ||
  (changedMs > sinceMs && aliveFrom(history, NEEDS.fills, sinceMs) <= changedMs);

/** A row names it: this run or a later one compares what it sees with that. */
function isNamed(history: History, { clientOrderId, orderId }: TimedOrder): boolean {
  const { having } = journalView(history);
  const replies = having("wire-in", "clientOrderId", clientOrderId);
  return (
    replies.some(({ body }) => text(rec(body, "reply") ?? {}, "orderId") === orderId) ||
    [...having("intent", "orderId", orderId), ...having("order", "orderId", orderId)].length > 0
  );
}

const seqOf = (intent: IntentView): number | null => intent.opened[0]?.seq ?? null;

function overfilled(
  id: string,
  intent: IntentView,
  at: { readonly orders: readonly VenueOrder[]; readonly times: number },
): readonly Finding[] {
  const executed = at.orders.map((order) => order.executed).reduce(add, NIL);
  const allowed = mul(intent.qty ?? NIL, num(at.times) as Num);
  if (!gt(executed, allowed)) return [];
  return [finding(seqOf(intent), `${id} filled ${show(executed)}, promised were ${show(allowed)}`)];
}

function unhalted(history: History, id: string, atMs: number): readonly Finding[] {
  const moves = journalView(history).kinds("floor", "operator");
  const halts = moves.filter((row) => text(row.body, "to") === "HALT");
  // Halted already, for whatever reason: nothing opens before a person has looked.
  const last = moves.findLast((row) => text(row.body, "to") !== null && row.atMs < atMs);
  if (last && text(last.body, "to") === "HALT") return [];
  // A process that is dead, or that nobody answers, sees neither of the two.
  const dueMs = dueAt(history, NEEDS.fills, { fromMs: atMs, spanMs: HALT_WITHIN_MS });
  if (dueMs === null) return [];
  if (halts.some((row) => row.atMs >= atMs - history.skewMs && row.atMs <= dueMs)) return [];
  return [finding(null, `${id} was accepted twice at ${atMs} and no HALT followed within ${HALT_WITHIN_MS} ms`)];
}
