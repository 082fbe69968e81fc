/** Which calls a fault keeps from being served, for the venue's own record: deadlines count only while others could be. */
import type { CallKind, Reach, RestPlan } from "./hooks.ts";
import type { RestMatch } from "./match.ts";

/** A write is served once the venue has acted, a read once its whole and true answer is on its way. */
export function serves(plan: RestPlan, method: string): boolean {
  if (plan.dropBeforeApply || plan.answerInstead) return false;
  return method !== "GET" || !(plan.dropAfterApply || plan.stall || plan.spoils);
}

/** The reach of a fault that gives all the calls that it strikes one plan. */
export function reachOf(match: RestMatch, plan: RestPlan, { method, path }: CallKind): Reach | null {
  if (match.share === 0 || !match.methods.includes(method) || !path.includes(match.path)) return null;
  if (!serves(plan, method)) return match.share === 1 ? "every" : "some";
  return (plan.delayBeforeMs ?? 0) + (plan.delayAfterMs ?? 0) > 0 ? "some" : null;
}
