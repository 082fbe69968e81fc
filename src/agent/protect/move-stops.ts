/**
 * Moves stops towards safety. The wanted price is decided from fresh marks and journalled; then the standing order is
 * amended in place, so that no position is without a stop for an instant. The venue takes three amendments in 50 s: sizes
 * and promised stops come first, and one slot is kept for them; a stop that waits for its slot, or that the venue will not move, is watched here.
 * Spec: 1 §4.3; records §6.3.
 */
import { READS_LAG_MS } from "../books/read-lag.ts";
import { dec, type Decimal, maxDecimal, toFloat, toWire } from "../../core/decimal.ts";
import type { At } from "../contract/effects.ts";
import { isClosing, type HeldPosition } from "../positions/held-position.ts";
import { assumedFees } from "../../risk/settings.ts";
import { learntCosts } from "../view/measure-costs.ts";
import type { AgentState } from "../state/state.ts";
import { freshMark, notionalAt } from "../state/worth.ts";
import { clearOf, type HeldStop, nextStop, safer, saferThan, type TrailRules } from "../books/trailing.ts";
import { coverOf, mostHeld } from "../view/stop-cover.ts";
import { priceToMove, watchedPrice, wantedStop } from "../view/watch-stops.ts";
import { protectionRow } from "../../rows/protection.ts";
import {
  ASK_AGAIN_MS,
  detach,
  isShortOfPromise,
  shrinkCover,
  stillSuffices,
  type StopAmendment,
} from "../positions/held-stop.ts";

/** Slots that trailing leaves free, for stops that cover less of their position than its orders require. */
const KEPT_FOR_PROMISES = 1;
/** Slots are few: a running price is followed in steps this far apart, and watched here between them. */
const MOVE_GAP_MS = 12_000;

/** On each tick: decides where stops belong and amends the standing ones to match. */
export function keepStops(state: AgentState, at: At): void {
  for (const held of state.positions.all()) {
    const mark = freshMark(state, held.symbol, at.nowMs);
    if (mark !== null) held.best = held.best === null ? mark : safer(held.side, held.best, mark);
    if (held.protection === "live" && !stillSuffices(held)) detach(held, at.nowMs);
    if (isClosing(held, at.nowMs) || held.protection !== "live") continue;
    if (mark !== null) decideMove(state, held, mark, at);
    amend(state, held, watchedPrice(state, held, at.nowMs), at);
  }
}

function decideMove(state: AgentState, position: HeldPosition, mark: Decimal, { nowMs, out }: At): void {
  const rules = rulesOf(state, position, nowMs);
  const tick = state.rules.get(position.symbol)?.tickSize;
  if (rules === null || !tick || position.best === null) return;
  const held: HeldStop = {
    side: position.side,
    entry: position.position.avgPrice,
    stop: wantedStop(state, position),
    mark,
    best: position.best,
    ...feesOf(state, position),
    tick,
  };
  const { minStep } = state.settings.protection;
  const move = nextStop(held, rules, minStep);
  if (move === null || (position.meta.targetPrice && !saferThan(position.side, position.meta.targetPrice, move.stop)))
    return;
  position.meta = { ...position.meta, stopPrice: move.stop };
  const { decisionId } = position.meta;
  const { why, stop: stopPrice } = move;
  out.record(
    protectionRow({
      leg: position.key,
      moving: true,
      from: held.stop,
      stopPrice,
      why,
      markPrice: mark,
      bestPrice: position.best,
    }),
    decisionId,
  );
  const figures = { from: toWire(held.stop), stopPrice: toWire(stopPrice), why };
  out.log(
    "info",
    "stop.moved",
    `${position.symbol} ${position.side}: ${move.why}, the stop goes from ${figures.from} to ${figures.stopPrice}`,
    { leg: position.key, ...figures, ...(decisionId ? { decision: decisionId } : {}) },
  );
}

/** The rules of the position's own target, else the configured ones in fractions of price; null if nothing is to follow. */
function rulesOf(state: AgentState, held: HeldPosition, nowMs: number): TrailRules | null {
  const { breakEven, trailing, unit } = state.settings.protection;
  if (held.meta.trail) return held.meta.trail;
  if (breakEven.after === 0 && trailing.distance === 0) return null;
  const scale = unit === "percent" ? 0.01 : state.volatility(held.symbol, nowMs);
  if (scale === null) return null;
  // A stop closer than the smallest distance allowed for an opening would trigger on noise and fees.
  const nearest = toFloat(state.settings.risk.minStopDistance);
  return {
    breakEvenAfter: breakEven.after * scale,
    activation: trailing.activation * scale,
    distance: trailing.distance === 0 ? 0 : Math.max(nearest, trailing.distance * scale),
  };
}

