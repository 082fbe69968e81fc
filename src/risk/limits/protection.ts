/**
 * No opening without a working stop: an opening without a stop gets the default one; a stop on the wrong side, too
 * near to survive noise, too far to matter, or beyond liquidation is refused. Stops lie on the tick, rounded to the
 * tighter side. A venue may refuse triggers further than 15 % from the mark (records §6.2).
 */
import { type Decimal, ONE, roundToStep, toWire } from "../../core/decimal.ts";
import { isReducing, heldSideOf, type HeldSide } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { MARK } from "../scene.ts";
import { allow, type Denial, deny, type Limit, reducing } from "../verdict.ts";
import type { Draft, RiskView } from "../view.ts";

const limit = "protection";

/** The expected fill price: the limit, or for an order that takes at most the opposite price; otherwise the mark. */
function entryOf({ order }: Draft, view: RiskView): Decimal | null {
  const known = view.symbols.get(order.symbol);
  const facing = order.side === "BUY" ? known?.ask : known?.bid;
  const best = facing ?? known?.mark ?? null;
  if (!order.limitPrice || !best) return order.limitPrice ?? best;
  const crosses = order.side === "BUY" ? order.limitPrice.gt(best) : order.limitPrice.lt(best);
  return crosses ? best : order.limitPrice;
}

/** Distance as a fraction of `entry`; positive if `price` is on the losing side. */
const lossDistance = (positionSide: HeldSide, price: Decimal, entry: Decimal): Decimal =>
  (positionSide === "LONG" ? entry.sub(price) : price.sub(entry)).div(entry);

function defaultStop(positionSide: HeldSide, entry: Decimal, settings: RiskSettings): Decimal {
  const { defaultStopDistance } = settings;
  return entry.mul(positionSide === "LONG" ? ONE.sub(defaultStopDistance) : ONE.add(defaultStopDistance));
}

/** Adds or rounds the stop. A draft without a usable price stays unchanged, for `judge` to refuse. */
function complete(draft: Draft, view: RiskView, settings: RiskSettings): Draft {
  const tick = view.symbols.get(draft.order.symbol)?.rules?.tickSize;
  const entry = entryOf(draft, view);
  if (isReducing(draft) || !tick || !entry) return draft;
  const positionSide = heldSideOf(draft.order);
  const stop = draft.stopPrice ?? defaultStop(positionSide, entry, settings);
  const tighter = positionSide === "LONG" ? "up" : "down";
  const targetPrice =
    draft.targetPrice && roundToStep(draft.targetPrice, tick, positionSide === "LONG" ? "down" : "up");
  return { ...draft, stopPrice: roundToStep(stop, tick, tighter), targetPrice };
}

/** The liquidation price: the venue's figure for the position, otherwise the price at which the margin is used up. */
function liquidationOf(draft: Draft, view: RiskView, entry: Decimal): Decimal | null {
  const positionSide = heldSideOf(draft.order);
  const held = view.positions.find(({ symbol, side }) => symbol === draft.order.symbol && side === positionSide);
  if (held?.liquidationPrice?.gt(0)) return held.liquidationPrice;
  const leverage = view.symbols.get(draft.order.symbol)?.leverage;
  if (!leverage) return null;
  const share = ONE.div(leverage);
  return entry.mul(positionSide === "LONG" ? ONE.sub(share) : ONE.add(share));
}

function stopProblem(draft: Draft, view: RiskView, settings: RiskSettings): Denial | null {
  const entry = entryOf(draft, view);
  const stop = draft.stopPrice;
  if (!entry || !stop)
    return deny({ limit, found: "no stop", allowed: "a stop", reason: "No stop can be priced for this order." });
  const positionSide = heldSideOf(draft.order);
  const distance = lossDistance(positionSide, stop, entry);
  const { minStopDistance, maxStopDistance } = settings;
  const allowed = `${toWire(minStopDistance)} to ${toWire(maxStopDistance)}`;
  if (distance.lte(0))
    return deny({ limit, found: distance, allowed, reason: "The stop is on the winning side of the entry." });
  if (distance.lt(minStopDistance))
    return deny({ limit, found: distance, allowed, reason: "The stop is too near the entry." });
  if (distance.gt(maxStopDistance))
    return deny({ limit, found: distance, allowed, reason: "The stop is too far from the entry." });
  const liquidation = liquidationOf(draft, view, entry);
  if (liquidation && lossDistance(positionSide, liquidation, entry).lte(distance)) {
    return deny({
      limit,
      found: stop,
      allowed: `before ${toWire(liquidation)}`,
      reason: "The stop lies beyond liquidation.",
    });
  }
  return targetProblem(draft, positionSide, entry);
}

function targetProblem({ targetPrice }: Draft, positionSide: HeldSide, entry: Decimal): Denial | null {
  if (targetPrice?.lte(0))
    return deny({ limit, found: targetPrice, allowed: "above 0", reason: "The target is not a valid price." });
  if (!targetPrice || lossDistance(positionSide, targetPrice, entry).lt(0)) return null;
  const allowed = `${positionSide === "LONG" ? "above" : "below"} ${toWire(entry)}`;
  return deny({ limit, found: targetPrice, allowed, reason: "The target is on the losing side of the entry." });
}

/** Adds the default stop to an opening without one and puts stop and target on the tick; denies and never shrinks. */
export const protection = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: ({ draft, view }) => ({ view, draft: { ...draft, stopPrice: MARK.mul(2) } }),
  complete: (draft, view) => complete(draft, view, settings),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const found = draft.stopPrice ?? "none";
    return (
      stopProblem(draft, view, settings) ??
      allow({
        limit,
        found,
        allowed: `within ${toWire(settings.maxStopDistance)}`,
        reason: "The opening carries a stop that can work.",
      })
    );
  },
});
