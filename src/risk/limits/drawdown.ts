/** The daily loss stop: the loss since the UTC day began, as a share of the equity at its start. */
import { ONE } from "../../core/decimal.ts";
import { isReducing } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { judged, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "drawdown";

/** The check that applies to every opening. An unknown equity at the day's start counts as a total loss. */
export function judgeDrawdown(view: RiskView, settings: RiskSettings): Verdict {
  const { equityUsdt, equityDayStartUsdt } = view;
  const lost = equityDayStartUsdt.gt(0) ? equityDayStartUsdt.sub(equityUsdt).div(equityDayStartUsdt) : ONE;
  const passes = lost.lt(settings.dailyLossStop);
  const reason = passes
    ? "The day's loss is within its stop."
    : "The day's loss stop is reached: no openings until the loss is within it again, or the UTC day ends.";
  return judged(passes, { limit, found: lost, allowed: settings.dailyLossStop, reason });
}

/** Denies openings while the day's loss is at or beyond its stop; allows them again when equity recovers. */
export const drawdown = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { equityUsdt: scene.view.equityDayStartUsdt.mul(ONE.sub(settings.dailyLossStop)) }),
  judge: (draft, view) => (isReducing(draft) ? reducing(limit) : judgeDrawdown(view, settings)),
});
