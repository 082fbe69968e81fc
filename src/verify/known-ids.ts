/** Which venue orders are ours: by the client order id of an intent or write, by the reply to a close, or by a stop. */
import { flag, rec, text } from "./fields.ts";
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { VenueAlgo, VenueOrder } from "./venue-facts.ts";
import type { Row } from "./rows.ts";
import { factsOf } from "./venue-view.ts";
import { matchedFrames } from "./wire-match.ts";

export interface KnownIds {
  /** For I3: false for an order that no row of this journal can have caused. */
  isOurs(order: VenueOrder): boolean;
  /** For I9: the agent placed it, or an agent with an earlier journal did. It answers for no stop of anybody else. */
  isOurStop(algo: VenueAlgo): boolean;
  /** A row of this journal mentions it; otherwise only the venue's list of stops does. */
  isNamedStop(algo: VenueAlgo): boolean;
}

/** The form of the client order ids of the agent's stops. */
const STOP_ID = /^p-/;

/** A close with a lost reply names no order; its market order follows the frame within this time. */
const CLOSE_FOLLOWS_MS = 60_000;

const kept = new WeakMap<History, KnownIds>();

/** Built on the first call for a history, then shared. */
export function knownIds(history: History): KnownIds {
  const known = kept.get(history);
  if (known) return known;
  const made = gather(history);
  kept.set(history, made);
  return made;
}

function gather(history: History): KnownIds {
  const view = journalView(history);
  const clientIds = new Set([...view.intents.values()].map((intent) => intent.clientOrderId));
  const orderIds = new Set<string>();
  const algoIds = new Set<string>();
  const placedIds = new Set<string>();
  const closes: { symbol: string | null; leg: string | null; row: Row }[] = [];
  for (const { clientOrderId, answer, action, params, row } of view.writes) {
    if (clientOrderId !== null) clientIds.add(clientOrderId);
    const reply = answer && rec(answer.body, "reply");
    const orderId = reply && text(reply, "orderId");
    const algoId = reply && text(reply, "algoOrderId");
    if (orderId) orderIds.add(orderId);
    if (algoId) algoIds.add(algoId);
    // To ask for the end of a stop needs no more than the list that shows it.
    if (algoId && action === "algo.place") placedIds.add(algoId);
    if ((action === "position.close" && !orderId) || action === "position.close-all")
      closes.push({ symbol: text(params, "symbol"), leg: text(params, "positionSide"), row });
  }
  for (const { algo } of factsOf(history, "algo")) if (clientIds.has(algo.clientOrderId)) algoIds.add(algo.algoOrderId);
  const firstSeen = new Map<string, number>();
  for (const { order, atMs } of factsOf(history, "order"))
    if (!firstSeen.has(order.orderId)) firstSeen.set(order.orderId, atMs);
  const arrivals = new Map(
    matchedFrames(history).flatMap(({ write, frame }) => (write ? [[write.row.seq, frame.atMs]] : [])),
  );
  const closing = (order: VenueOrder): boolean => {
    const atMs = firstSeen.get(order.orderId) ?? Infinity;
    return closes.some((close) => {
      const arrivedMs = arrivals.get(close.row.seq) ?? close.row.atMs;
      const fits = close.symbol === null || close.symbol === order.symbol;
      const leg = close.leg === null || order.positionSide === close.leg;
      return (
        fits &&
        leg &&
        // On its way it may have taken any time: no agent can tell it from what somebody else did meanwhile.
        atMs >= Math.min(arrivedMs, close.row.atMs) - history.skewMs &&
        atMs <= arrivedMs + CLOSE_FOLLOWS_MS &&
        order.clientOrderId === order.orderId
      );
    });
  };
  for (const { body } of view.kinds("protection")) {
    const algoId = flag(body, "standing") ? text(body, "algoOrderId") : null;
    if (algoId) placedIds.add(algoId);
  }
  return {
    isNamedStop: ({ algoOrderId, clientOrderId }) => clientIds.has(clientOrderId) || placedIds.has(algoOrderId),
    isOurs: (order) =>
      clientIds.has(order.clientOrderId) ||
      orderIds.has(order.orderId) ||
      (order.algoOrderId !== null && algoIds.has(order.algoOrderId)) ||
      closing(order),
    isOurStop: ({ algoOrderId, clientOrderId }) =>
      clientIds.has(clientOrderId) || algoIds.has(algoOrderId) || STOP_ID.test(clientOrderId),
  };
}
