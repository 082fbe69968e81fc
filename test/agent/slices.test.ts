/** An order beyond its share of the visible depth goes to the venue in slices, until something newer counts. */
import { describe, expect, test } from "vitest";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import { dec } from "../../src/core/decimal.ts";
import { holding, ready, scripted, settingsOf, target, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** The book of the test holds 5 BTC a side; a share of 0.0004 of 300,000 USDT is 120 USDT. */
function slicing(change: Partial<AgentSettings["execution"]["slices"]> = {}): World {
  const slices = { depthShare: 0.0004, band: 0.002, minUsdt: dec("50"), pause: 6_000, ...change };
  return ready({ settings: settingsOf({ execution: { ...settingsOf().execution, slices } }) });
}

/** The first slice of an order of 0.006 has filled. */
const FIRST = `
  wants BTC LONG 1
  1 s                                           -> places BTC BUY 0.001 once
  rest
  order FILLED                                  -> entries 0.006
  stop S1 for 0.006 at 58803
`;

describe("an order beyond its share of the visible depth", () => {
  test("is sent in slices one after the other, each with its own intent under one decision", () => {
    const w = story(
      `${FIRST}
      wants nothing
      3 s with list BTC LONG 0.001, S1          -> nothing
      4 s with list BTC LONG 0.001, S1          -> places BTC BUY 0.001 once
      order FILLED by 002
      5 s with list BTC LONG 0.002, S1          -> nothing
      2 s with list BTC LONG 0.002, S1          -> places BTC BUY 0.001 once
      `,
      slicing(),
    );
    const opened = w.of("record").filter(({ row, body }) => row === "intent" && body["event"] === "open");
    expect(new Set(opened.map(({ body }) => body["intentId"])).size).toBe(3);
    expect(new Set(opened.map(({ body }) => body["decisionId"])).size).toBe(1);
    expect(opened.map(({ body }) => body["part"])).toMatchObject([{ no: 1 }, { no: 2 }, { no: 3 }]);
  });

  test("is dropped where the limits do not agree to more", () => {
    story(
      `${FIRST}
      halt
      10 s with list BTC LONG 0.001, S1         -> nothing, logs order.dropped saying the limits do not agree to more
      `,
      slicing(),
    );
  });

  test("is dropped where a newer decision wants something else", () => {
    story(
      `${FIRST}
      wants BTC flat
      61 s with list BTC LONG 0.001, S1         -> logs order.dropped saying a newer decision wants something else
      `,
      slicing({ pause: 120_000 }),
    );
  });

  test("is dropped where a newer decision wants no more than what is held", () => {
    const missing = "0.005 of 0.006 were not entered: a newer decision wants no more";
    story(
      `${FIRST}
      wants BTC LONG 0.17
      130 s with list BTC LONG 0.001, S1        -> moves S1, entries none, logs order.dropped saying ${missing}
      `,
      slicing({ pause: 100_000 }),
    );
  });

  test("goes on where a newer decision still wants more than what is held", () => {
    story(
      `${FIRST}
      wants BTC LONG 0.9
      130 s with list BTC LONG 0.001, S1        -> places BTC BUY 0.001, moves S1
      `,
      slicing({ pause: 100_000 }),
    );
  });

  test("goes on where a newer decision wants it still, and the other side of its symbol flat", () => {
    story(
      `
      wants BTC SHORT 0.5 resting
      1 s                                       -> places BTC SELL once
      rest
      wants BTC SHORT 0.5 resting, BTC flat
      62 s                                      -> nothing
      `,
      ready({ settings: settingsOf({ execution: { ...settingsOf().execution, restFor: 600_000 } }) }),
    );
  });

  test("is labelled with the strategy that decided it, though the fallback has decided since", () => {
    let decisions = 0;
    const wanted = target({ size: 1 });
    const chosen = scripted("first", () => {
      if (decisions++ > 0) throw new Error("it is broken");
      return { kind: "targets", targets: [wanted], note: "" };
    });
    const slices = { depthShare: 0.0004, band: 0.002, minUsdt: dec("50"), pause: 80_000 };
    const w = ready({
      strategies: { chosen, fallback: holding() },
      settings: settingsOf({ execution: { ...settingsOf().execution, slices } }),
    });
    story(
      `
      1 s                                       -> places BTC BUY 0.001 once
      rest
      order FILLED
      stop S1 for 0.006 at 58803
      85 s with list BTC LONG 0.001, S1         -> places BTC
      `,
      w,
    );
    expect(w.agent.status(w.nowMs).lastDecision?.strategy).toBe("hold");
    const opened = w.of("record").filter(({ row, body }) => row === "intent" && body["event"] === "open");
    expect(opened.length).toBeGreaterThan(1);
    expect(new Set(opened.map(({ body }) => body["strategy"]))).toEqual(new Set(["first"]));
  });

  test("ends with a slice that met nothing", () => {
    story(
      `
      wants BTC LONG 1
      1 s                                       -> places BTC BUY 0.001 once
      wants nothing
      rest
      order CANCELLED
      10 s with lists                           -> nothing, logs order.dropped saying the book had no more at that price
      `,
      slicing(),
    );
  });
});

describe("what the last order of an entry has filled is not reported as not entered", () => {
  test("in part", () => {
    const missing = "0.002 of 0.003 were not entered: a newer decision wants something else";
    story(
      `
      wants BTC LONG 0.5 resting
      1 s                                       -> places BTC BUY 0.003 once
      rest
      order PARTIALLY_FILLED executed 0.001
      wants BTC flat
      61 s with list BTC LONG 0.001             -> logs order.dropped saying ${missing}
      `,
      ready({ settings: settingsOf({ execution: { ...settingsOf().execution, restFor: 600_000 } }) }),
    );
  });

  test("as a whole", () => {
    const w = story(`
      wants BTC LONG 0.5 resting
      1 s                                       -> places BTC BUY 0.003 once
      rest
      order FILLED
      shutdown
      1 s                                       -> entries none
    `);
    expect(w.logs("order.dropped")).toEqual([]);
  });
});
