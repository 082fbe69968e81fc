/**
 * Moving stops towards safety. What is wanted is decided from fresh marks and written down; then the standing order is
 * amended in place, so that no position is without a stop for an instant. The venue takes three amendments in 50 s: sizes
 * go first and one slot is kept for them; a stop that waits for its slot, or that the venue will not move, is watched here.
 * Spec: 1 §4.3; records §6.3.
 */
import { dec, type Decimal, maxDecimal, toFloat, toWire } from "../../core/decimal.ts";
import { isOver } from "../books/amending.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { detach, isClosing, type Leg, stillSuffices, type StopAmendment } from "../legs/leg.ts";
import { learntCosts } from "../view/measure-costs.ts";
import type { AgentState } from "../state/state.ts";
import { notionalAt } from "../state/worth.ts";
import { ALGO_SWEEP_MS } from "../contract/read-pace.ts";
import { clearOf, type HeldStop, nextStop, safer, saferThan, type TrailRules } from "../books/trailing.ts";
import { freshMark, wantedStop } from "../view/watch-stops.ts";
import { protectionRow } from "../../rows/protection.ts";

/** Slots that moves leave alone, for stops that no longer fit the size of their position. */
const KEPT_FOR_SIZES = 1;
const RESIZE_AGAIN_MS = 4_000;
/** A list may show this long what was held before, the first of a run too: nothing is taken off a stop for it. Fault R9. */
const SIZE_SURE_AFTER_MS = 10_000;
/** Slots are few: a price that runs is followed in steps this far apart, and watched here between them. */
const MOVE_GAP_MS = 12_000;
/** By then a push or a reading of the list has told whether a move arrived. */
const MOVE_AGAIN_MS = ALGO_SWEEP_MS + 5_000;
const REFUSED_AGAIN_MS = 5_000;
/** Three turns in 52 s, of which a venue that answers nothing gets two at most: one is left for when it does again. */
const UNHEARD_AGAIN_MS = 27_000;
const LOOK_SOON_MS = 7_000;

/** Each tick: decides where stops belong and has the standing ones follow. */
export function keepStops(state: AgentState, at: At): void {
  for (const leg of state.legs.all()) {
    const mark = freshMark(state, leg.symbol, at.nowMs);
    if (mark !== null) leg.best = leg.best === null ? mark : safer(leg.side, leg.best, mark);
    adoptSafer(leg);
    if (leg.protection === "live" && !stillSuffices(leg)) detach(leg, at.nowMs);
    if (isClosing(leg, at.nowMs) || leg.protection !== "live") continue;
    if (mark !== null) decideMove(state, leg, mark, at);
    amend(state, leg, mark, at);
  }
}

/** The price of a stop found at the venue is kept where none is remembered, or where it is safer. */
function adoptSafer(leg: Leg): void {
  const { standingStop: standing, meta } = leg;
  if (standing === null) return;
  if (meta.stopPrice === null || saferThan(leg.side, standing, meta.stopPrice))
    leg.meta = { ...meta, stopPrice: standing };
}

function decideMove(state: AgentState, leg: Leg, mark: Decimal, { nowMs, out }: At): void {
  const rules = rulesOf(state, leg, nowMs);
  const tick = state.rules.get(leg.symbol)?.tickSize;
  if (rules === null || !tick || leg.best === null) return;
  const held: HeldStop = {
    side: leg.side,
    entry: leg.position.avgPrice,
    stop: wantedStop(state, leg),
    mark,
    best: leg.best,
    ...feesOf(state, leg),
    tick,
  };
  const { minStep } = state.settings.protection;
  const move = nextStop(held, rules, minStep);
  if (move === null || (leg.meta.targetPrice && !saferThan(leg.side, leg.meta.targetPrice, move.stop))) return;
  leg.meta = { ...leg.meta, stopPrice: move.stop };
  const { decisionId } = leg.meta;
  const { why, stop: stopPrice } = move;
  out.record(
    protectionRow({
      leg: leg.key,
      moving: true,
      from: held.stop,
      stopPrice,
      why,
      markPrice: mark,
      bestPrice: leg.best,
    }),
    decisionId,
  );
  const figures = { from: toWire(held.stop), stopPrice: toWire(stopPrice), why };
  out.log(
    "info",
    "stop.moved",
    `${leg.symbol} ${leg.side}: ${move.why}, the stop goes from ${figures.from} to ${figures.stopPrice}`,
    { leg: leg.key, ...figures, ...(decisionId ? { decision: decisionId } : {}) },
  );
}

/** The rules of the leg's own wish, else the configured ones in fractions of price; null while nothing is to follow. */
function rulesOf(state: AgentState, leg: Leg, nowMs: number): TrailRules | null {
  const { breakEvenAfter, activation, distance, unit } = state.settings.protection;
  if (leg.meta.trail) return leg.meta.trail;
  if (breakEvenAfter === 0 && distance === 0) return null;
  const scale = unit === "percent" ? 0.01 : state.volatility(leg.symbol, nowMs);
  if (scale === null) return null;
  // A stop nearer than the nearest that an opening may have is noise and fees.
  const nearest = toFloat(state.settings.risk.minStopDistance);
  return {
    breakEvenAfter: breakEvenAfter * scale,
    activation: activation * scale,
    distance: distance === 0 ? 0 : Math.max(nearest, distance * scale),
  };
}

