/** The value of one order: at most the session's cap and a share of equity, less while the floor ladder warns. */
import { dec, type Decimal, minDecimal, ONE } from "../../core/decimal.ts";
import { isReducing, valueOf } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withQty } from "../scene.ts";
import { deny, fitInto, type Limit, reducing } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "per-order-notional";

/** The largest value of one opening order now. */
export function perOrderRoom(view: RiskView, settings: RiskSettings): Decimal {
  const warned = view.floorState === "WARN" ? settings.warnOrderShare : ONE;
  const ofEquity = view.equityUsdt.mul(settings.perOrderEquityShare).mul(warned);
  return view.session ? minDecimal(ofEquity, view.session.maxNotionalPerOrder) : ofEquity;
}

/** Shrinks to `perOrderRoom`; denies where the order cannot be valued or too little fits. */
export const perOrderNotional = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withQty(scene, dec("1")),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const valued = valueOf(draft, view, settings);
    const room = perOrderRoom(view, settings);
    if (!valued) return deny({ limit, found: "no price", allowed: room, reason: "The order cannot be valued." });
    const reason = "Value of one order against the session's cap and a share of equity.";
    return fitInto({ limit, draft, ...valued, roomUsdt: room, found: valued.notionalUsdt, allowed: room, reason });
  },
});
