/**
 * How much of what opening orders filled is included in what is known of their positions. The rest counts as in flight, also in
 * the next run: the row of an order's end says what was not included then, and another row says when it was.
 */
import { type Decimal, minDecimal } from "../../core/decimal.ts";
import { intentRow, type IntentEnd } from "../../rows/intent.ts";
import type { Tracked } from "../books/order-tracker.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { reportRecord } from "./report-position.ts";

/** So much of it is included, or more. */
export function showFills(tracked: Tracked, qty: Decimal, out: Outbox): void {
  if (qty.gt(tracked.settledQty)) tracked.settledQty = qty;
  if (!tracked.isEndUnshown || tracked.settledQty.lt(tracked.order.executedQty)) return;
  tracked.isEndUnshown = false;
  const { clientOrderId } = tracked;
  out.record(intentRow({ event: "shown", intentId: clientOrderId, clientOrderId }), tracked.decisionId);
}

/** The position as of `shownMs`, the venue's time, is known: it includes what was filled until then. */
export function showFillsUntil(
  state: AgentState,
  { symbol, side }: { readonly symbol: string; readonly side: "LONG" | "SHORT" },
  shownMs: number,
  at: At,
): void {
  const shown = state.orders
    .unsettled()
    .filter((tracked) => tracked.symbol === symbol && tracked.leg === side && tracked.filledMs <= shownMs);
  if (shown.length > 0) reportRecord(state, positionKeyOf(symbol, side), at);
  for (const tracked of shown) showFills(tracked, tracked.order.executedQty, at.out);
}

/** For the row of its end, if it has an intent: what is not included, if there is any. */
export function unshownOf(tracked: Tracked): Pick<Extract<IntentEnd, { how: "terminal" }>, "shownQty" | "filledMs"> {
  const { promised, opening, order, settledQty, filledMs } = tracked;
  if (!promised || !opening || settledQty.gte(order.executedQty)) return {};
  tracked.isEndUnshown = true;
  return { shownQty: minDecimal(settledQty, order.executedQty), filledMs };
}
