/** A strategy that never leaves well alone: at every decision it draws what it wants. It makes all other parts work. */
import { seededEntropy } from "../../src/core/entropy.ts";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { defineStrategy, type Strategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import { z } from "zod";

export interface Restless {
  readonly strategies: Strategies;
  /** From now on it wants nothing. */
  rest(): void;
}

/** The same strategies, which want nothing and ask nobody once they are reported to rest. */
export function restful(strategies: Strategies): Restless {
  let resting = false;
  const { strategy, settings } = strategies.chosen;
  const still = { kind: "targets", targets: [], note: "resting" } as const;
  const { interpret } = strategy;
  const calmed: Strategy = {
    ...strategy,
    decide: (...given) => (resting ? still : strategy.decide(...given)),
    ...(interpret ? { interpret: (...given) => (resting ? still : interpret(...given)) } : {}),
  };
  return {
    strategies: { ...strategies, chosen: { strategy: calmed, settings } },
    rest: () => {
      resting = true;
    },
  };
}

export function restless(seed: string): Restless {
  const entropy = seededEntropy(`restless:${seed}`);
  let resting = false;
  const targetFor = (symbol: string): TargetPosition => {
    const take = entropy.chance("wish:take", 0.6);
    return {
      symbol,
      leg: entropy.chance("wish:leg", 0.5) ? "LONG" : "SHORT",
      size: entropy.chance("wish:flat", 0.25) ? 0 : 0.2 + 0.8 * entropy.next("wish:size"),
      stopDistance: [0.004, 0.01, 0.03, 0.08][entropy.int("wish:stop", 0, 4)] ?? 0.03,
      targetDistance: entropy.chance("wish:target", 0.5) ? 0.01 + 0.03 * entropy.next("wish:target") : null,
      urgency: take ? "take" : "rest",
      reason: "restless",
      evidence: [],
    };
  };
  const strategy = defineStrategy({
    name: "restless",
    description: "Draws what it wants.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: (snapshot) => {
      if (resting) return { kind: "targets", targets: [], note: "resting" };
      const wanted = snapshot.symbols.filter(() => entropy.chance("wish:symbol", 0.6));
      return { kind: "targets", targets: wanted.map(({ symbol }) => targetFor(symbol)), note: "restless" };
    },
  });
  const calm = defineStrategy({
    name: "hold",
    description: "Asks for no position.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: () => ({ kind: "targets", targets: [], note: "hold" }),
  });
  return {
    strategies: { chosen: { strategy, settings: {} }, fallback: { strategy: calm, settings: {} }, shadows: [] },
    rest: () => {
      resting = true;
    },
  };
}
