/** Requests that an intermediary repeats, after the venue's rate limit has let go of the first: the whole agent at the whole service. */
import { describe, expect, test } from "vitest";
import { drawPlan, type PlanEvent, type Plan } from "./plan.ts";
import { runPlan } from "./run.ts";

/** The venue takes one new order in this time: what comes again sooner is refused for its rate. */
const WINDOW_MS = 5_000;

const repeats = (afterMs: number): PlanEvent => ({
  ...{ what: "fault", name: "duplicate-delivery", atMs: 3_000, forMs: 30_000 },
  params: { path: "/trading/order", methods: ["POST"], share: 1, afterMs },
});

const plan = (policy: Plan["policy"], afterMs: number): Plan => ({
  ...drawPlan("short", 4),
  ...{ route: "rest", mode: "BOTH", strategy: "restless", start: "fresh", latencyMs: 20, stops: "still" },
  ...{ policy, delays: { placeMs: 0, cancelMs: 0, amendMs: 0 }, unrestMs: 25_000, events: [repeats(afterMs)] },
  ...{ resumes: false, entry: { style: "as-wished", then: "give-up", chases: 3, depthShare: 0 } },
});

describe("a request that comes again seconds later", () => {
  test.each([
    ["refuse-always", 2_000],
    ["refuse-while-open", 2_000],
    ["refuse-while-open", 6_000],
    ["accept", 500],
    ["accept", 6_000],
    ["accept", 8_000],
  ] as const)(
    "keeps every invariant under %s, where the second comes after %i ms",
    { timeout: 240_000 },
    async (policy, afterMs) => {
      const { history, violations } = await runPlan(plan(policy, afterMs));
      expect(violations).toEqual([]);
      const ids = new Map<string, Set<string>>();
      for (const fact of history.venue ?? []) {
        if (fact.fact !== "order") continue;
        const { clientOrderId, orderId } = fact.order;
        ids.set(clientOrderId, (ids.get(clientOrderId) ?? new Set<string>()).add(orderId));
      }
      const doubled = [...ids.values()].filter((orders) => orders.size > 1);
      const halted = history.rows.some(({ kind, body }) => kind === "floor" && body["to"] === "HALT");
      if (policy === "accept" && afterMs > WINDOW_MS) expect(doubled.length).toBeGreaterThan(0);
      if (policy === "refuse-always") expect(doubled).toEqual([]);
      expect(halted).toBe(doubled.length > 0);
    },
  );
});
