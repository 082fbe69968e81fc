/**
 * Changing an order that rests: one write where cancel and place need two. An amendment is a promise of its own, judged by
 * every limit as if the order were new, and until the venue's record tells what became of it the order counts as the
 * larger of both. An answer that does not come is read back, never sent again. Spec: 1 §4.2; records §5.2.
 */
import { type Decimal, ONE, toWire } from "../core/decimal.ts";
import type { LogFields } from "../core/log.ts";
import { isTerminal, type Order, readOrderState } from "../domain/order.ts";
import { review } from "../risk/review.ts";
import type { Draft } from "../risk/view.ts";
import type { AgentEvent } from "./events.ts";
import type { At, Outbox } from "./effects.ts";
import { type Amending, amendHolds, mayAmend, OVER_CODES } from "./amending.ts";
import type { Tracked } from "./order-tracker.ts";
import { amendView, foreignIn } from "./recheck.ts";
import { type AgentState, nextId } from "./state.ts";
import { notionalAt } from "./worth.ts";
import { tellReview } from "./tell-review.ts";

/** Look-ups that show the order as it was, and the time they must span, before an amendment counts as never made. */
const UNMADE_AFTER_READS = 4;
const UNMADE_AFTER_MS = 30_000;

/** What a resting order is to become. `reason` goes into the row of the promise. */
export interface Change {
  readonly price: Decimal;
  /** The whole quantity, what has filled included. */
  readonly qty: Decimal;
  readonly decisionId: string;
  readonly reason: string;
}

/** What became of a wish to amend: nothing was promised in the last two cases. */
export type Amended = "promised" | "denied" | "not-possible";

function draftOf({ order, stopPrice, targetPrice }: Tracked, { price, qty }: Change): Draft {
  const { symbol, side, positionSide, orderType, timeInForce, reduceOnly, clientOrderId } = order;
  return {
    order: { symbol, side, positionSide, orderType, qty, limitPrice: price, timeInForce, reduceOnly, clientOrderId },
    stopPrice,
    targetPrice,
  };
}

const same = (order: Order, { price, qty }: Pick<Change, "price" | "qty">): boolean =>
  order.qty.eq(qty) && order.limitPrice?.eq(price) === true;

/** Judges the order as it will be and, where the limits agree, promises the change. */
export function amendOrder(state: AgentState, tracked: Tracked, change: Change, { nowMs, out }: At): Amended {
  const allowed = state.session?.allowedActions.includes("order.replace") === true;
  const doubtful = foreignIn(state, tracked.symbol) || state.doubts.of(tracked.symbol) !== null;
  if (!allowed || doubtful || !mayAmend(tracked) || same(tracked.order, change)) return "not-possible";
  const view = amendView(state, tracked, nowMs);
  if (!view) return "not-possible";
  const draft = draftOf(tracked, change);
  const reviewed = review(draft, view, state.limits.under(state.settings.risk));
  tellReview(change.decisionId, draft, reviewed, out);
  if (reviewed.kind !== "approved" || reviewed.draft.order.qty.lte(tracked.order.executedQty)) return "denied";
  const { qty } = reviewed.draft.order;
  if (same(tracked.order, { price: change.price, qty })) return "denied";
  const intentId = nextId(state, "a");
  state.orders.amend(tracked, { intentId, price: change.price, qty });
  recordPromise(state, tracked, { ...change, qty, intentId }, out);
  const intent = {
    intentId,
    clientOrderId: tracked.clientOrderId,
    decisionId: change.decisionId,
    known: tracked.order,
    price: change.price,
    qty,
    draft: reviewed.draft,
  };
  out.ask({ kind: "amend", intent, contractSize: state.rules.get(tracked.symbol)?.contractSize ?? ONE });
  return "promised";
}

function recordPromise(
  state: AgentState,
  { clientOrderId, order, symbol }: Tracked,
  { intentId, price, qty, decisionId, reason }: Change & { readonly intentId: string },
  out: Outbox,
): void {
  const before = { price: order.limitPrice && toWire(order.limitPrice), qty: toWire(order.qty) };
  out.record(
    "intent",
    {
      event: "amend",
      intentId,
      clientOrderId,
      orderId: order.orderId,
      decisionId,
      symbol,
      price: toWire(price),
      qty: toWire(qty),
      before,
      notional: toWire(notionalAt(state, symbol, qty, price)),
      reason,
    },
    decisionId,
  );
}

/** The reply to an amendment. Acceptance is not the change: the order's own record tells that. */
export function onOrderAmended(
  state: AgentState,
  { clientOrderId, intentId, sent }: Extract<AgentEvent, { kind: "amend-sent" }>,
  { nowMs, out }: At,
): void {
  const tracked = state.orders.get(clientOrderId);
  const amend = tracked?.amend;
  if (!tracked || amend?.intentId !== intentId) return;
  switch (sent.kind) {
    case "done":
      amend.fate = "accepted";
      // A reply that says CANCELLED or REJECTED means that the order itself is gone. Records §5.2.
      state.orders.lookUpLater(tracked, nowMs, isTerminal(readOrderState(sent.value.state)) ? 0 : 1_000);
      break;
    case "unknown":
      amend.fate = "unknown";
      state.orders.lookUpLater(tracked, nowMs, 500);
      break;
    case "rejected":
      endAmend(tracked, amend, { how: "refused", code: sent.code, message: sent.message }, out);
      if (OVER_CODES.has(sent.code)) state.orders.lookUpLater(tracked, nowMs, 0);
      else state.doubts.refused(tracked.symbol, sent.code, { nowMs, out });
      break;
    default:
      endAmend(tracked, amend, { how: "not-sent", reason: `${sent.kind}: ${sent.message}` }, out);
  }
}

function endAmend(tracked: Tracked, { intentId }: Amending, end: LogFields, out: Outbox): void {
  if (tracked.amend?.intentId === intentId) tracked.amend = null;
  const { clientOrderId, decisionId } = tracked;
  out.record("intent", { event: "amend-end", intentId, clientOrderId, ...end }, decisionId);
}

/** What an update of the order tells of an amendment: it holds, or it ended with its order. */
export function reportAmend(tracked: Tracked, amend: Amending, out: Outbox): void {
  const { orderId, qty, limitPrice, state } = tracked.order;
  const how = isTerminal(state) && !amendHolds({ order: tracked.order, amend }) ? "order-ended" : "amended";
  endAmend(tracked, amend, { how, orderId, state, qty: toWire(qty), price: limitPrice && toWire(limitPrice) }, out);
}

/** A look-up showed the order as it was. Often enough and for long enough, and the change was never made. */
export function lookedUnchanged(tracked: Tracked, { nowMs, out }: At): void {
  const { amend } = tracked;
  if (!amend || amend.fate === "promised" || tracked.fate !== "known") return;
  if (amend.reads === 0) amend.firstReadMs = nowMs;
  amend.reads += 1;
  const spreadMs = Math.round(nowMs - amend.firstReadMs);
  if (amend.reads < UNMADE_AFTER_READS || spreadMs < UNMADE_AFTER_MS) return;
  endAmend(tracked, amend, { how: "absent", reads: amend.reads, spreadMs }, out);
}
