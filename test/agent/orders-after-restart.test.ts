/** What a restart does about the orders and positions of the run before. */
import { describe, expect, test } from "vitest";
import type { EndedIntent } from "../../src/agent/books/intents.ts";
import { createState } from "../../src/agent/state/create-state.ts";
import { riskViewOf } from "../../src/agent/view/risk-view.ts";
import { createContext } from "../../src/context/context.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { REST_RATES } from "../../src/protocol/rest-rates.ts";
import { BTC, ready, START_MS, world, type World } from "../support/agent-world.ts";
import { account, holding, nothingRestored, settingsOf } from "../support/agent-fixtures.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore, type HeldBefore } from "../support/past-facts.ts";

const settings = settingsOf();
const KEY = `${BTC}|LONG`;
const PAST: HeldBefore = {
  ...{ decisionId: "d-old-1", strategy: "momentum", thesis: "it rose", targetPrice: null, openedAtMs: 5 },
  ...{ stopPrice: dec("59000"), qty: dec("0.004"), avgPrice: dec("60000"), reportedMs: 0, standingAlgoId: null },
};
const restored = (change: HeldBefore = {}) => ({ positionFacts: heldBefore({ ...PAST, ...change }) });

describe("an order of the run before", () => {
  test("whose fate is not known is looked up and not sent again, and nothing new is opened beside it", () => {
    const w = story(`
      wants BTC LONG 0.5
      1 s                        -> places BTC once
      restart                    -> asks order
      62 s with lists            -> nothing
    `);
    const ours = w.given.before?.last("place").intent.clientOrderId;
    expect(new Set(w.of("look-up").map(({ clientOrderId }) => clientOrderId))).toEqual(new Set([ours]));
  });

  test("that a list shows without its name is known by it once the venue has named it, and ends as itself", () => {
    story(`
      wants BTC LONG 0.5 resting
      1 s                        -> places BTC once
      place unknown
      restart                    -> asks order
      list nothing, order 001 OPEN BUY LONG as 2190000000000001
      order OPEN by 001          -> orders OPEN
      order FILLED by 001        -> writes intent end FILLED once, orders none
      order FILLED by 001        -> writes intent end FILLED never
    `);
  });

  test("that has rested too long since then is cancelled as soon as it is found", () => {
    story(`
      wants BTC LONG 0.5 resting
      1 s                        -> places BTC once
      place unknown
      20 s
      restart                    -> asks order
      11 s                       -> nothing
      order OPEN
      0.25 s                     -> cancels order once
    `);
  });

  test("that was being withdrawn is not withdrawn again before its time. Invariant I27", () => {
    story(`
      wants BTC LONG 0.5 resting
      1 s                        -> places BTC once
      rest
      30 s                       -> cancels order once
      restart                    -> asks order
      order OPEN
      5 s                        -> nothing
      10 s                       -> cancels order once
    `);
  });

  test("that opens is withdrawn where a list shows it, somebody else's is left and reported", () => {
    const list = "list nothing, order 009 OPEN BUY LONG as i-old-9, order 010 OPEN BUY LONG as by-hand";
    const w = story(
      `
      ${list}                    -> cancels order i-old-9 once, external 10, writes reconcile complete once
      ${list}                    -> nothing, external 10, writes reconcile complete never
      cancel refused 100018
      11 s                       -> cancels order i-old-9 once, asks order
      `,
      ready({ restored: { ourClientIds: new Set(["i-old-9"]) } }),
    );
    expect(w.logs("reconcile.done").join()).toMatch(/, ours from an earlier run/);
    expect(w.logs("reconcile.done").join()).toMatch(/, not ours/);
  });
});

