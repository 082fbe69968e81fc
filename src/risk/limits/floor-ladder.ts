/** The state of the floor ladder: openings as usual, at half size in WARN (see per-order-notional), or none. */
import { isReducing } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { judged, type Limit, reducing, type Verdict } from "../verdict.ts";
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

/** Denies openings from HOLD on, and in WARN if `warnOrderShare` is 0. Never shrinks. */
export const floorLadder = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { floorState: "HOLD" }),
  judge: (draft, view) => (isReducing(draft) ? reducing(limit) : judgeFloor(view, settings)),
});
