/**
 * The floor as a sizing rule: if every coin moved against us by its insured gap at once, equity would still be
 * above the floor plus the buffer. Exposure therefore shrinks as equity falls. Spec: 3 §8 (800 USDT).
 */
import { type Decimal, maxDecimal, minDecimal, ZERO } from "../../core/decimal.ts";
import { exposureOf, heldSideOf, isReducing, residualOf, unhedgedUsdt, valueOf } from "../exposure.ts";
import { gapFor, type RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { deny, fitInto, type Limit, reducing } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "cushion";

/** The loss that the insured gap may cause: equity above floor and buffer. */
export const cushionUsdt = (view: RiskView, settings: RiskSettings): Decimal =>
  view.equityUsdt.sub(view.floorUsdt).sub(settings.bufferUsdt);

/**
 * The part of the cushion that openings may use and that a trim restores; the spared rest keeps the first adverse
 * tick from causing a trade. At least half of a small cushion is usable: else an account a few USDT above the buffer
 * could never trade again.
 */
export function usableCushionUsdt(view: RiskView, settings: RiskSettings): Decimal {
  const whole = cushionUsdt(view, settings);
  return maxDecimal(whole.sub(settings.openingSpareUsdt), whole.gt(0) ? whole.div(2) : whole);
}

/**
 * Further exposure that the cushion allows in a symbol with this gap, USDT; never below zero. `hedging`: so much of it would
 * only be the other side of what is at stake already.
 */
export function cushionRoom(view: RiskView, settings: RiskSettings, gap: Decimal, hedging: Decimal = ZERO): Decimal {
  const left = maxDecimal(ZERO, usableCushionUsdt(view, settings).sub(exposureOf(view, settings).lossAtGapUsdt));
  if (hedging.isZero()) return left.div(gap.add(settings.exitCost));
  const costHedging = residualOf(settings, gap).add(settings.exitCost);
  const hedge = minDecimal(hedging, left.div(costHedging));
  return hedge.add(left.sub(hedge.mul(costHedging)).div(gap.add(settings.exitCost)));
}

/** Shrinks to what the usable cushion allows; denies if any exposure cannot be valued. */
export const cushion = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { equityUsdt: scene.view.floorUsdt }),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const allowed = usableCushionUsdt(view, settings);
    const after = exposureOf(view, settings, draft);
    const valued = valueOf(draft, view, settings);
    if (!valued || after.unvalued.length > 0) {
      const found = after.unvalued.join(", ") || draft.order.symbol;
      return deny({ limit, found, allowed, reason: "What is at stake cannot be valued." });
    }
    const found = after.lossAtGapUsdt;
    const reason = "Loss in the insured gap against equity above floor and buffer.";
    const fits = found.lte(allowed);
    const { symbol } = draft.order;
    const hedging = unhedgedUsdt(exposureOf(view, settings), { symbol, leg: heldSideOf(draft.order) });
    const roomUsdt = fits ? valued.notionalUsdt : cushionRoom(view, settings, gapFor(settings, symbol), hedging);
    return fitInto({ limit, draft, ...valued, roomUsdt, found, allowed, reason });
  },
});
