/**
 * A venue-side stop on every position, so that the account is safe while we are dead. An open is not done until its stop
 * is confirmed; a position that stays without one beyond the deadline is closed. Spec: 1 §2.5, §4.3; invariant I9.
 */
import { toWire } from "../../core/decimal.ts";
import { type AlgoOrder, isAlgoOver, type PlaceAlgoOrder } from "../../domain/algo-order.ts";
import type { ExitCause } from "../../domain/closed-trade.ts";
import { legKey } from "../../domain/position.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { Sent } from "../contract/events.ts";
import { isClosing, isDoubted, isTaken, type Leg } from "../legs/leg.ts";
import { algoLeg } from "../legs/leg-of.ts";
import { predictClose } from "../view/measure-costs.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { ALGO_SWEEP_MS, SWEEP_GAP_MS } from "../contract/read-pace.ts";
import { freshMark, stopReached, supervise, wantedStop } from "../view/watch-stops.ts";
import { orderRow } from "../../rows/order.ts";
import { protectionRow } from "../../rows/protection.ts";

const ASK_AGAIN_MS = 4_000;
const CONFIRM_WITHIN_MS = 2_500;
const STOPS_KNOWN_WITHIN_MS = 5_000;
/** What arrived though its reply was lost is in the list by then. */
const LOOK_MS = 5_000;
/** A close takes its time as well: it begins so long before the deadline. Invariant I9. */
const CLOSE_TAKES_MS = 2_500;

/** On every tick once the account is read: asks for missing stops, closes what passed its stop or stays bare. */
export function protectLegs(state: AgentState, at: At): void {
  // What was held before this run may have its stop: until the list is read, or is late, nothing is asked for twice, and
  // the price is watched.
  const since = at.nowMs - (state.firstSweptMs ?? at.nowMs);
  state.pastStops.ask(state.legs, since, at);
  const begins = since < STOPS_KNOWN_WITHIN_MS;
  const waits = state.algosReadMs === -Infinity && begins;
  for (const leg of state.legs.all()) {
    // Nobody knows how long one that was held before has been bare already, or of what size a remembered stop is.
    supervise(state, leg, { ...at, atOnce: begins });
    if (isClosing(leg, at.nowMs)) continue;
    const reached = stopReached(state, leg, at.nowMs);
    if (reached !== null) closeLeg(state, leg, { ...at, why: reached, cause: "stop" });
    else if (waits) continue;
    else if (overdue(state, leg, at.nowMs))
      closeLeg(state, leg, { ...at, why: "no stop could be placed in time", cause: "limit" });
    else if (!state.pastStops.believed(leg) && mayAsk(leg, at.nowMs)) askProtection(state, leg, at);
    else if (leg.protection === "asked" && at.nowMs - leg.protectAskedMs >= CONFIRM_WITHIN_MS) confirm(state, leg, at);
  }
}

const mayAsk = (leg: Leg, nowMs: number): boolean =>
  leg.protection === "none" && nowMs - leg.protectAskedMs >= ASK_AGAIN_MS && !isDoubted(leg, nowMs);

function overdue(state: AgentState, leg: Leg, nowMs: number): boolean {
  const allowedMs = state.settings.execution.protectWithinMs - CLOSE_TAKES_MS;
  if (leg.unprotectedSinceMs === null || state.pastStops.believed(leg)) return false;
  return nowMs - leg.unprotectedSinceMs > allowedMs && nowMs - leg.missedMs > ASK_AGAIN_MS;
}

/** In one-way mode a close names the symbol alone: of a leg that has turned into the other one it would close that. */
const isTurned = (state: AgentState, leg: Leg): boolean =>
  !isHedged(state, leg.symbol) &&
  isTaken(leg) &&
  state.legs.get(legKey(leg.symbol, leg.side === "LONG" ? "SHORT" : "LONG")) !== undefined;

