/** From what a strategy wants to an order on the wire, or to the reason why there is none. */
import { describe, expect, test } from "vitest";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import { ready, settingsOf, world, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** A ready agent with other limits. */
function limited(risk: Partial<AgentSettings["risk"]>): World {
  const settings = settingsOf();
  return ready({ settings: { ...settings, risk: { ...settings.risk, ...risk } } });
}

describe("from targets to an order on the wire", () => {
  test("once ready, a decision is made, and its intent is journaled before the order is requested", () => {
    // Half of 40 % of 1,000 USDT, rounded down to the lot: never larger than proposed.
    const w = story(`
      wants BTC LONG 0.5
      1 s                      -> places BTC BUY 0.003 once
    `);
    expect(w.logs("agent.ready")).toHaveLength(1);
    const kinds = w.effects.map((effect) => (effect.kind === "record" ? `row:${effect.row}` : effect.kind));
    expect(kinds.indexOf("row:intent")).toBeGreaterThan(0);
    expect(kinds.indexOf("row:intent")).toBeLessThan(kinds.indexOf("place"));
    const { draft } = w.last("place").intent;
    expect(draft.order).toMatchObject({ positionSide: "LONG", orderType: "LIMIT", timeInForce: "IOC" });
    expect(draft.stopPrice?.toFixed()).toBe("58803");
  });

  test("the same target ten times is one position", () => {
    const plain = settingsOf();
    const w = story(
      `
      wants BTC LONG 0.5
      1 s                      -> places BTC BUY 0.003 once
      order FILLED
      push BTC LONG 0.003 @ 60003
      stop S1 for 0.003 at 58803
      110 s with list BTC LONG 0.003 @ 60003, S1 -> nothing
      `,
      ready({ settings: { ...plain, cadence: { ...plain.cadence, every: 10_000, minGap: 1_000 } } }),
    );
    expect(w.logs("decision.made").length).toBeGreaterThan(10);
  });

  test("without a session every opening is denied and the reason is reported", () => {
    story(`
      session none because session.consent is empty
      wants BTC LONG 0.5
      1 s                      -> nothing, logs review.verdict saying denied
    `);
  });

  test("nothing is opened while a stream is down, and the close still goes out", () => {
    story(`
      list BTC LONG 0.004, S1
      stream down
      wants ETH LONG 0.5, BTC flat
      1 s                      -> closes BTC LONG 0.004
    `);
  });

  test("stale prices open nothing", () => {
    story(`
      wants BTC LONG 0.5
      9 s without prices       -> nothing, logs review.verdict saying freshness
    `);
  });

  test("a reversal closes now and opens at a later decision", () => {
    story(
      `
      list BTC LONG 0.004, S1
      wants BTC SHORT 0.5
      1 s                      -> closes BTC LONG 0.004
      push BTC LONG flat
      100 s with lists         -> cancels S1, places BTC SELL
      `,
      limited({ minHolding: 0, flipCooldown: 0, reentryCooldown: 0 }),
    );
  });

  test.each(["BTC flat", "BTC SHORT 0.5"])(
    "a position younger than the minimum holding is not changed because the strategy wants %s",
    (wanted) => {
      const heldFor = (age: string, then: string): World =>
        story(
          `
          list BTC LONG 0.004 began ${age} ago, S1
          wants ${wanted}
          1 s                    -> ${then}
          `,
          limited({ minHolding: 60_000 }),
        );
      heldFor("5 s", "nothing");
      heldFor("65 s", "closes BTC LONG 0.004 once");
    },
  );

  test("the last look refuses what has become stale between review and wire", () => {
    story(`
      wants BTC LONG 0.5
      1 s                      -> places BTC, recheck passes
      session stopped          -> recheck fails by session
      session active           -> recheck passes
      10 s without prices      -> recheck fails by freshness
    `);
  });

  test("an order that waited for its slot beyond the life of its decision does not leave. Fault R6", () => {
    story(`
      wants BTC LONG 0.5
      1 s                      -> places BTC, recheck passes
      wants nothing
      239 s with lists         -> recheck passes
      5 s with lists           -> recheck fails by its decision is too old
    `);
  });

  test("the last look leaves out the order itself and the intents beside it", () => {
    const w = story("wants BTC LONG 0.5, ETH LONG 0.5\n1 s -> places BTC, places ETH", limited({ ordersPerHour: 2 }));
    expect(w.of("place").map(({ intent }) => w.agent.recheck(intent, w.nowMs))).toEqual([null, null]);
  });

  test.each([
    [1, "nothing"],
    [2, "places ETH"],
  ])("a restart does not reset the hour: of %i orders an hour one is used up, then the agent %s", (most, then) => {
    story(
      `
      wants BTC LONG 0.5
      1 s                      -> places BTC once
      order CANCELLED
      wants ETH LONG 0.5
      restart
      1 s                      -> ${then}
      `,
      limited({ ordersPerHour: most }),
    );
  });

  test("a resting order follows the price though it was the last one that the hour may have", () => {
    const w = story(
      `
      wants BTC LONG 0.5 resting
      1 s                      -> places BTC
      order OPEN
      price 60030
      6 s                      -> amends order
      `,
      limited({ ordersPerHour: 1 }),
    );
    expect(w.agent.recheckAmend(w.last("amend").intent, w.nowMs)).toBeNull();
  });

  test("in one-way mode positionSide is left out", () => {
    const w = story(`
      list nothing, one-way
      wants BTC LONG 0.5
      1 s                      -> places BTC BUY
    `);
    expect(w.last("place").intent.draft.order.positionSide).toBe("NONE");
  });

  test("an agent that is not ready decides nothing", () => {
    const w = story("wants BTC LONG 0.5\n20 s -> nothing", world());
    expect(w.logs("decision.made")).toHaveLength(0);
  });
});
