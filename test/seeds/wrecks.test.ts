/**
 * Events that seeds draw seldom, each once for certain: an exception in every class of callback, a journal's log that
 * is cut or has a bit turned over, a disk that takes seconds. And the menu leaves out no fault of the service.
 */
import { describe, expect, test } from "vitest";
import { CALLBACK_CLASSES } from "../../src/harness/crashable-process.ts";
import { ALL_FAULTS } from "../../src/sim/faults/all.ts";
import { APART, LATEST, MIDNIGHT, MENU, MORE } from "./menu.ts";
import { drawPlan, type PlanEvent, type Plan } from "./plan.ts";
import { runPlan } from "./run.ts";

const quiet = (seed: number, events: readonly PlanEvent[], resumes = true): Plan => ({
  ...drawPlan("short", seed),
  ...{ strategy: "restless", start: "fresh", latencyMs: 20, unrestMs: 25_000, resumes, events },
});

const reasons = (rows: readonly { readonly kind: string; readonly body: Readonly<Record<string, unknown>> }[]) =>
  rows.filter(({ kind }) => kind === "stop").map(({ body }) => String(body["reason"]));

test.each(CALLBACK_CLASSES)("an exception in a callback: %s", { timeout: 60_000 }, async (callback) => {
  // Connections open and close when somebody makes them.
  const cut: PlanEvent = {
    what: "fault",
    atMs: 9_000,
    name: "user-disconnect",
    params: { everyMs: 0 },
    forMs: 5_000,
  };
  const thrown: PlanEvent = { what: "throw", atMs: 8_000, callback, downMs: 500 };
  const { violations, history } = await runPlan(quiet(5, [cut, thrown]));
  expect(violations).toEqual([]);
  if (callback !== "sleep" && callback !== "answer")
    expect(reasons(history.rows)).toContain(`planted in a callback: ${callback}`);
});

describe.each(["cut", "flip"] as const)("a log of the journal with a %s", (how) => {
  test.each([
    ["and the operator has looked", true],
    ["and nobody has looked", false],
  ] as const)("%s", { timeout: 60_000 }, async (_words, resumes) => {
    const damage: PlanEvent = { what: "damage", atMs: 18_000, damage: { how, at: 0.4 }, downMs: 500 };
    const { violations, history } = await runPlan(quiet(4, [damage], resumes));
    expect(violations).toEqual([]);
    const looked = history.rows.find(({ body }) => body["event"] === "journal-acknowledged");
    expect(looked !== undefined).toBe(resumes);
    if (looked) expect(looked.body["found"]).toMatchObject({ state: "tail-lost" });
  });
});

test(
  "a disk that takes seconds for each commit: what was judged before is judged again",
  { timeout: 60_000 },
  async () => {
    const slow: PlanEvent = { what: "disk", atMs: 5_000, trouble: "slow", forMs: 15_000 };
    expect((await runPlan(quiet(1, [slow]))).violations).toEqual([]);
  },
);

test("every fault of the service is drawn", () => {
  const drawn = new Set([...MENU, ...MORE, ...LATEST, ...APART, ...MIDNIGHT].map(({ name }) => name));
  expect([...drawn].sort()).toEqual(ALL_FAULTS.map(({ name }) => name).sort());
});
