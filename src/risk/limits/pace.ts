/**
 * Limits overtrading: orders per hour, fees per day, and reversals. A position is not reopened shortly after its
 * close, nor its opposite, and never opened beside its opposite: a reversal is close, wait, open.
 */
import { ONE } from "../../core/decimal.ts";
import { HOUR_MS } from "../../core/time.ts";
import { isReducing, heldSideOf, type HeldSide } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { type Scene, withView } from "../scene.ts";
import { allow, type Denial, deny, type Limit, reducing, type Verdict } from "../verdict.ts";
import { type Draft, openingsWithin, type RecentOpening, type RiskView } from "../view.ts";

const limit = "pace";

/** The check that applies to every opening. */
export function judgePace(view: RiskView, settings: RiskSettings): Verdict {
  const openings = openingsWithin(view, HOUR_MS);
  if (openings >= settings.ordersPerHour) {
    const reason = "As many openings as an hour may have.";
    return deny({ limit, found: openings, allowed: `under ${settings.ordersPerHour}`, reason });
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
  return allow({ limit, found: openings, allowed: settings.ordersPerHour, reason });
}

const opposite = (positionSide: HeldSide): HeldSide => (positionSide === "LONG" ? "SHORT" : "LONG");

function besideOpposite(symbol: string, positionSide: HeldSide, view: RiskView): Denial | null {
  const other = view.positions.find(
    (position) => position.symbol === symbol && position.side === opposite(positionSide),
  );
  if (!other || other.qty.lte(0)) return null;
  const allowed = `no ${opposite(positionSide)} held`;
  return deny({
    limit,
    found: other.qty,
    allowed,
    reason: "The opposite position is held: close it first, open later.",
  });
}

function cooling(symbol: string, positionSide: HeldSide, view: RiskView, settings: RiskSettings): Denial | null {
  for (const closed of view.recentCloses ?? []) {
    if (closed.symbol !== symbol) continue;
    const waitMs = closed.leg === positionSide ? settings.reentryCooldown : settings.flipCooldown;
    const agoMs = view.nowMs - closed.atMs;
    if (agoMs >= waitMs) continue;
    const held = view.positions.some((position) => position.symbol === symbol && position.side === positionSide);
    if (held) continue;
    return deny({
      limit,
      found: `${agoMs} ms`,
      allowed: `${waitMs} ms`,
      reason: `The ${closed.leg} position was closed a short while ago.`,
    });
  }
  return null;
}

const justOpened = ({ view: { nowMs, universe } }: Scene, count: number): readonly RecentOpening[] =>
  Array.from({ length: count }, () => ({ symbol: universe[0] ?? "", side: "LONG", atMs: nowMs }));

/** Denies openings and never shrinks. Adding to an open position waits for no cooldown. */
export const pace = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { recentOpenings: justOpened(scene, settings.ordersPerHour) }),
  judge: (draft: Draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const { symbol } = draft.order;
    const positionSide = heldSideOf(draft.order);
    return (
      besideOpposite(symbol, positionSide, view) ??
      cooling(symbol, positionSide, view, settings) ??
      judgePace(view, settings)
    );
  },
});

/**
 * Whether a strategy that changed its mind may close a position. Stops, limits and the floor ladder do not ask: no
 * limit delays a reducing order. For the planner of targets.
 */
export const heldLongEnough = (openedAtMs: number, nowMs: number, settings: RiskSettings): boolean =>
  nowMs - openedAtMs >= settings.minHolding;
