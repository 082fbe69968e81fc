/**
 * Keeps a stop at the venue for every position, so that the account is safe while the agent is down. An opening is complete
 * only when its stop is confirmed; a position still without one at the deadline is closed. Spec: 1 §2.5, §4.3; invariant I9.
 */
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { toWire, ZERO } from "../../core/decimal.ts";
import type { PlaceAlgoOrder } from "../../domain/algo-order.ts";
import type { At } from "../contract/effects.ts";
import { isClosing, isTaken, isUnsure, type HeldPosition, type StopForm } from "../positions/held-position.ts";
import { ASK_AGAIN_MS } from "../positions/held-stop.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { coverOf } from "../view/stop-cover.ts";
import { pricesToPlace, stopReached, supervise } from "../view/watch-stops.ts";
import { protectionRow } from "../../rows/protection.ts";
import { closeHeld } from "./close-held.ts";

/** A request that has neither been answered nor seen by then is taken for lost. */
const UNANSWERED_MS = 3 * ASK_AGAIN_MS;
const CONFIRM_WITHIN_MS = 2_500;
/** A close takes time as well, so it begins this long before the deadline. Invariant I9. */
const CLOSE_TAKES_MS = 2_500;

/** On every tick: places missing stops, and closes positions past their stop or too long without one. */
export function protectPositions(state: AgentState, at: At): void {
  // A position held before this run may have its stop: until the list is read, or is late, nothing is requested twice, and
  // the price is watched. While no positions can be read, it may be over: its price is all that is watched.
  const since = at.nowMs - (state.firstAccountReadMs ?? at.nowMs);
  state.pastStops.ask(state.positions, since, at);
  const begins = since < SHOWN_WITHIN_MS;
  const waits = state.firstAccountReadMs === null || (state.algosReadMs === -Infinity && begins);
  for (const held of state.positions.all()) {
    // Nobody knows how long an earlier position has already been without a stop, or what size a remembered stop has.
    supervise(state, held, { ...at, atOnce: begins });
    // Fills have closed all of it, as far as is known: the next list decides.
    if (isClosing(held, at.nowMs) || (isTaken(held) && isUnsure(held, at.nowMs))) continue;
    const reached = stopReached(state, held, at.nowMs);
    if (reached !== null) closeHeld(state, held, { ...at, why: reached, cause: "stop" });
    else if (waits) continue;
    else if (overdue(state, held, at.nowMs))
      closeHeld(state, held, { ...at, why: "no stop could be placed in time", cause: "limit" });
    else if (!state.pastStops.unconfirmed(held) && mayAsk(held, at.nowMs)) askProtection(state, held, at);
    else if (held.protection === "asked" && at.nowMs - held.protectAskedMs >= CONFIRM_WITHIN_MS)
      confirm(state, held, at);
  }
}

/**
 * A write that was given up is repeated at once, since its own bound is no shorter than this wait. One that is still on its
 * way is waited for, even if a list does not show the stop: a second write would only queue behind it.
 */
function mayAsk(held: HeldPosition, nowMs: number): boolean {
  const { protection, protectAskedMs } = held;
  const fate = held.stopRequest?.fate ?? "answered";
  if (protection === "live" || isUnsure(held, nowMs) || (protection === "asked" && fate !== "unknown")) return false;
  return nowMs - protectAskedMs >= (fate === "sent" ? UNANSWERED_MS : ASK_AGAIN_MS);
}

function overdue(state: AgentState, held: HeldPosition, nowMs: number): boolean {
  const allowedMs = state.settings.execution.protectWithin - CLOSE_TAKES_MS;
  if (held.unprotectedSinceMs === null || state.pastStops.unconfirmed(held)) return false;
  return nowMs - held.unprotectedSinceMs > allowedMs && nowMs - held.missedMs > ASK_AGAIN_MS;
}

