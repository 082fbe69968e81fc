/** Makes a failing plan small: events are left out one by one for as long as it still fails in the same way. */
import { keeping, type Plan } from "./plan.ts";
import type { Violation } from "./judge.ts";
import { type Outcome, runPlan } from "./run.ts";

export interface Shrunk {
  /** Numbers of the events that are needed. */
  readonly kept: readonly number[];
  readonly outcome: Outcome;
}

/** The same invariant or check is violated. */
const alike = (outcome: Outcome, first: Violation): boolean => outcome.violations.some(({ id }) => id === first.id);

export async function shrink(plan: Plan, outcome: Outcome): Promise<Shrunk> {
  const [first] = outcome.violations;
  let kept = plan.events.map((_, at) => at);
  let last = outcome;
  if (!first) return { kept, outcome };
  for (let again = true; again;) {
    again = false;
    for (const left of [...kept].reverse()) {
      const fewer = kept.filter((at) => at !== left);
      const tried = await runPlan(keeping(plan, fewer));
      if (!alike(tried, first)) continue;
      kept = fewer;
      last = tried;
      again = true;
    }
  }
  return { kept, outcome: last };
}

/** The one command that lives through it again. */
export const replayCommand = (plan: Plan, kept: readonly number[]): string =>
  `npm run seeds -- --count 1 --from ${plan.seed} --kind ${plan.kind} --keep ${kept.length === 0 ? "none" : kept.join(",")}`;
