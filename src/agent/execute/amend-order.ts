/**
 * Changes a resting order: one write where cancel and place need two. An amendment is an intent of its own. Every limit
 * judges it as if the order were new, and until the venue's order record shows the outcome, the order counts as the larger
 * of both sizes. If no answer arrives, the order is read back; nothing is sent again. Spec: 1 §4.2; records §5.2.
 */
import { type Decimal, ONE } from "../../core/decimal.ts";
import type { Order } from "../../domain/order.ts";
import { review } from "../../risk/review.ts";
import type { Draft } from "../../risk/view.ts";
import type { At, Outbox } from "../contract/effects.ts";
import { mayAmend } from "../books/amending.ts";
import type { Tracked } from "../books/order-tracker.ts";
import { amendView, foreignIn, outgrowsStop } from "./recheck.ts";
import { type AgentState, nextId } from "../state/state.ts";
import { notionalAt } from "../state/worth.ts";
import { reportReview } from "./review-draft.ts";
import { intentRow } from "../../rows/intent.ts";

/** What a resting order should become. `reason` goes into the row of the intent. */
export interface Change {
  readonly price: Decimal;
  /** The whole quantity, including what has filled. */
  readonly qty: Decimal;
  readonly decisionId: string;
  readonly decidedAtMs: number;
  readonly reason: string;
}

/** What became of a request to amend; the last two cases wrote no intent. */
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

/** Judges the order as it will be and, if the limits agree, writes the intent to change it. */
export function amendOrder(state: AgentState, tracked: Tracked, change: Change, { nowMs, out }: At): Amended {
  const allowed = state.session?.allowedActions.includes("order.replace") === true;
  const blocked =
    foreignIn(state, tracked.symbol) ||
    state.staleRules.of(tracked.symbol) !== null ||
    outgrowsStop(state, tracked, { qty: change.qty, nowMs }) !== null;
  if (!allowed || blocked || !mayAmend(tracked) || same(tracked.order, change)) return "not-possible";
  const view = amendView(state, tracked, nowMs);
  if (!view) return "not-possible";
  const draft = draftOf(tracked, change);
  const reviewed = review(draft, view, state.limits.under(state.settings.risk));
  reportReview(change.decisionId, draft, reviewed, out);
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
    decidedAtMs: change.decidedAtMs,
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
  const before = { price: order.limitPrice, qty: order.qty };
  out.record(
    intentRow({
      event: "amend",
      intentId,
      clientOrderId,
      orderId: order.orderId,
      decisionId,
      symbol,
      price,
      qty,
      before,
      notional: notionalAt(state, symbol, qty, price),
      reason,
    }),
    decisionId,
  );
}
