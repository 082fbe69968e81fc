/** Strategies without the right to trade: scored after costs on the same market, inside the budget, across restarts. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ShadowArmed, Strategies } from "../../src/agent/contract/events.ts";
import { noHandover } from "../../src/agent/contract/handover.ts";
import { defineStrategy, type StrategyAnswer, type TargetPosition } from "../../src/strategy/strategy.ts";
import { dec } from "../../src/core/decimal.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import {
  anyQuestion,
  BTC,
  holding,
  ready,
  scripted,
  settingsOf,
  START_MS,
  target,
  type World,
} from "../support/agent-world.ts";
import { modelAnswer } from "../support/model-outcomes.ts";
import { readShadow, type ShadowRow } from "../../src/rows/shadow.ts";

const shadow = (name: string, answer: (snapshot: Snapshot) => StrategyAnswer, asks = false): ShadowArmed => ({
  name,
  armed: {
    strategy: defineStrategy({
      name,
      description: name,
      settings: z.strictObject({}),
      needsModel: asks,
      decide: answer,
      ...(asks ? { interpret: () => ({ kind: "targets" as const, targets: [target()], note: "as told" }) } : {}),
    }),
    settings: {},
  },
});
const targeting =
  (...targets: TargetPosition[]) =>
  (): StrategyAnswer => ({ kind: "targets", targets, note: "" });
const asking = (): StrategyAnswer => ({ kind: "ask", questions: [anyQuestion] });
const watched = (shadows: readonly ShadowArmed[], chosen = holding()): Strategies => ({
  chosen,
  fallback: holding(),
  shadows,
});
const score = (w: World, name: string) => {
  const found = w.agent.status(w.nowMs).deciding.shadows.find((record) => record.name === name);
  if (!found) throw new Error(`no shadow ${name}`);
  return found;
};
const pass = (w: World, seconds: number): void => {
  for (let passed = 0; passed < seconds; passed++) w.tick(1_000);
};
const lastRow = (w: World, name: string) =>
  w
    .of("record")
    .filter((record) => record.row === "shadow" && record.body["book"] === name)
    .at(-1)?.body;

describe("a shadow", () => {
  test("sees the very snapshot of the decision with an account of its own, and sends nothing to the venue", () => {
    const seen: Snapshot[] = [];
    const chosen = scripted("chosen", () => ({ kind: "targets", targets: [], note: "" }));
    const w = ready({
      strategies: watched(
        [
          shadow("long", (snapshot) => {
            seen.push(snapshot);
            return targeting(target())();
          }),
        ],
        chosen,
      ),
    });
    pass(w, 3);
    expect(seen[0]?.account).toMatchObject({ positions: [] });
    expect(seen[0]?.symbols.map((view) => view.symbol)).toHaveLength(2);
    pass(w, 60);
    expect(seen[1]?.account?.positions).toMatchObject([{ position: { symbol: BTC, side: "LONG" }, strategy: "long" }]);
    expect(w.of("place")).toEqual([]);
    expect(w.agent.status(w.nowMs).positions).toEqual([]);
    expect(score(w, "long")).toMatchObject({ decisions: 2, failed: 0, open: 1, trades: 0 });
  });

  test("pays fee, spread and slippage on both ways: a round trip in a still market loses just that", () => {
    let wanted = 0.5;
    const w = ready({
      strategies: watched([shadow("round", () => targeting(target({ size: wanted }))())]),
      settings: settingsOf({ cadence: { ...settingsOf().cadence, every: 10_000, minGap: 1_000 } }),
    });
    pass(w, 5);
    wanted = 0;
    pass(w, 20);
    const { returnAfterCosts, trades, open } = score(w, "round");
    expect({ trades, open }).toEqual({ trades: 1, open: 0 });
    // 180 USDT (three lots) both ways: fee 0.0175 %, half a spread 0.005 %, slippage 0.01 %, each twice.
    expect(returnAfterCosts * 1000).toBeCloseTo(-(2 * 180 * (0.000175 + 0.00005 + 0.0001)), 1);
    expect(score(w, "round").maxDrawdown).toBeCloseTo(-returnAfterCosts, 6);
    expect(score(w, "round").costBps).toBeCloseTo(1.75 + 0.5 + 1, 1);
  });

  test("is stopped by its own stop, at the book and never better than it", () => {
    const w = ready({ strategies: watched([shadow("long", targeting(target({ stopDistance: 0.01 })))]) });
    pass(w, 5);
    expect(score(w, "long").open).toBe(1);
    w.price(BTC, 59_000);
    pass(w, 3);
    expect(score(w, "long")).toMatchObject({ open: 0, trades: 1, wins: 0 });
    // Gapped through: 1.67 % of 180 USDT and the costs, not the 1 % of the stop.
    expect(score(w, "long").returnAfterCosts * 1000).toBeLessThan(-3);
  });

  test("pays funding of a settlement that it holds through", () => {
    const w = ready({ strategies: watched([shadow("long", targeting(target({ stopDistance: 0.05 })))]) });
    w.feed({ kind: "funding", funding: { symbol: BTC, rate: dec("0.01"), nextFundingAtMs: START_MS + 30_000 } });
    pass(w, 25);
    const before = score(w, "long").returnAfterCosts;
    pass(w, 15);
    expect((before - score(w, "long").returnAfterCosts) * 1000).toBeCloseTo(1.8, 2);
  });

  test("is held to the limits that real orders are held to", () => {
    const w = ready({
      strategies: watched([shadow("wide", targeting(target({ size: 1, stopDistance: 0.19 })))]),
    });
    pass(w, 5);
    // A stop wider than the limits allow is denied to a shadow too.
    expect(score(w, "wide")).toMatchObject({ open: 0, trades: 0, decisions: 1 });
  });

  test("a shadow that throws is quarantined and harms no other", () => {
    const w = ready({
      strategies: watched([
        shadow("broken", () => {
          throw new Error("on purpose");
        }),
        shadow("sound", targeting()),
      ]),
    });
    pass(w, 130);
    expect(score(w, "broken")).toMatchObject({ failed: 1, decisions: 0 });
    expect(score(w, "sound").decisions).toBe(3);
    expect(w.logs("shadow.failed")).toHaveLength(1);
    expect(w.logs("decision.failed")).toEqual([]);
  });
});

describe("the model budget of shadows", () => {
  test("their questions wait for the trading strategy's, and go one shadow at a time", () => {
    const trading = scripted("trading", asking, () => ({ kind: "targets", targets: [], note: "" }));
    const w = ready({ strategies: watched([shadow("one", asking, true), shadow("two", asking, true)], trading) });
    pass(w, 5);
    expect(w.of("ask-model").map((ask) => ask.shadow)).toEqual([undefined]);
    w.feed({ kind: "model", decisionId: w.last("ask-model").decisionId, part: 0, outcome: modelAnswer({}, "0.01") });
    pass(w, 5);
    expect(w.of("ask-model").map((ask) => ask.shadow)).toEqual([undefined, "one"]);
    const { decisionId } = w.last("ask-model");
    w.feed({ kind: "model", decisionId, part: 0, shadow: "one", outcome: modelAnswer({}, "0.02") });
    pass(w, 2);
    expect(w.of("ask-model").map((ask) => ask.shadow)).toEqual([undefined, "one", "two"]);
    expect(score(w, "one")).toMatchObject({ decisions: 1, open: 1, modelCostUsd: 0.02 });
    expect(w.of("place")).toEqual([]);
  });

  test("ends at the daily sum: what is not asked is counted as not decided", () => {
    const w = ready({
      strategies: watched([shadow("one", asking, true)]),
      settings: settingsOf({ shadowModelUsd: dec("0.05") }),
    });
    let answered = 0;
    for (let minute = 0; minute < 6; minute++) {
      pass(w, 60);
      const ask = w.of("ask-model")[answered];
      if (!ask) continue;
      answered += 1;
      w.feed({ kind: "model", decisionId: ask.decisionId, part: 0, shadow: "one", outcome: modelAnswer({}, "0.02") });
    }
    // A third question might have cost more than the cent that is left.
    expect(w.of("ask-model")).toHaveLength(2);
    expect(score(w, "one").failed).toBeGreaterThan(2);
    expect(score(w, "one").modelCostUsd).toBe(0.04);
  });
});

const bookRowOf = (w: World, name: string): ShadowRow => readShadow({ seq: 1, kind: "shadow", body: lastRow(w, name) });

describe("scores across restarts", () => {
  const resting = (row: ShadowRow, settings = {}) => {
    const one = shadow("long", targeting(target()));
    return ready({
      strategies: watched([{ ...one, armed: { ...one.armed, settings } }]),
      restored: {
        deciding: {
          handover: noHandover,
          lastSwitch: null,
          books: new Map([["long", row]]),
          lessons: [],
          bought: new Map(),
        },
      },
    });
  };

  test("a book goes on from its last row, position and all", () => {
    const first = ready({ strategies: watched([shadow("long", targeting(target()))]) });
    pass(first, 5);
    first.price(BTC, 60_300);
    first.tick(250);
    first.feed({ kind: "stop", reason: "test" });
    const before = score(first, "long");
    const w = resting(bookRowOf(first, "long"));
    w.price(BTC, 60_300);
    w.tick(250);
    expect(score(w, "long")).toMatchObject({ open: 1, sinceMs: before.sinceMs, decisions: before.decisions });
    expect(score(w, "long").returnAfterCosts).toBeCloseTo(before.returnAfterCosts, 3);
  });

  test("a shadow that was dropped continues from where it was when it runs again", () => {
    const chosen = holding();
    const one = shadow("long", targeting(target()));
    const w = ready({ strategies: watched([one], chosen) });
    pass(w, 5);
    const before = score(w, "long");
    const saved = (shadows: readonly ShadowArmed[]) =>
      w.feed({
        kind: "settings",
        settings: settingsOf(),
        strategies: watched(shadows, chosen),
        change: { by: "file", handover: "adopt", request: null },
      });
    saved([]);
    pass(w, 5);
    saved([one]);
    expect(score(w, "long")).toMatchObject({ open: 1, sinceMs: before.sinceMs, decisions: before.decisions });
  });

  test("other settings begin a new score", () => {
    const first = ready({ strategies: watched([shadow("long", targeting(target()))]) });
    pass(first, 5);
    expect(score(resting(bookRowOf(first, "long"), { changed: true }), "long")).toMatchObject({
      open: 0,
      decisions: 0,
    });
  });

  test("a row that is no book is an error that names the field", () => {
    const first = ready({ strategies: watched([shadow("long", targeting(target()))]) });
    pass(first, 5);
    const body = lastRow(first, "long");
    const account = body?.["account"] as object;
    const read = (change: object) => () => readShadow({ seq: 3, kind: "shadow", body: { ...body, ...change } });
    expect(read({ account: { ...account, balance: "NaN" } })).toThrow("row 3 of kind shadow: account.balance: must be");
    expect(read({ account: { ...account, peak: "high" } })).toThrow("account.peak");
    expect(read({ account: { ...account, day: null } })).toThrow("account.day");
    expect(read({ account: { positions: "x" } })).toThrow("row 3 of kind shadow: account.");
  });
});
