/**
 * The state of the floor ladder: openings as usual, at half size in WARN (see per-order-notional), up to a small
 * allowance in WARN below `holdUsdt`, or none.
 */
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import { exposureOf, isReducing, valueOf } from "../exposure.ts";
import { allowanceUsdt } from "../floor.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { deny, fitInto, judged, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "floor-ladder";

/** The check that applies to every opening. */
export function judgeFloor(view: RiskView, settings: RiskSettings): Verdict {
  const warned = view.floorState === "WARN" && settings.warnOrderShare.gt(0);
  const passes = view.floorState === "NORMAL" || warned;
  const reason = passes
    ? `Equity allows openings${warned ? " of reduced size" : ""}.`
    : `In mode ${view.floorState} orders may only reduce risk; nothing is opened.`;
  return judged(passes, { limit, found: view.floorState, allowed: warned ? "WARN" : "NORMAL", reason });
}

/** What is left of the allowance below `holdUsdt`, USDT; null above it, where the other limits are enough. */
export function allowanceRoom(view: RiskView, settings: RiskSettings): Decimal | null {
  if (view.floorState !== "WARN" || view.equityUsdt.gte(settings.holdUsdt)) return null;
  return maxDecimal(ZERO, allowanceUsdt(view.equityUsdt, settings).sub(exposureOf(view, settings).grossUsdt));
}

/**
 * Denies openings from HOLD on, and in WARN if `warnOrderShare` is 0; below `holdUsdt` shrinks to the allowance, and
 * denies what cannot be valued.
 */
export const floorLadder = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { floorState: "HOLD" }),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const verdict = judgeFloor(view, settings);
    const roomUsdt = allowanceRoom(view, settings);
    if (verdict.kind === "deny" || roomUsdt === null) return verdict;
    const allowed = allowanceUsdt(view.equityUsdt, settings);
    const valued = valueOf(draft, view, settings);
    const after = exposureOf(view, settings, draft);
    if (!valued || after.unvalued.length > 0) {
      const found = after.unvalued.join(", ") || draft.order.symbol;
      return deny({ limit, found, allowed, reason: "What is at stake cannot be valued." });
    }
    const reason = "Exposure against the allowance of an account below holdUsdt.";
    return fitInto({ limit, draft, ...valued, roomUsdt, found: after.grossUsdt, allowed, reason });
  },
});
