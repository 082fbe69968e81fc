/** The variations that every counterfactual shows, and those that the caller names. */
import type { TargetPosition } from "../../strategy/strategy.ts";
import type { Variation } from "../sweep/variation.ts";
import type { Alternative } from "./counterfactual.ts";

const same = (target: TargetPosition): TargetPosition => target;

const scaledStop =
  (by: number) =>
  (target: TargetPosition): TargetPosition => ({
    ...target,
    stopDistance: target.stopDistance * by,
  });
const scaledSize =
  (by: number) =>
  (target: TargetPosition): TargetPosition => ({ ...target, size: target.size * by });

/** Half and double, because a journal covers too little time to tell smaller changes from luck. */
const COMMON: readonly Alternative[] = [
  { name: "half the stop distance", change: scaledStop(0.5), settings: {} },
  { name: "double the stop distance", change: scaledStop(2), settings: {} },
  { name: "half the size", change: scaledSize(0.5), settings: {} },
  { name: "double the size", change: scaledSize(2), settings: {} },
  { name: "no profit targets", change: (target) => ({ ...target, targetDistance: null }), settings: {} },
  { name: "entries cross", change: same, settings: { "execution.entry.style": "cross" } },
  { name: "entries rest", change: same, settings: { "execution.entry.style": "post-only" } },
  {
    name: "no pause after a close",
    change: same,
    settings: { "risk.minHolding": "0s", "risk.flipCooldown": "0s", "risk.reentryCooldown": "0s" },
  },
];

/** Each value of a named setting is an alternative of its own. Combinations would make a lucky result more likely. */
export const alternativesOf = (variations: readonly Variation[]): readonly Alternative[] => [
  ...COMMON,
  ...variations.flatMap(({ path, values }) =>
    values.map((value) => ({ name: `${path}=${String(value)}`, change: same, settings: { [path]: value } })),
  ),
];
