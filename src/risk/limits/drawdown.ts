/** The daily loss stop: what was lost since the UTC day began, as a share of what it began with. */
import { ONE } from "../../core/decimal.ts";
import { isReducing } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { judged, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "drawdown";

/** The part that holds for every opening alike. An unknown day start counts as a whole loss. */
export function judgeDrawdown(view: RiskView, settings: RiskSettings): Verdict {
  const { equityUsdt, equityDayStartUsdt } = view;
  const lost = equityDayStartUsdt.gt(0) ? equityDayStartUsdt.sub(equityUsdt).div(equityDayStartUsdt) : ONE;
  const passes = lost.lt(settings.dailyLossStop);
  const reason = passes
    ? "The day's loss is within its stop."
    : "The day's loss stop is reached: no openings until the loss is within it again, or the UTC day ends.";
  return judged(passes, { limit, found: lost, allowed: settings.dailyLossStop, reason });
}

/** Denies openings while the day's loss is at its stop or beyond; allows them again where equity recovers. */
export const drawdown = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { equityUsdt: scene.view.equityDayStartUsdt.mul(ONE.sub(settings.dailyLossStop)) }),
  judge: (draft, view) => (isReducing(draft) ? reducing(limit) : judgeDrawdown(view, settings)),
});