function askProtection(state: AgentState, held: HeldPosition, { nowMs, out }: At): void {
  const unanswered = held.stopRequest?.fate === "unknown" ? held.stopRequest : null;
  // Under the same id, a venue that has the first one after all refuses the second, whose stop may have moved since.
  const clientOrderId = unanswered?.clientOrderId ?? nextId(state, "p");
  const prices = pricesToPlace(state, held);
  const { stopPrice } = prices;
  const order = stopOrder(state, held, { clientOrderId, ...prices });
  held.stopRequest = { clientOrderId, isRepetition: unanswered !== null, fate: "sent" };
  held.protectAskedMs = nowMs;
  held.protection = "asked";
  state.positions.askedStop(clientOrderId, order);
  state.stopSlots.take(nowMs, clientOrderId);
  const { decisionId } = held.meta;
  const { qty, takeProfitPrice: targetPrice } = order;
  out.record(protectionRow({ leg: held.key, clientOrderId, stopPrice, targetPrice, qty }), decisionId);
  const target = targetPrice ? `, target ${toWire(targetPrice)}` : "";
  const again = unanswered ? " again, because the first request was not answered" : "";
  out.log(
    "info",
    "position.unprotected",
    `${held.symbol} ${held.side}: placing a stop at ${toWire(stopPrice)}${target}${again}`,
    { leg: held.key, ...(decisionId ? { decision: decisionId } : {}) },
  );
  out.ask({ kind: "protect", positionKey: held.key, order, decisionId });
}

function stopOrder(
  state: AgentState,
  held: HeldPosition,
  { clientOrderId, stopPrice, targetPrice }: ReturnType<typeof pricesToPlace> & { readonly clientOrderId: string },
): PlaceAlgoOrder {
  const form = formOf(state, held);
  held.stopForm = form;
  // An invalid target price would have the whole order refused, and the stop with it.
  const target = form === "one-sided" || !targetPrice?.gt(0) ? null : targetPrice;
  const condition = form === "entire" ? "ENTIRE_CLOSE_POSITION" : target ? "OCO" : "CONDITIONAL";
  const lone = condition === "CONDITIONAL";
  return {
    symbol: held.symbol,
    condition,
    side: held.side === "LONG" ? "SELL" : "BUY",
    positionSide: isHedged(state, held.symbol) ? held.side : "NONE",
    qty: form === "entire" ? ZERO : coverOf(state, held),
    reduceOnly: true,
    triggerPrice: lone ? stopPrice : null,
    triggerType: "MARK_PRICE",
    takeProfitPrice: target,
    stopLossPrice: lone ? null : stopPrice,
    clientOrderId,
  };
}

/**
 * A stop for all that is held never has to follow the size. In one-way mode it names no side, and would close the opposite
 * position once the position has turned: there it has a quantity.
 */
function formOf(state: AgentState, held: HeldPosition): StopForm {
  const form = held.stopForm ?? state.stopForm;
  return form === "entire" && !isHedged(state, held.symbol) ? "sized" : form;
}

/** Whether the position still waits for the stop with that id. */
export function wantsProtection(state: AgentState, positionKeyOf: string, clientOrderId: string): boolean {
  const held = state.positions.get(positionKeyOf);
  return held !== undefined && held.protection !== "live" && held.stopRequest?.clientOrderId === clientOrderId;
}

/** Accepted but not yet seen: it is looked up by the id of the reply, and where no reply named it, the list is read. */
function confirm(state: AgentState, held: HeldPosition, { nowMs, out }: At): void {
  const { repliedAlgoId: algoOrderId } = held;
  if (nowMs - held.protectAskedMs > UNANSWERED_MS) held.protection = "none";
  else if (algoOrderId !== null && nowMs - held.stopAskedMs >= CONFIRM_WITHIN_MS) {
    held.stopAskedMs = nowMs;
    out.ask({ kind: "read-algo", positionKey: held.key, algoOrderId });
  } else state.reads.wantStops(nowMs);
}
