/**
 * The floor as a rule of size: if every symbol moved against us by its insured gap at once, equity would still stand
 * above the floor and the buffer. Exposure therefore shrinks by itself as equity falls. Spec: 3 §8 (800 USDT).
 */
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import { exposureOf, gapIn, isReducing, valueOf } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { deny, fitInto, type Limit, reducing } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "cushion";

/** What may be lost in the insured gap: equity above floor and buffer. */
export const cushionUsdt = (view: RiskView, settings: RiskSettings): Decimal =>
  view.equityUsdt.sub(view.floorUsdt).sub(settings.bufferUsdt);

/**
 * The cushion that openings may use up, and that a trim restores: what is spared besides keeps the first adverse tick from
 * trading.
 */
export const usableCushionUsdt = (view: RiskView, settings: RiskSettings): Decimal =>
  cushionUsdt(view, settings).sub(settings.openingSpareUsdt);

/** Further exposure that the cushion bears in a symbol with this gap, USDT; never below zero. */
export function cushionRoom(view: RiskView, settings: RiskSettings, gap: Decimal): Decimal {
  const left = usableCushionUsdt(view, settings).sub(exposureOf(view, settings).lossAtGapUsdt);
  return maxDecimal(ZERO, left).div(gap.add(settings.exitCost));
}

/** Shrinks to what the usable cushion bears; denies where anything at stake cannot be valued. */
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
    const roomUsdt = fits
      ? valued.notionalUsdt
      : cushionRoom(view, settings, gapIn(view, settings, draft.order.symbol));
    return fitInto({ limit, draft, ...valued, roomUsdt, found, allowed, reason });
  },
});
