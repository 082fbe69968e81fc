/** The configuration that a seed's agent runs with: as shipped, but everything happens within seconds. */
import { type Config, ConfigSchema } from "../../src/config/config.ts";
import type { Plan } from "./plan.ts";

const CAPS = { maxNotionalPerOrder: "400", maxTotalNotional: "20000" } as const;

/** Near enough that a minute's moves reach them. Percent of the entry price. */
const STOPS = {
  still: {},
  "break-even": { unit: "percent", breakEven: { after: 0.12 }, minStep: 0.0001 },
  trailing: { unit: "percent", trailing: { activation: 0.03, distance: 0.2 }, minStep: 0.0001 },
} as const;

export function configOf(plan: Plan): Config {
  const { entry } = plan;
  const quick = plan.kind !== "standard";
  return ConfigSchema.parse({
    phase: plan.phase,
    venue: { kind: "embedded", embedded: { seed: plan.seed, profile: "usual" }, orderRoute: plan.route },
    universe: plan.bases,
    strategy: {
      use: plan.strategy === "restless" ? "hold" : plan.strategy,
      fallback: "hold",
      settings: {
        momentum: { horizon: "fast", entryScore: 0.3, edgeOverCost: 0, confirmation: -1, minHoldMinutes: 1 },
      },
    },
    cadence: { every: quick ? "4s" : "15s", minGap: quick ? "2s" : "5s", firstAfter: "1s" },
    session: {
      consent: `I let this agent trade on the practice venue, up to ${CAPS.maxNotionalPerOrder} USDT an order and ${CAPS.maxTotalNotional} USDT in all.`,
      ...CAPS,
    },
    risk: {
      minHolding: "1s",
      flipCooldown: "3s",
      reentryCooldown: "3s",
      ordersPerHour: 500,
      feesPerDayShare: 1,
      dailyLossStop: plan.dailyLossStop,
    },
    execution: {
      restFor: "8s",
      entry: { style: entry.style, then: entry.then, chases: entry.chases, chaseEvery: "1s" },
      slices: { depthShare: entry.depthShare, pause: "1s", minUsdt: "20" },
    },
    protection: STOPS[plan.stops],
    recorder: { enabled: false },
    learning: { review: "off" },
  });
}
