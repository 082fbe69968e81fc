/**
 * Keeps a stop at the venue for every position, so that the account is safe while the agent is down. An opening is complete
 * only when its stop is confirmed; a position still without one at the deadline is closed. Spec: 1 §2.5, §4.3; invariant I9.
 */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { type AlgoOrder, isAlgoOver, type PlaceAlgoOrder } from "../../domain/algo-order.ts";
import type { ExitCause } from "../../domain/closed-trade.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { Sent } from "../contract/events.ts";
import {
  algoPosition,
  isClosing,
  isUnsure,
  isTaken,
  type HeldPosition,
  type StopForm,
} from "../positions/held-position.ts";
import { predictClose } from "../view/measure-costs.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { freshMark, stopReached, supervise, wantedStop } from "../view/watch-stops.ts";
import { orderRow } from "../../rows/order.ts";
import { protectionRow } from "../../rows/protection.ts";

const ASK_AGAIN_MS = 4_000;
/** A request that has neither been answered nor seen by then is taken for lost. */
const UNANSWERED_MS = 3 * ASK_AGAIN_MS;
const CONFIRM_WITHIN_MS = 2_500;
const STOPS_KNOWN_WITHIN_MS = 5_000;
/** By then the list shows a stop that arrived although its reply was lost. */
const LOOK_MS = 5_000;
/** A close takes time as well, so it begins this long before the deadline. Invariant I9. */
const CLOSE_TAKES_MS = 2_500;

