/**
 * A strategy that plays a script: its n-th decision takes the n-th step, later ones the last. Each run starts the
 * script again, so that the targets from before a crash are requested again after it.
 */
import { z } from "zod";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";

const target = z.strictObject({
  symbol: z.string(),
  leg: z.enum(["LONG", "SHORT"]),
  size: z.number(),
  stop: z.number().default(0.03),
  target: z.number().nullable().default(null),
  urgency: z.enum(["take", "rest"]).default("take"),
});

export const Script = z.strictObject({ steps: z.array(z.array(target)).default([]) });
type Script = z.output<typeof Script>;

export const targetsOf = ({ steps }: Script, decision: number): readonly TargetPosition[] =>
  (steps[Math.min(decision, steps.length) - 1] ?? []).map(({ stop, target, ...wanted }) => ({
    ...wanted,
    stopDistance: stop,
    targetDistance: target,
    reason: "the script says so",
    evidence: [],
  }));

/** The story waits this many decisions until openings are allowed; in a halted run they never are. */
const WAITS = 3;

let decisions = 0;
let waited = 0;

export default defineStrategy<Script>({
  name: "scripted",
  description: "Plays a script.",
  settings: Script,
  needsModel: false,
  decide: ({ headroom }, script) => {
    if (decisions === 0 && !headroom.mayOpen && ++waited <= WAITS)
      return { kind: "targets", targets: [], note: "not yet" };
    decisions += 1;
    return { kind: "targets", targets: targetsOf(script, decisions), note: `step ${decisions}` };
  },
});
