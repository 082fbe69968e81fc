/** The parts of the agent as the page lists them: each with its state and its age. */
import { describe, expect, test } from "vitest";
import { partsOf } from "../../src/deck/parts.ts";

type Reported = Parameters<typeof partsOf>[0];

const AT_MS = Date.UTC(2026, 0, 5);
const MODEL = { name: "m", state: "ready", untilMs: 0, failing: null, answeredAtMs: AT_MS - 40_000, lastError: null };
const SESSION = { active: true };

const report = (changed: object = {}): Reported =>
  ({
    atMs: AT_MS,
    streams: { market: true, user: true, news: true },
    streamDetail: {
      market: { lastFrameAtMs: AT_MS - 1_000 },
      user: { lastFrameAtMs: AT_MS - 2_000 },
      news: { lastFrameAtMs: AT_MS - 3_000 },
    },
    accountAgeMs: 4_000,
    lastDecision: { atMs: AT_MS - 5_000 },
    asksModel: true,
    model: { models: [MODEL] },
    session: SESSION,
    sessionAgeMs: 60_000,
    health: { causes: [] },
    ...changed,
  }) as unknown as Reported;

const ages = (reported: Reported, writtenAtMs: number | null): Record<string, number | null> =>
  Object.fromEntries(partsOf(reported, writtenAtMs).map(({ name, ageMs }) => [name, ageMs]));

describe("the parts of the agent", () => {
  test("each states its age", () => {
    expect(ages(report(), AT_MS - 7_000)).toEqual({
      market: 1_000,
      user: 2_000,
      news: 3_000,
      account: 4_000,
      decisions: 5_000,
      model: 40_000,
      session: 60_000,
      journal: 7_000,
    });
  });

  test("of several models the last answer counts; a strategy that asks none has no such part", () => {
    const older = { ...MODEL, answeredAtMs: AT_MS - 90_000 };
    const silent = { ...MODEL, answeredAtMs: null };
    expect(ages(report({ model: { models: [older, silent, MODEL] } }), null)["model"]).toBe(40_000);
    expect(ages(report({ model: { models: [silent] } }), null)["model"]).toBeNull();
    expect(ages(report({ asksModel: false }), null)).not.toHaveProperty("model");
  });

  test("a part that is down says why and keeps its age", () => {
    const causes = [{ part: "journal", severity: "alarm", sentence: "the disk is full" }];
    const down = report({
      streams: { market: false },
      model: { models: [{ ...MODEL, state: "resting" }] },
      session: { active: false },
      health: { causes },
    });
    expect(partsOf(down, AT_MS - 9_000).filter(({ up }) => !up)).toEqual([
      { name: "market", up: false, ageMs: 1_000, note: "not connected" },
      { name: "user", up: false, ageMs: 2_000, note: "not connected" },
      { name: "news", up: false, ageMs: 3_000, note: "not connected" },
      { name: "model", up: false, ageMs: 40_000, note: "none answers" },
      { name: "session", up: false, ageMs: 60_000, note: "none is active" },
      { name: "journal", up: false, ageMs: 9_000, note: "the disk is full" },
    ]);
  });
});
