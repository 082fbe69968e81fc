/**
 * Against trading for its own sake: orders per hour, fees per day, and flip-flops. A leg is not opened again shortly
 * after its close, nor its opposite, and never beside its opposite: a reversal is close, wait, open.
 */
import { ONE } from "../../core/decimal.ts";
import { isReducing, legOf, type Leg } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { allow, type Denial, deny, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { Draft, RiskView } from "../view.ts";

const limit = "pace";

/** The part that holds for every opening alike. */
export function judgePace(view: RiskView, settings: RiskSettings): Verdict {
  if (view.ordersLastHour >= settings.ordersPerHour) {
    const reason = "As many openings as an hour may have.";
    return deny({ limit, found: view.ordersLastHour, allowed: `under ${settings.ordersPerHour}`, reason });
  }
  const fees = view.equityDayStartUsdt.gt(0) ? view.feesTodayUsdt.div(view.equityDayStartUsdt) : ONE;
  if (fees.gte(settings.feesPerDayShare)) {
    return deny({
      limit,
      found: fees,
      allowed: settings.feesPerDayShare,
      reason: "The day's fees have reached their share.",
    });
  }
  const reason = "Orders and fees are within their pace.";
  return allow({ limit, found: view.ordersLastHour, allowed: settings.ordersPerHour, reason });
}

const opposite = (leg: Leg): Leg => (leg === "LONG" ? "SHORT" : "LONG");

function besideOpposite(symbol: string, leg: Leg, view: RiskView): Denial | null {
  const other = view.positions.find((position) => position.symbol === symbol && position.side === opposite(leg));
  if (!other || other.qty.lte(0)) return null;
  const allowed = `no ${opposite(leg)} held`;
  return deny({ limit, found: other.qty, allowed, reason: "The opposite leg is held: close it first, open later." });
}

function cooling(symbol: string, leg: Leg, view: RiskView, settings: RiskSettings): Denial | null {
  for (const closed of view.recentCloses ?? []) {
    if (closed.symbol !== symbol) continue;
    const waitMs = closed.leg === leg ? settings.reentryCooldownMs : settings.flipCooldownMs;
    const agoMs = view.nowMs - closed.atMs;
    if (agoMs >= waitMs) continue;
    const held = view.positions.some((position) => position.symbol === symbol && position.side === leg);
    if (held) continue;
    return deny({
      limit,
      found: `${agoMs} ms`,
      allowed: `${waitMs} ms`,
      reason: `The ${closed.leg} leg was closed a short while ago.`,
    });
  }
  return null;
}

/** Denies openings and never shrinks. Adding to a leg that is held waits for no cooldown. */
export const pace = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { ordersLastHour: settings.ordersPerHour }),
  judge: (draft: Draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const { symbol } = draft.order;
    const leg = legOf(draft.order);
    return besideOpposite(symbol, leg, view) ?? cooling(symbol, leg, view, settings) ?? judgePace(view, settings);
  },
});

/**
 * Whether a position may be closed by a mere change of mind. Stops, limits and the floor ladder never ask: a reducing
 * order is not held up by any limit. For the planner of wishes.
 */
export const heldLongEnough = (openedAtMs: number, nowMs: number, settings: RiskSettings): boolean =>
  nowMs - openedAtMs >= settings.minHoldingMs;
