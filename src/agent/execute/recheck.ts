/** The last check before a write: would the limits still agree, on what is known at this very instant? */
import type { Decimal } from "../../core/decimal.ts";
import { review } from "../../risk/review.ts";
import { verdictText } from "../../risk/verdict.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { RiskView } from "../../risk/view.ts";
import { type AmendIntent, DECISION_LIFE_MS, type Intent } from "../books/intents.ts";
import { voided } from "../contract/handover.ts";
import type { Tracked } from "../books/order-tracker.ts";
import { riskViewOf } from "../view/risk-view.ts";
import { isClosing } from "../positions/held-position.ts";
import { mustShow } from "../books/read-lag.ts";
import { lacksStopSlot, type SlotsAt, stopStaysBehind } from "../view/stop-slots.ts";
import type { AgentState } from "../state/state.ts";

/** While an external order is open, or may be, we cannot predict what the account will hold. Fault U5; invariant I3. */
export const foreignIn = ({ orders, restored, ordersListedMs }: AgentState, symbol: string): boolean =>
  orders.live().some((tracked) => !tracked.ours && tracked.symbol === symbol) ||
  (restored.externalOrders ?? []).some((seen) => seen.symbol === symbol && !mustShow(ordersListedMs, seen.seenMs));

/** A close takes all that is held when it arrives: what came before it would be closed at once, and what came after it left over. */
export function closesIn({ positions }: AgentState, key: string, nowMs: number): string | null {
  const held = positions.get(key);
  return held && isClosing(held, nowMs) ? "this position is being closed" : null;
}

/** Why an order that rests must not become so large: the stop of what it adds to could not follow. Null if it may. */
export const outgrowsStop = (
  state: AgentState,
  { clientOrderId, symbol, leg, order }: Tracked,
  { qty, ...at }: SlotsAt & { readonly qty: Decimal },
): string | null =>
  qty.gt(order.qty) ? stopStaysBehind(state, positionKeyOf(symbol, leg), { ...at, replaced: clientOrderId }) : null;

/** Why this order must not be sent, regardless of its figures; null if it may. */
function against(
  state: AgentState,
  tracked: Tracked,
  { decidedAtMs }: Pick<Intent, "decidedAtMs">,
  nowMs: number,
): string | null {
  if (nowMs - decidedAtMs > DECISION_LIFE_MS) return "its decision is too old";
  if (state.stage !== "ready") return `the agent is ${state.stage}`;
  if (foreignIn(state, tracked.symbol)) return "somebody else's order stands in this symbol";
  const closing = closesIn(state, positionKeyOf(tracked.symbol, tracked.leg), nowMs);
  if (closing) return closing;
  const stale = state.staleRules.of(tracked.symbol);
  return stale ?? voided(state.deciding.handover, tracked);
}

/** Null if the limits still agree to the order, else the reason. A reducing order is never held up. */
export function recheck(state: AgentState, intent: Intent, nowMs: number): string | null {
  if (!intent.opening) return null;
  const tracked = state.orders.get(intent.clientOrderId);
  if (!tracked || tracked.fate !== "promised") return "its fate is already known";
  const { symbol, leg, sequence } = tracked;
  const stop = intent.draft.stopPrice;
  return (
    against(state, tracked, intent, nowMs) ??
    // A stop that was refused meanwhile has used a slot that this order counted on.
    lacksStopSlot(state, positionKeyOf(symbol, leg), { nowMs, sequence, stop }) ??
    judged(state, { draft: intent.draft, sequence }, foundView(state, tracked, nowMs)) ??
    (tracked.unwanted ? "it was withdrawn before it left" : null)
  );
}

/** The same for an amendment: the order as it will be replaces the order as it is. */
export function recheckAmend(state: AgentState, intent: AmendIntent, nowMs: number): string | null {
  const tracked = state.orders.get(intent.clientOrderId);
  if (tracked?.fate !== "known") return "its order has ended";
  if (tracked.amend?.intentId !== intent.intentId) return "another change of the order came after it";
  if (tracked.cancelAskedMs !== null || tracked.order.cancelPending) return "its order is being cancelled";
  if (tracked.order.executedQty.gte(intent.qty)) return "more than that has been filled";
  const view = amendView(state, tracked, nowMs);
  const { sequence } = tracked.amend;
  return (
    against(state, tracked, intent, nowMs) ??
    outgrowsStop(state, tracked, { qty: intent.qty, nowMs, sequence }) ??
    judged(state, { draft: intent.draft, sequence }, view)
  );
}

/** The account as it was before the order: it and all later intents do not count as openings. */
function foundView(state: AgentState, { promisedAtMs }: Tracked, nowMs: number): RiskView | null {
  const view = riskViewOf(state, nowMs);
  return view && { ...view, recentOpenings: view.recentOpenings.filter(({ atMs }) => atMs < promisedAtMs) };
}

/** The same without the open rest of the order: what replaces it is judged like a new order. */
export function amendView(state: AgentState, tracked: Tracked, nowMs: number): RiskView | null {
  const view = foundView(state, tracked, nowMs);
  const { clientOrderId } = tracked;
  const others = (order: { readonly clientOrderId: string }): boolean => order.clientOrderId !== clientOrderId;
  return (
    view && {
      ...view,
      openOrders: view.openOrders.filter(others),
      unreadOpenings: view.unreadOpenings.filter(others),
    }
  );
}

type Judged = Pick<Intent, "draft"> & { readonly sequence: number };

function judged(state: AgentState, { draft, sequence }: Judged, full: RiskView | null): string | null {
  if (!full) return "the account is not known";
  // A later intent is judged after this one, with this one counted: otherwise a batch would refuse itself.
  const isEarlier = ({ clientOrderId }: { readonly clientOrderId: string }): boolean => {
    const other = state.orders.get(clientOrderId);
    return other === undefined || other.fate !== "promised" || other.sequence < sequence;
  };
  const [inFlight, unreadOpenings] = [full.inFlight.filter(isEarlier), full.unreadOpenings.filter(isEarlier)];
  const view = { ...full, inFlight, unreadOpenings };
  const again = review(draft, view, state.limits.under(state.settings.risk));
  if (again.kind === "approved" && again.draft.order.qty.eq(draft.order.qty)) return null;
  const against = again.verdicts.find((verdict) => verdict.kind !== "allow");
  return against ? verdictText(against) : "the limits no longer agree";
}