/** The cost of opening, according to the fills, and the expected cost of closing: at least the taker fee. */
function feesOf(state: AgentState, held: HeldPosition): Pick<HeldStop, "entryFee" | "exitFee"> {
  const exitFee = maxDecimal(assumedFees(state.settings.risk).taker, dec(learntCosts(state).fee.TAKER.toFixed(8)));
  const value = notionalAt(state, held.symbol, held.position.qty, held.position.avgPrice);
  const paid = state.trades.costs(held.key, held.begunMs).feesUsdt;
  return { entryFee: value.gt(0) && paid.gt(0) ? paid.div(value) : exitFee, exitFee };
}

/** Amends the standing order where it is too small, too large or not as safe as it should be. */
function amend(state: AgentState, held: HeldPosition, price: Decimal | null, { nowMs, out }: At): void {
  const { amendSlots: slots } = state;
  const { algoOrderId, standingStop: standing, protectedQty } = held;
  if (algoOrderId === null || !held.stopIsOurs) return;
  const cover = coverOf(state, held);
  const stop = priceToMove(state, held);
  const isLess = standing !== null && saferThan(held.side, stop, standing);
  const late = isLess && price !== null && clearOf(held.side, stop, price);
  const waitedMs = nowMs - held.amendAskedMs;
  // One change at a time: those that the venue does not hear would use up its slots.
  const isUnheard = held.amendUnheardMs > state.answeredMs && nowMs - held.amendUnheardMs < slots.unheardGapMs();
  if (held.amending || isUnheard) return;
  // A stop that is larger than its position protects all of it: the last slot is kept for a stop that has become too small.
  const larger = protectedQty.gt(cover);
  // An entry that has filled nothing yet needs no change: its first fill brings a stop price of its own.
  const misfit =
    !protectedQty.isZero() && !protectedQty.eq(cover) && (larger || protectedQty.lt(mostHeld(state, held)));
  const kept = larger ? KEPT_FOR_PROMISES : 0;
  const sure = !larger || nowMs - held.sizedMs >= READS_LAG_MS;
  const resize = misfit && sure && waitedMs >= ASK_AGAIN_MS && slots.left(nowMs) > kept;
  const keptFromMove = isShortOfPromise(held) ? 0 : KEPT_FOR_PROMISES;
  const mayMove = waitedMs >= moveWaitMs(state, held) && slots.left(nowMs) > keptFromMove;
  const move = late && (resize || mayMove);
  if (!resize && !move) return;
  held.amendAskedMs = nowMs;
  held.amending = true;
  if (resize && larger) shrinkCover(held, cover);
  if (move) held.amendedTo = stop;
  slots.take(nowMs, algoOrderId);
  // No document says that a venue keeps the trigger that a change leaves out.
  const moved = { [held.stopField]: stop, triggerType: "MARK_PRICE" as const };
  const change = { ...(resize ? { qty: cover } : {}), ...(move ? moved : {}) };
  out.ask({ kind: "amend-protection", positionKey: held.key, algoOrderId, change, decisionId: held.meta.decisionId });
}

/** From one change of the stop to a move of its price. Of a change of its size alone no new price is waited for. */
function moveWaitMs({ pace }: AgentState, { side, amendedTo, standingStop }: HeldPosition): number {
  if (amendedTo === null) return ASK_AGAIN_MS;
  const arrived = standingStop !== null && !saferThan(side, amendedTo, standingStop);
  // By then a push or a reading of the list has reported whether it arrived.
  return arrived ? MOVE_GAP_MS : pace.algoSweepMs + 5_000;
}

/**
 * The last check before an amendment leaves: is the order still the position's, does the new size leave nothing uncovered that was
 * covered, and is the price still clear of the new stop?
 */
export function mayAmendStop(state: AgentState, amendment: StopAmendment, nowMs: number): boolean {
  const held = state.positions.get(amendment.positionKey);
  if (!held || held.algoOrderId !== amendment.algoOrderId || isClosing(held, nowMs)) return false;
  // The position may have grown while a smaller size waited for its turn; a larger one is still a gain.
  const { qty } = amendment.change;
  if (qty && qty.lte(held.protectedQty) && qty.lt(coverOf(state, held))) return false;
  const stop = amendment.change.stopLossPrice ?? amendment.change.triggerPrice;
  if (!stop) return true;
  const price = watchedPrice(state, held, nowMs);
  return (
    price !== null &&
    clearOf(held.side, stop, price) &&
    held.standingStop !== null &&
    !saferThan(held.side, held.standingStop, stop)
  );
}
