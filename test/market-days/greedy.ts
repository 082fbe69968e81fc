/** The worst trader that the limits can be given: it always wants as much as it may have, on the side that will lose. */
import { z } from "zod";
import type { Strategies } from "../../src/agent/contract/events.ts";
import type { Entropy } from "../../src/core/entropy.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";

export interface Greedy {
  readonly strategies: Strategies;
  /** From now on it is wrong this way about everything; null makes it want nothing. */
  lean(positionSide: "LONG" | "SHORT" | null): void;
}

const OTHER = { LONG: "SHORT", SHORT: "LONG" } as const;

/** From stops that noise takes to stops that every insured gap jumps over. */
const STOPS = [0.004, 0.02, 0.06, 0.12] as const;

/** `turned`: the symbols in which it wants the other side. `largest`: the size that it calls whole. */
export function greedy(
  entropy: Entropy,
  { turned, largest }: { readonly turned: (symbol: string) => boolean; readonly largest: number },
): Greedy {
  let leaning: "LONG" | "SHORT" | null = "LONG";
  const targetFor = (symbol: string, positionSide: "LONG" | "SHORT"): TargetPosition => ({
    symbol,
    leg: positionSide,
    size: largest * (entropy.chance("greedy:whole", 0.95) ? 1 : 0.3 + 0.7 * entropy.next("greedy:size")),
    stopDistance: STOPS[entropy.int("greedy:stop", 0, STOPS.length)] ?? 0.12,
    targetDistance: entropy.chance("greedy:target", 0.2) ? 0.03 : null,
    urgency: entropy.chance("greedy:rest", 0.2) ? "rest" : "take",
    reason: "greed",
    evidence: [],
  });
  const strategy = defineStrategy({
    name: "greedy",
    description: "Wants everything, the wrong way.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: ({ symbols }) => {
      const positionSide = leaning;
      return {
        kind: "targets",
        targets: positionSide
          ? symbols.map(({ symbol }) => targetFor(symbol, turned(symbol) ? OTHER[positionSide] : positionSide))
          : [],
        note: "greed",
      };
    },
  });
  const still = defineStrategy({
    name: "still",
    description: "Asks for no position.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: () => ({ kind: "targets", targets: [], note: "still" }),
  });
  return {
    strategies: { chosen: { strategy, settings: {} }, fallback: { strategy: still, settings: {} }, shadows: [] },
    lean: (positionSide) => {
      leaning = positionSide;
    },
  };
}