/** What opening cost, as the fills told it, and what closing will: at least the taker fee. */
function feesOf(state: AgentState, leg: Leg): Pick<HeldStop, "entryFee" | "exitFee"> {
  const exitFee = maxDecimal(state.settings.risk.takerFee, dec(learntCosts(state).fee.TAKER.toFixed(8)));
  const value = notionalAt(state, leg.symbol, leg.position.qty, leg.position.avgPrice);
  const paid = state.trades.costs(leg.key).feesUsdt;
  return { entryFee: value.gt(0) && paid.gt(0) ? paid.div(value) : exitFee, exitFee };
}

/** Amends the standing order where it is too small, too large or not as safe as it should be. */
function amend(state: AgentState, leg: Leg, mark: Decimal | null, { nowMs, out }: At): void {
  const { amendSlots: slots } = state;
  const { algoOrderId, standingStop: standing, protectedQty } = leg;
  if (algoOrderId === null || !leg.stopIsOurs) return;
  const misfit = !protectedQty.isZero() && !protectedQty.eq(leg.position.qty);
  const stop = wantedStop(state, leg);
  const late =
    standing !== null && saferThan(leg.side, stop, standing) && mark !== null && clearOf(leg.side, stop, mark);
  const waitedMs = nowMs - leg.amendAskedMs;
  if (leg.amendUnheardMs > state.answeredMs && waitedMs < UNHEARD_AGAIN_MS) return;
  // A stop that is larger than its leg protects all of it: what is left is kept for one that has become too small.
  const larger = protectedQty.gt(leg.position.qty);
  const kept = larger ? KEPT_FOR_SIZES : 0;
  const sure = !larger || nowMs - leg.sizedMs >= SIZE_SURE_AFTER_MS;
  const resize = misfit && sure && waitedMs >= RESIZE_AGAIN_MS && slots.left(nowMs) > kept;
  const arrived = standing !== null && leg.amendedTo !== null && !saferThan(leg.side, leg.amendedTo, standing);
  const mayMove = waitedMs >= (arrived ? MOVE_GAP_MS : MOVE_AGAIN_MS) && slots.left(nowMs) > KEPT_FOR_SIZES;
  const move = late && (resize || mayMove);
  if (!resize && !move) return;
  leg.amendAskedMs = nowMs;
  if (move) leg.amendedTo = stop;
  slots.take(nowMs);
  const change = { ...(resize ? { qty: leg.position.qty } : {}), ...(move ? { [leg.stopField]: stop } : {}) };
  out.ask({ kind: "amend-protection", leg: leg.key, algoOrderId, change, decisionId: leg.meta.decisionId });
}

/** The last look before an amendment leaves: is the order still the leg's, and is the mark still clear of the new stop? */
export function mayAmendStop(state: AgentState, amendment: StopAmendment, nowMs: number): boolean {
  const leg = state.legs.get(amendment.leg);
  if (!leg || leg.algoOrderId !== amendment.algoOrderId || isClosing(leg, nowMs)) return false;
  const stop = amendment.change.stopLossPrice ?? amendment.change.triggerPrice;
  if (!stop) return true;
  const mark = freshMark(state, leg.symbol, nowMs);
  return (
    mark !== null &&
    clearOf(leg.side, stop, mark) &&
    leg.standingStop !== null &&
    !saferThan(leg.side, leg.standingStop, stop)
  );
}

/** The reply. The push or the list tells what stands; a refusal is asked about soon, and the stop watched here meanwhile. */
export function onStopAmended(
  state: AgentState,
  { leg: key, algoOrderId, sent }: Extract<AgentEvent, { kind: "protection-amended" }>,
  { nowMs, out }: At,
): void {
  if (sent.kind === "rejected" && isOver(sent)) state.legs.stopOver(key, algoOrderId, nowMs);
  const leg = state.legs.get(key);
  if (!leg || sent.kind === "done") return;
  if (sent.kind === "unknown") leg.amendUnheardMs = nowMs;
  if (sent.kind === "rate-limited" || sent.kind === "not-sent" || sent.kind === "blocked")
    leg.amendAskedMs = nowMs - MOVE_AGAIN_MS + REFUSED_AGAIN_MS;
  // Refused by the venue, or lost on the way: what stands there now is read soon.
  else state.algosAskedMs = Math.min(state.algosAskedMs, nowMs - ALGO_SWEEP_MS + LOOK_SOON_MS);
  out.log("warn", "stop.refused", `${leg.symbol} ${leg.side}: ${sent.kind}: ${sent.message}`, { leg: leg.key });
}
