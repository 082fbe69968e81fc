/** A newcomer's strategy, as docs/STRATEGIES.md says to write one: it lies in no folder of the program. */
import { z } from "zod";
import type { Snapshot } from "../../../src/context/snapshot.ts";
import { ema } from "../../../src/strategy/indicators.ts";
import { defineStrategy, type TargetPosition } from "../../../src/strategy/strategy.ts";
import { HOURS, type Hours } from "./helpers/hours.ts";

const settings = z.strictObject({
  size: z.number().min(0).max(1).default(0.3).describe("Size of every position, 0 to 1."),
});
type Settings = z.infer<typeof settings>;

const targets = (snapshot: Snapshot, { size }: Settings, hours: Hours): readonly TargetPosition[] => {
  const [first] = snapshot.symbols;
  const hour = new Date(snapshot.atMs).getUTCHours();
  if (!first || hour < hours.from || hour >= hours.to) return [];
  return [
    {
      symbol: first.symbol,
      leg: "LONG",
      size,
      stopDistance: 0.02,
      targetDistance: null,
      urgency: "rest",
      reason: `an idea "from" outside, mean ${String(ema([1, 2, 3], 2))}`,
      evidence: ["price"],
    },
  ];
};

export default defineStrategy<Settings>({
  name: "quiet-hours",
  description: "Holds the leader during some hours of the day.",
  settings,
  needsModel: false,
  decide: (snapshot, given) => ({ kind: "targets", targets: targets(snapshot, given, HOURS), note: "quiet hours" }),
});