describe("a position of the run before", () => {
  test("is adopted with its thesis and gets protection", () => {
    const w = story(
      `
      list BTC LONG 0.004, no stops
      0.25 s                     -> protects all at 59000
      `,
      ready({ restored: restored() }),
    );
    expect(w.last("protect").order).toMatchObject({ symbol: BTC, condition: "ENTIRE_CLOSE_POSITION" });
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ strategy: "momentum", decision: "d-old-1" });
  });

  test("that was closed while the agent was away is not opened again before the cooldown", () => {
    story(
      `
      wants BTC LONG 0.5
      60 s with lists            -> nothing
      `,
      ready({ restored: restored() }),
    );
  });

  test("that was closed while the agent was away is closed in its books, once", () => {
    const w = story(
      `
      list nothing, no stops
      list nothing, no stops     -> journal closed
      `,
      ready({ restored: restored() }),
    );
    const closed = w.of("record").filter(({ row }) => row === "position");
    expect(closed.map(({ body }) => body)).toMatchObject([{ leg: KEY, kind: "closed", qty: "0" }]);
  });

  test("has ended where another one begins: that is protected at once, and no earlier stop counts", () => {
    const standing = restored({ standingAlgoId: "2190000000000101" });
    const w = story(
      `
      ${"1 s\nlist nothing\n".repeat(25)}
      list BTC LONG 0.006 @ 61000 began 0.2 s ago
      0.25 s                     -> protects all
      `,
      ready({ restored: standing }, { openAlgos: null, positions: [] }),
    );
    expect(w.last("protect").positionKey).toBe(KEY);
  });

  test("leaves its stop to nothing that opens after it has closed, whichever push comes first", () => {
    story(
      `
      wants BTC LONG 0.5
      5 s with lists             -> places BTC BUY 0.003 once
      push BTC LONG 0.003 @ 60123
      order FILLED
      0.25 s                     -> protects all at 58803
      `,
      ready({
        restored: restored({ stopPrice: dec("61000"), avgPrice: dec("55000") }),
        settings: { ...settings, risk: { ...settings.risk, reentryCooldown: 0 } },
      }),
    );
  });
});

describe("an order that is reported as filled before the first list", () => {
  /** The position that the first list shows began so long ago. */
  const begun = (ago: string, then: string): World => {
    const before = story("wants BTC LONG 0.5\n1 s -> places BTC BUY 0.003 once");
    const intent = { ...before.last("place").intent, promisedAtMs: START_MS - 5_000 };
    return story(
      `
      order PARTIALLY_FILLED executed 0.001
      rules BTC, ETH
      list BTC LONG 0.005 @ 56000 began ${ago} ago, no stops
      0.25 s                     -> ${then}
      `,
      world({ before, restored: { ...restored({ stopPrice: dec("59500") }), openIntents: [intent] } }),
    );
  };
  test.each([
    ["it is known when that position began", START_MS - 55_000, {}],
    ["the order's row says what the venue's clock may have shown", null, { notBeforeMs: START_MS - 5_000 }],
  ])("nor where our clock has been set forward since, if %s", (_, begunMs, shown) => {
    const before = story("wants BTC LONG 0.5\n1 s -> places BTC BUY 0.003 once");
    const intent = { ...before.last("place").intent, promisedAtMs: START_MS - 5_000, ...shown };
    const { positionFacts, ...rest } = restored({ stopPrice: dec("59500") });
    const facts = positionFacts.map((fact) => (fact.kind === "reported" ? { ...fact, begunMs } : fact));
    const w = world({ before, restored: { ...rest, positionFacts: facts, openIntents: [intent] } });
    w.feed({ kind: "clock-checked", offsetMs: -3_600_000, uncertaintyMs: 20 });
    story(
      `
      order PARTIALLY_FILLED executed 0.001
      rules BTC, ETH
      list BTC LONG 0.005 @ 56000 began 60 s ago, no stops
      0.25 s                     -> protects all at 59500
      `,
      w,
    );
  });

  const reported = (w: World) => w.of("record").find(({ row }) => row === "position")?.body;

  test("takes from a position of before neither stop nor age", () => {
    const w = begun("3600 s", "protects all at 59500");
    expect(reported(w)).toMatchObject({ strategy: "momentum", openedAtMs: 5 });
  });

  test("has its own where it opened the position", () => {
    const w = begun("4 s", "protects all at 58803");
    expect(reported(w)).toMatchObject({ openedAtMs: START_MS - 5_000 });
  });
});

test("what an order of the run before filled counts at its limit until a position shows it", () => {
  const { intent } = story("wants BTC LONG 0.5\n1 s -> places BTC BUY 0.003 once").last("place");
  const ended: EndedIntent = {
    ...intent,
    ...{ orderId: "2190000000000009", state: "FILLED", executedQty: dec("0.002"), ending: "FILLED", unsent: false },
    unshown: { shownQty: ZERO, filledMs: START_MS - 2_000 },
  };
  const state = createState({
    ...{ runId: "t2", context: createContext({ universe: settings.universe }), settings, rates: REST_RATES },
    strategies: { chosen: holding(), fallback: holding() },
    restored: { ...nothingRestored, endedIntents: [ended] },
    atMs: START_MS,
  });
  state.equity.applyAccount([account("1000")], ZERO, START_MS, START_MS);
  const [flying] = riskViewOf(state, START_MS)?.inFlight ?? [];
  expect(flying?.clientOrderId).toBe(`${intent.clientOrderId}:filled`);
  expect(flying?.notionalUsdt.toFixed()).toBe(intent.draft.order.limitPrice?.mul("0.002").toFixed());
});
