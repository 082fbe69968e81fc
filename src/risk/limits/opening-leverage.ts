/**
 * Both readings of "opening leverage" are bounded: the venue's leverage setting of the symbol, which must have been
 * read back, and gross exposure over equity with every live order filled. Spec: 3 §8 (2x in Phase I, 5x in Phase II).
 */
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import { OPENING_LEVERAGE_MAX } from "../../domain/competition.ts";
import { exposureOf, isReducing, valueOf } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withSymbol } from "../scene.ts";
import { type Denial, deny, fitInto, type Limit, reducing } from "../verdict.ts";
import type { Draft, RiskView } from "../view.ts";

const limit = "opening-leverage";

/** Allowed gross exposure over equity: the phase's cap with a margin for moves between review and fill. */
export const leverageCap = (view: RiskView, settings: RiskSettings): Decimal =>
  settings.leverageSafety.mul(OPENING_LEVERAGE_MAX[view.phase]);

/** Remaining exposure up to the cap, USDT. */
export const leverageRoom = (view: RiskView, settings: RiskSettings): Decimal =>
  maxDecimal(view.equityUsdt, ZERO).mul(leverageCap(view, settings)).sub(exposureOf(view, settings).grossUsdt);

function settingProblem(draft: Draft, view: RiskView): Denial | null {
  const setting = view.symbols.get(draft.order.symbol)?.leverage ?? null;
  const max = OPENING_LEVERAGE_MAX[view.phase];
  if (setting === null) {
    return deny({
      limit,
      found: "not read",
      allowed: max,
      reason: "The symbol's leverage setting has not been read back.",
    });
  }
  if (setting <= max) return null;
  return deny({
    limit,
    found: setting,
    allowed: max,
    reason: "The symbol's leverage setting is above the phase's cap.",
  });
}

/** Denies if the setting is unread or above the cap, or without equity; shrinks to the remainder of the gross cap. */
export const openingLeverage = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withSymbol(scene, { leverage: 125 }),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const problem = settingProblem(draft, view);
    if (problem) return problem;
    const allowed = leverageCap(view, settings);
    const after = exposureOf(view, settings, draft);
    const valued = valueOf(draft, view, settings);
    if (!valued || after.unvalued.length > 0 || view.equityUsdt.lte(0)) {
      const found = after.unvalued.join(", ") || "no equity";
      return deny({ limit, found, allowed, reason: "Exposure over equity cannot be computed." });
    }
    const found = after.grossUsdt.div(view.equityUsdt);
    const reason = "Gross exposure over equity with everything filled.";
    return fitInto({ limit, draft, ...valued, roomUsdt: leverageRoom(view, settings), found, allowed, reason });
  },
});
