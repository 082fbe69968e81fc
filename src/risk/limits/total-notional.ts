/**
 * What the session has used, plus every intent not yet submitted and this order, must stay within the session's
 * total.
 */
import { type Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { isReducing, valueOf } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { loaded, SYMBOL } from "../scene.ts";
import { deny, fitInto, type Limit, reducing } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "total-notional";

/**
 * The amount used. Orders in flight may already be in the session's figure; they are counted again on purpose,
 * because for a moment this is unknown and the error is on the safe side.
 */
const used = (view: RiskView): Decimal =>
  (view.session?.usedNotional ?? ZERO).add(sumDecimals(view.inFlight.map((flight) => flight.notionalUsdt)));

/** The amount that may still be opened under this session; zero without one. */
export const totalRoom = (view: RiskView): Decimal =>
  view.session ? view.session.maxTotalNotional.sub(used(view)) : ZERO;

/** Shrinks to the session's remainder; denies without a session or a price. */
export const totalNotional = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => loaded(scene, SYMBOL, scene.view.session?.maxTotalNotional ?? ZERO),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const valued = valueOf(draft, view, settings);
    if (!view.session || !valued) {
      const found = valued ? "no session" : "no price";
      return deny({ limit, found, allowed: ZERO, reason: "Without a session and a price nothing can be counted." });
    }
    const found = used(view).add(valued.notionalUsdt);
    const reason = "Everything opened under this session, with what is in flight.";
    const allowed = view.session.maxTotalNotional;
    return fitInto({ limit, draft, ...valued, roomUsdt: totalRoom(view), found, allowed, reason });
  },
});