/** On every tick once the account is read: requests missing stops; closes positions past their stop or too long without one. */
export function protectPositions(state: AgentState, at: At): void {
  // A position held before this run may have its stop: until the list is read, or is late, nothing is requested twice, and
  // the price is watched.
  const since = at.nowMs - (state.firstAccountReadMs ?? at.nowMs);
  state.pastStops.ask(state.positions, since, at);
  const begins = since < STOPS_KNOWN_WITHIN_MS;
  const waits = state.algosReadMs === -Infinity && begins;
  for (const held of state.positions.all()) {
    // Nobody knows how long an earlier position has already been without a stop, or what size a remembered stop has.
    supervise(state, held, { ...at, atOnce: begins });
    if (isClosing(held, at.nowMs)) continue;
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

/** In one-way mode a close names only the symbol: if the position has turned, it would close the opposite one. */
const isTurned = (state: AgentState, held: HeldPosition): boolean =>
  !isHedged(state, held.symbol) &&
  (isTaken(held) || held.unsureSinceMs !== null) &&
  state.positions.get(positionKeyOf(held.symbol, held.side === "LONG" ? "SHORT" : "LONG")) !== undefined;

/** Requests a market close of the position. A repeat is harmless: the venue answers 401097 once nothing is left. */
export function closeHeld(
  state: AgentState,
  held: HeldPosition,
  at: At & { why: string; cause?: ExitCause; decisionId?: string },
): void {
  if (isClosing(held, at.nowMs) || isTurned(state, held)) return;
  held.closeAskedMs = at.nowMs;
  state.ownCloses.asked(held.key, at.nowMs);
  state.trades.ending(held.key, at.why, at.cause ?? "decision");
  const decisionId = at.decisionId ?? held.meta.decisionId;
  const predicted = predictClose(state, held, decisionId, at.nowMs);
  at.out.record(
    orderRow({ close: held.key, why: at.why, qty: held.position.qty, ...(predicted && { predicted }) }),
    decisionId,
  );
  at.out.log("info", "order.submitted", `closing ${held.symbol} ${held.side}: ${at.why}`, {
    leg: held.key,
    ...(decisionId ? { decision: decisionId } : {}),
  });
  at.out.ask({ kind: "close", known: held.position, hedgeMode: isHedged(state, held.symbol), decisionId });
}

function askProtection(state: AgentState, held: HeldPosition, { nowMs, out }: At): void {
  if (!state.rules.has(held.symbol)) return;
  const unanswered = held.stopRequest?.fate === "unknown" ? held.stopRequest : null;
  // Under the same id, a venue that has the first one after all refuses the second, whose stop may have moved since.
  const clientOrderId = unanswered?.clientOrderId ?? nextId(state, "p");
  const stopPrice = wantedStop(state, held);
  const order = stopOrder(state, held, { clientOrderId, stopPrice });
  held.stopRequest = { clientOrderId, fate: "sent" };
  held.protectAskedMs = nowMs;
  held.protection = "asked";
  state.stopSlots.take(nowMs);
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
  out.ask({ kind: "protect", leg: held.key, order, decisionId });
}

function stopOrder(
  state: AgentState,
  held: HeldPosition,
  { clientOrderId, stopPrice }: { readonly clientOrderId: string; readonly stopPrice: Decimal },
): PlaceAlgoOrder {
  const form = formOf(state, held);
  held.stopForm = form;
  // An invalid target price would have the whole order refused, and the stop with it.
  const target = form === "one-sided" || !held.meta.targetPrice?.gt(0) ? null : held.meta.targetPrice;
  const condition = form === "entire" ? "ENTIRE_CLOSE_POSITION" : target ? "OCO" : "CONDITIONAL";
  const lone = condition === "CONDITIONAL";
  return {
    symbol: held.symbol,
    condition,
    side: held.side === "LONG" ? "SELL" : "BUY",
    positionSide: isHedged(state, held.symbol) ? held.side : "NONE",
    qty: form === "entire" ? ZERO : held.position.qty,
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

/** What to ask for after a refusal: less, until the venue's refusal cannot be for the form. Null where no simpler form is left. */
function simplerForm({ stopForm, meta }: HeldPosition): StopForm | null {
  if (stopForm === "entire") return "sized";
  return stopForm === "sized" && meta.targetPrice !== null ? "one-sided" : null;
}

/** Whether the position still waits for the stop with that id. */
export function wantsProtection(state: AgentState, positionKeyOf: string, clientOrderId: string): boolean {
  const held = state.positions.get(positionKeyOf);
  return held !== undefined && held.protection !== "live" && held.stopRequest?.clientOrderId === clientOrderId;
}

/** Accepted but not yet seen: it is looked up by the id of the reply, and where no reply named it, the list is read. */
function confirm(state: AgentState, held: HeldPosition, { nowMs, out }: At): void {
  const { repliedAlgoId: algoOrderId, key: leg } = held;
  if (nowMs - held.protectAskedMs > UNANSWERED_MS) held.protection = "none";
  else if (algoOrderId !== null && nowMs - held.stopAskedMs >= CONFIRM_WITHIN_MS) {
    held.stopAskedMs = nowMs;
    out.ask({ kind: "read-algo", leg, algoOrderId });
  } else if (
    !state.accountReadInFlight &&
    nowMs - Math.max(state.algosAskedMs, state.accountReadMs) > state.pace.sweepGapMs
  ) {
    state.accountReadMs = nowMs;
    state.accountReadInFlight = true;
    state.accountAskedMs = nowMs;
    state.algosAskedMs = nowMs;
    out.ask({ kind: "read-account", withAlgos: true });
  }
}

/** A push or a reading of one stop. If a safer one exists, it is cancelled; without a position it is watched as an orphan. */
export function onAlgo(state: AgentState, algo: AlgoOrder, { nowMs, out }: At): void {
  const before = state.positions.all().map((held) => [held, held.protection] as const);
  const spare = state.positions.algo(algo, nowMs);
  if (spare) state.orphans.cancel(spare.algoOrderId, { nowMs, out });
  if (isAlgoOver(algo.state)) state.orphans.ended(algo.algoOrderId);
  // Requested while there was a position, and in place when there is none any more: the position may still appear.
  const lone = state.positions.lone(algo, nowMs);
  if (lone?.doubtful) state.orphans.missed(algo.algoOrderId, algoPosition(algo), nowMs);
  else if (lone) state.orphans.left(algo.algoOrderId, nowMs);
  for (const [held, protection] of before) {
    if (held.protection === "live" && protection !== "live") protectedNow(state, held, out);
    else if (held.protection === "none" && protection === "live" && state.positions.get(held.key)) {
      out.log(
        "warn",
        "position.unprotected",
        `${held.symbol} ${held.side}: its stop is ${algo.state.toLowerCase()}${algo.reason ? `, ${algo.reason}` : ""}`,
        { leg: held.key },
      );
    }
  }
}

/** Reports stops that an account snapshot found in place. */
export function reportProtected(before: ReadonlyMap<string, string>, state: AgentState, out: Outbox): void {
  for (const held of state.positions.all()) {
    if (held.protection === "live" && before.get(held.key) !== "live") protectedNow(state, held, out);
  }
}

function protectedNow(state: AgentState, held: HeldPosition, out: Outbox): void {
  const stop = held.standingStop ? toWire(held.standingStop) : "?";
  const { decisionId } = held.meta;
  const bareMs = Math.round(held.bare.lastMs);
  state.unprotected.ended(bareMs);
  const { algoOrderId, standingStop: stopPrice } = held;
  out.record(
    protectionRow({ leg: held.key, algoOrderId, standing: true, stopPrice, unprotectedMs: bareMs }),
    decisionId,
  );
  out.log(
    "info",
    "position.protected",
    `${held.symbol} ${held.side}: a stop at ${stop} stands at the venue, ${(bareMs / 1_000).toFixed(1)} s without`,
    {
      leg: held.key,
      algoOrderId: held.algoOrderId,
      stopPrice: stop,
      ...(decisionId ? { decision: decisionId } : {}),
    },
  );
}

/** The reply to a new stop. `done` is acceptance: the position counts as unprotected until the stop is seen. */
export function onProtectSent(
  state: AgentState,
  positionKeyOf: string,
  sent: Sent<{ algoOrderId: string }>,
  { nowMs, out }: At,
): void {
  if (sent.kind === "done") state.positions.placedStop(sent.value.algoOrderId);
  const held = state.positions.get(positionKeyOf);
  if (!held) {
    // Its position is flat by now, or not known yet: unless one appears, nothing else will cancel the stop.
    if (sent.kind === "done") state.orphans.left(sent.value.algoOrderId, nowMs);
    // The stop may exist under an id that nobody knows: the list shows it.
    if (sent.kind === "unknown")
      state.algosAskedMs = Math.min(state.algosAskedMs, nowMs - state.pace.algoSweepMs + LOOK_MS);
    return;
  }
  const request = held.stopRequest;
  // A push may have shown the stop before its answer was given up.
  if (request?.fate === "sent")
    held.stopRequest = { ...request, fate: sent.kind === "unknown" ? "unknown" : "answered" };
  if (sent.kind === "done") {
    held.repliedAlgoId = sent.value.algoOrderId;
    // What one-way mode asks for says nothing about hedge mode.
    if (held.stopForm !== null && (isHedged(state, held.symbol) || held.stopForm === "one-sided"))
      state.stopForm = held.stopForm;
  }
  if (sent.kind === "done" || sent.kind === "unknown") return;
  // The venue has a stop of that id: the first request arrived although its answer did not. What became of it is looked up.
  if (sent.kind === "rejected" && sent.reason === "duplicate-id" && request)
    return out.ask({ kind: "read-algo", leg: held.key, clientOrderId: request.clientOrderId });
  if (held.protection === "asked") held.protection = "none";
  // The row could not be written, or the connection was down: the venue received nothing. Faults D1, D8.
  if (sent.kind === "blocked" || sent.kind === "not-sent") state.stopSlots.giveBack(held.protectAskedMs);
  const simpler = sent.kind === "rejected" && sent.reason !== "nothing-to-close" ? simplerForm(held) : null;
  if (simpler !== null) {
    held.stopForm = simpler;
    held.protectAskedMs = nowMs - ASK_AGAIN_MS;
  }
  const about = `${held.symbol} ${held.side}`;
  const why = `${sent.kind}: ${sent.message}`;
  // Venues differ in the forms that they take: the first stop of a run may be refused, and nobody has to act.
  if (simpler !== null)
    out.log("info", "position.unprotected", `${about}: asking for a simpler form of stop at once (${why})`, {
      leg: held.key,
    });
  else out.log("warn", "position.unprotected", `${about}: the stop was not placed (${why})`, { leg: held.key });
}

/** Targets that do not stand at the venue are compared with the marks here. */
export function watchTargets(state: AgentState, at: At): void {
  for (const held of state.positions.all()) {
    const target = held.meta.targetPrice;
    if (!target || held.standingTarget) continue;
    const mark = freshMark(state, held.symbol, at.nowMs);
    if (!mark) continue;
    if (held.side === "LONG" ? mark.gte(target) : mark.lte(target))
      closeHeld(state, held, { ...at, why: `the target ${toWire(target)} is reached`, cause: "target" });
  }
}