/** Asks for a market close of the leg. A repeat is harmless: the venue answers 401097 once nothing is left. */
export function closeLeg(
  state: AgentState,
  leg: Leg,
  at: At & { why: string; cause?: ExitCause; decisionId?: string },
): void {
  if (isClosing(leg, at.nowMs) || isTurned(state, leg)) return;
  leg.closeAskedMs = at.nowMs;
  state.ownCloses.asked(leg.key, at.nowMs);
  state.trades.ending(leg.key, at.why, at.cause ?? "decision");
  const decisionId = at.decisionId ?? leg.meta.decisionId;
  const predicted = predictClose(state, leg, decisionId, at.nowMs);
  at.out.record(
    orderRow({ close: leg.key, why: at.why, qty: leg.position.qty, ...(predicted && { predicted }) }),
    decisionId,
  );
  at.out.log("info", "order.submitted", `closing ${leg.symbol} ${leg.side}: ${at.why}`, {
    leg: leg.key,
    ...(decisionId ? { decision: decisionId } : {}),
  });
  at.out.ask({ kind: "close", known: leg.position, hedgeMode: isHedged(state, leg.symbol), decisionId });
}

function askProtection(state: AgentState, leg: Leg, { nowMs, out }: At): void {
  if (!state.rules.has(leg.symbol)) return;
  leg.protectAskedMs = nowMs;
  leg.protection = "asked";
  state.stopSlots.take(nowMs);
  const stopPrice = wantedStop(state, leg);
  // A target that is no price would have the whole order refused, and the stop with it.
  const target = state.oneSidedStops || !leg.meta.targetPrice?.gt(0) ? null : leg.meta.targetPrice;
  const order: PlaceAlgoOrder = {
    symbol: leg.symbol,
    condition: target ? "OCO" : "CONDITIONAL",
    side: leg.side === "LONG" ? "SELL" : "BUY",
    positionSide: isHedged(state, leg.symbol) ? leg.side : "NONE",
    qty: leg.position.qty,
    reduceOnly: true,
    triggerPrice: target ? null : stopPrice,
    triggerType: "MARK_PRICE",
    takeProfitPrice: target,
    stopLossPrice: target ? stopPrice : null,
    clientOrderId: nextId(state, "p"),
  };
  leg.protectId = order.clientOrderId;
  const { decisionId } = leg.meta;
  const { clientOrderId, qty } = order;
  out.record(protectionRow({ leg: leg.key, clientOrderId, stopPrice, targetPrice: target, qty }), decisionId);
  out.log(
    "info",
    "position.unprotected",
    `${leg.symbol} ${leg.side}: placing a stop at ${toWire(stopPrice)}${target ? `, target ${toWire(target)}` : ""}`,
    { leg: leg.key, ...(decisionId ? { decision: decisionId } : {}) },
  );
  out.ask({ kind: "protect", leg: leg.key, order, decisionId });
}

/** Whether the stop of that id is still what its leg waits for. */
export function wantsProtection(state: AgentState, legKey: string, clientOrderId: string): boolean {
  const leg = state.legs.get(legKey);
  return leg !== undefined && leg.protection !== "live" && leg.protectId === clientOrderId;
}

/** Accepted but not seen standing: some venues push algo states elsewhere, so the list is read. */
function confirm(state: AgentState, leg: Leg, { nowMs, out }: At): void {
  if (nowMs - leg.protectAskedMs > ASK_AGAIN_MS * 3) leg.protection = "none";
  else if (!state.sweepInFlight && nowMs - Math.max(state.algosAskedMs, state.sweptMs) > SWEEP_GAP_MS) {
    state.sweptMs = nowMs;
    state.sweepInFlight = true;
    state.sweepAskedMs = nowMs;
    state.algosAskedMs = nowMs;
    out.ask({ kind: "sweep", withAlgos: true });
  }
}

/** A push or a reading of one stop. One beside a safer one is cancelled; one without a leg is watched as an orphan. */
export function onAlgo(state: AgentState, algo: AlgoOrder, { nowMs, out }: At): void {
  const before = state.legs.all().map((leg) => [leg, leg.protection] as const);
  const spare = state.legs.algo(algo, nowMs);
  if (spare) state.orphans.cancel(spare.algoOrderId, { nowMs, out });
  if (isAlgoOver(algo.state)) state.orphans.ended(algo.algoOrderId);
  // Asked for while there was a leg, and standing when there is none any more: its leg may still come.
  const lone = state.legs.lone(algo, nowMs);
  if (lone?.doubtful) state.orphans.missed(algo.algoOrderId, algoLeg(algo), nowMs);
  else if (lone) state.orphans.left(algo.algoOrderId, nowMs);
  for (const [leg, protection] of before) {
    if (leg.protection === "live" && protection !== "live") protectedNow(state, leg, out);
    else if (leg.protection === "none" && protection === "live" && state.legs.get(leg.key)) {
      out.log(
        "warn",
        "position.unprotected",
        `${leg.symbol} ${leg.side}: its stop is ${algo.state.toLowerCase()}${algo.reason ? `, ${algo.reason}` : ""}`,
        { leg: leg.key },
      );
    }
  }
}

