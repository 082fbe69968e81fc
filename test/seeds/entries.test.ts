/** Post-only entries against the whole service, by both routes: amended by one write, and every invariant holds. */
import { describe, expect, test } from "vitest";
import { drawPlan, type Plan } from "./plan.ts";
import { type Outcome, runPlan } from "./run.ts";

const CALLS = { rest: "PUT /api/v1/trading/order", "user-stream": "replace_order" } as const;

const quiet = (seed: number, route: Plan["route"]): Plan => ({
  ...drawPlan("short", seed),
  route,
  mode: "BOTH",
  strategy: "restless",
  start: "fresh",
  latencyMs: 20,
  delays: { placeMs: 0, cancelMs: 0, amendMs: 500 },
  entry: { style: "post-only", then: "cross", chases: 6, depthShare: 0.002 },
  events: [],
});

const intentsOf = ({ history }: Outcome, event: string) =>
  history.rows.filter(({ kind, body }) => kind === "intent" && body["event"] === event);

describe.each(["rest", "user-stream"] as const)("by %s", (route) => {
  test("entries chase by amending and go in slices; the verifier has nothing to say", async () => {
    const outcome = await runPlan(quiet(4, route));
    expect(outcome.violations).toEqual([]);
    const calls = (outcome.history.wire ?? []).map(({ call }) => call);
    expect(calls).toContain(CALLS[route]);
    expect(calls).not.toContain(CALLS[route === "rest" ? "user-stream" : "rest"]);
    expect(intentsOf(outcome, "amend-end").some(({ body }) => body["how"] === "amended")).toBe(true);
    expect(intentsOf(outcome, "open").some(({ body }) => body["part"] !== undefined)).toBe(true);
  });
});
