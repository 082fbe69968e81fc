/**
 * Nothing opens while a part of the agent itself is unsound: a self-test failed, the disk is nearly full, the journal
 * cannot be written. Exits and reads continue.
 */
import { isReducing } from "../exposure.ts";
import { withView } from "../scene.ts";
import { allow, deny, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "hold";

/** The check that applies to every opening. */
export function judgeHold({ holds = [] }: RiskView): Verdict {
  const [first] = holds;
  if (first === undefined) return allow({ limit, found: 0, allowed: 0, reason: "Every part is sound." });
  return deny({ limit, found: holds.length, allowed: 0, reason: `Openings are held: ${first}.` });
}

/** Denies openings while the view contains a hold, and reports the first one. */
export const hold = (): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { holds: ["a drill"] }),
  judge: (draft, view) => (isReducing(draft) ? reducing(limit) : judgeHold(view)),
});
