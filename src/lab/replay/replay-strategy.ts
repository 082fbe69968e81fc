/** A strategy that repeats recorded decisions at their instants. It reads no market data and asks no model. */
import { z } from "zod";
import type { Strategies } from "../../agent/contract/events.ts";
import { defineStrategy, type TargetPosition } from "../../strategy/strategy.ts";
import type { RecordedDecision } from "./recorded-run.ts";

/** How a variation changes a recorded target. */
export type TargetChange = (target: TargetPosition) => TargetPosition;

/**
 * For one run: each decision is repeated once, at the first tick at or after its instant. If several fall between two
 * ticks, the last target for a position counts.
 */
export function replayStrategies(decisions: readonly RecordedDecision[], change: TargetChange): Strategies {
  let next = 0;
  const strategy = defineStrategy({
    name: "replay",
    description: "Repeats recorded decisions at their instants.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: ({ atMs }) => {
      const due = new Map<string, TargetPosition>();
      for (; (decisions[next]?.atMs ?? Infinity) <= atMs; next++)
        for (const target of decisions[next]?.targets ?? []) due.set(`${target.symbol}|${target.leg}`, change(target));
      return {
        kind: "targets",
        targets: [...due.values()],
        note: due.size > 0 ? "as recorded" : "nothing was decided",
      };
    },
  });
  const armed = { strategy, settings: {}, msMax: Infinity };
  return { chosen: armed, fallback: armed };
}