/** Tells of protection that a sweep found standing. */
export function reportProtected(before: ReadonlyMap<string, string>, state: AgentState, out: Outbox): void {
  for (const leg of state.legs.all()) {
    if (leg.protection === "live" && before.get(leg.key) !== "live") protectedNow(state, leg, out);
  }
}

function protectedNow(state: AgentState, leg: Leg, out: Outbox): void {
  const stop = leg.standingStop ? toWire(leg.standingStop) : "?";
  const { decisionId } = leg.meta;
  const bareMs = Math.round(leg.bare.lastMs);
  state.unprotected.ended(bareMs);
  const { algoOrderId, standingStop: stopPrice } = leg;
  out.record(
    protectionRow({ leg: leg.key, algoOrderId, standing: true, stopPrice, unprotectedMs: bareMs }),
    decisionId,
  );
  out.log(
    "info",
    "position.protected",
    `${leg.symbol} ${leg.side}: a stop at ${stop} stands at the venue, ${(bareMs / 1_000).toFixed(1)} s without`,
    {
      leg: leg.key,
      algoOrderId: leg.algoOrderId,
      stopPrice: stop,
      ...(decisionId ? { decision: decisionId } : {}),
    },
  );
}

/** The reply to a new stop. `done` is acceptance: the leg counts as bare until the stop is seen standing. */
export function onProtectSent(
  state: AgentState,
  legKey: string,
  sent: Sent<{ algoOrderId: string }>,
  { nowMs, out }: At,
): void {
  if (sent.kind === "done") state.legs.placedStop(sent.value.algoOrderId);
  const leg = state.legs.get(legKey);
  if (!leg) {
    // Its leg is flat meanwhile, or not known yet: unless one comes, nobody else will take it away.
    if (sent.kind === "done") state.orphans.left(sent.value.algoOrderId, nowMs);
    // It may stand, under an id that nobody knows: the list tells.
    if (sent.kind === "unknown") state.algosAskedMs = Math.min(state.algosAskedMs, nowMs - ALGO_SWEEP_MS + LOOK_MS);
    return;
  }
  if (sent.kind === "done") leg.repliedAlgoId = sent.value.algoOrderId;
  if (sent.kind === "done" || sent.kind === "unknown") return;
  if (leg.protection === "asked") leg.protection = "none";
  // The disk took no row, or the line was down: the venue has heard of none. Faults D1, D8.
  if (sent.kind === "blocked" || sent.kind === "not-sent") state.stopSlots.giveBack(leg.protectAskedMs);
  if (sent.kind === "rejected" && leg.meta.targetPrice && !state.oneSidedStops) {
    // A venue that knows only the documents' CONDITIONAL form: the stop stands there, the target is watched here.
    state.oneSidedStops = true;
    leg.protectAskedMs = nowMs - ASK_AGAIN_MS;
  }
  out.log(
    "warn",
    "position.unprotected",
    `${leg.symbol} ${leg.side}: the stop was not placed (${sent.kind}: ${sent.message})`,
    { leg: leg.key },
  );
}

/** Targets that do not stand at the venue are watched from the marks. */
export function watchTargets(state: AgentState, at: At): void {
  for (const leg of state.legs.all()) {
    const target = leg.meta.targetPrice;
    if (!target || leg.standingTarget) continue;
    const mark = freshMark(state, leg.symbol, at.nowMs);
    if (!mark) continue;
    if (leg.side === "LONG" ? mark.gte(target) : mark.lte(target))
      closeLeg(state, leg, { ...at, why: `the target ${toWire(target)} is reached`, cause: "target" });
  }
}
