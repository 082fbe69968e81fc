/** Strategies without the right to trade: scored after costs on the same market, inside the budget, across restarts. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ShadowArmed, Strategies } from "../../src/agent/contract/events.ts";
import { defineStrategy, type StrategyAnswer, type TargetPosition } from "../../src/strategy/strategy.ts";
import { dec } from "../../src/core/decimal.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import {
  anyQuestion,
  BTC,
  ETH,
  holding,
  ready,
  scripted,
  settingsOf,
  START_MS,
  target,
  type World,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { readerOf } from "../support/reader-of.ts";
import { readShadow } from "../../src/rows/shadow.ts";
import { restore } from "../../src/restore/restore.ts";

const shadow = (name: string, answer: (snapshot: Snapshot) => StrategyAnswer, asks = false): ShadowArmed => ({
  name,
  armed: {
    strategy: defineStrategy({
      name,
      description: name,
      settings: z.strictObject({}),
      needsModel: asks,
      decide: answer,
      ...(asks ? { interpret: () => ({ kind: "targets" as const, targets: [target()], note: "as answered" }) } : {}),
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
    story("3 s -> nothing", w);
    expect(seen[0]?.account).toMatchObject({ positions: [] });
    expect(seen[0]?.symbols.map((view) => view.symbol)).toHaveLength(2);
    story("60 s -> nothing, holds nothing", w);
    expect(seen[1]?.account?.positions).toMatchObject([{ position: { symbol: BTC, side: "LONG" }, strategy: "long" }]);
    expect(w.of("place")).toEqual([]);
    expect(score(w, "long")).toMatchObject({ decisions: 2, failed: 0, open: 1, trades: 0 });
  });

  test("pays fee, spread and slippage on both ways: a round trip in a still market loses just that", () => {
    let wanted = 0.5;
    const w = ready({
      strategies: watched([shadow("round", () => targeting(target({ size: wanted }))())]),
      settings: settingsOf({ cadence: { ...settingsOf().cadence, every: 10_000, minGap: 1_000 } }),
    });
    story("5 s", w);
    wanted = 0;
    story("20 s -> nothing", w);
    const { returnAfterCosts, trades, open } = score(w, "round");
    expect({ trades, open }).toEqual({ trades: 1, open: 0 });
    // 180 USDT (three lots) both ways: fee 0.0175 %, half a spread 0.005 %, slippage 0.01 %, each twice.
    expect(returnAfterCosts * 1000).toBeCloseTo(-(2 * 180 * (0.000175 + 0.00005 + 0.0001)), 1);
    expect(score(w, "round").maxDrawdown).toBeCloseTo(-returnAfterCosts, 6);
    expect(score(w, "round").costBps).toBeCloseTo(1.75 + 0.5 + 1, 1);
  });

  test("is stopped by its own stop, at the book and never better than it", () => {
    const w = ready({ strategies: watched([shadow("long", targeting(target({ stopDistance: 0.01 })))]) });
    story("5 s", w);
    expect(score(w, "long").open).toBe(1);
    story("price 59000\n3 s -> nothing", w);
    expect(score(w, "long")).toMatchObject({ open: 0, trades: 1, wins: 0 });
    // Gapped through: 1.67 % of 180 USDT and the costs, not the 1 % of the stop.
    expect(score(w, "long").returnAfterCosts * 1000).toBeLessThan(-3);
  });

  test("pays funding of a settlement that it holds through", () => {
    const w = ready({ strategies: watched([shadow("long", targeting(target({ stopDistance: 0.05 })))]) });
    w.feed({ kind: "funding", funding: { symbol: BTC, rate: dec("0.01"), nextFundingAtMs: START_MS + 30_000 } });
    story("25 s", w);
    const before = score(w, "long").returnAfterCosts;
    story("15 s", w);
    expect((before - score(w, "long").returnAfterCosts) * 1000).toBeCloseTo(1.8, 2);
  });

  test.each([
    ["the real account is behind a close", "push BTC LONG flat"],
    ["openings of the real account are held", "hold disk is full"],
  ])("trades on while %s", (_what, event) => {
    let size = 0;
    const settings = settingsOf({ cadence: { ...settingsOf().cadence, every: 5_000, minGap: 1_000 } });
    const wanting = shadow("long", () => targeting(target({ symbol: ETH, size }))());
    const w = ready({ strategies: watched([wanting]), settings });
    story("list BTC LONG 0.004\nstop S1\n6 s with list BTC LONG 0.004, S1", w);
    size = 0.5;
    story(`${event}\n6 s`, w);
    expect(score(w, "long")).toMatchObject({ open: 1 });
  });

  test("is held to the limits that real orders are held to", () => {
    const w = ready({
      strategies: watched([shadow("wide", targeting(target({ size: 1, stopDistance: 0.19 })))]),
    });
    story("5 s", w);
    // A stop wider than the limits allow is denied to a shadow too.
    expect(score(w, "wide")).toMatchObject({ open: 0, trades: 0, decisions: 1 });
  });

  test("a shadow that throws is suspended and harms no other", () => {
    const w = ready({
      strategies: watched([
        shadow("broken", () => {
          throw new Error("on purpose");
        }),
        shadow("sound", targeting()),
      ]),
    });
    story("130 s -> logs shadow.failed once, logs decision.failed never", w);
    expect(score(w, "broken")).toMatchObject({ failed: 1, decisions: 0 });
    expect(score(w, "sound").decisions).toBe(3);
  });
});

describe("the model budget of shadows", () => {
  test("their questions wait for the trading strategy's, and go one shadow at a time", () => {
    const trading = scripted("trading", asking, () => ({ kind: "targets", targets: [], note: "" }));
    const w = story(
      `
      5 s                                  -> asks model once
      model answers
      5 s                                  -> asks model for one once
      model answers for one costing 0.02
      2 s                                  -> asks model for two once
      `,
      ready({ strategies: watched([shadow("one", asking, true), shadow("two", asking, true)], trading) }),
    );
    expect(score(w, "one")).toMatchObject({ decisions: 1, open: 1, modelCostUsd: 0.02 });
    expect(w.of("place")).toEqual([]);
  });

  test("ends at the daily sum: what is not asked is counted as not decided", () => {
    // A third question might have cost more than the cent that is left.
    const w = story(
      `
      60 s                                 -> asks model for one once
      model answers for one costing 0.02
      60 s                                 -> asks model for one once
      model answers for one costing 0.02
      240 s                                -> nothing
      `,
      ready({
        strategies: watched([shadow("one", asking, true)]),
        settings: settingsOf({ shadowModelUsd: dec("0.05") }),
      }),
    );
    expect(score(w, "one").failed).toBeGreaterThan(2);
    expect(score(w, "one").modelCostUsd).toBe(0.04);
  });

  test("counts every question of a round before it is asked", () => {
    const two = (): StrategyAnswer => ({ kind: "ask", questions: [anyQuestion, { ...anyQuestion, fingerprint: "b" }] });
    story(
      `
      60 s                                 -> asks model for one 2 times
      model answers part 0 for one costing 0.02
      model answers part 1 for one costing 0.02
      240 s                                -> nothing
      `,
      ready({ strategies: watched([shadow("one", two, true)]), settings: settingsOf({ shadowModelUsd: dec("0.07") }) }),
    );
  });

  test.each(["a crash", "other settings", "another in its place"])("keeps what was spent after %s", (what) => {
    const chosen = holding();
    const settings = settingsOf({ shadowModelUsd: dec("0.04") });
    const one = shadow("one", asking, true);
    const w = story(
      `
      60 s                                 -> asks model for one once
      model answers for one costing 0.02
      60 s                                 -> asks model for one once
      model answers for one costing 0.02
      `,
      ready({ strategies: watched([one], chosen), settings }),
    );
    if (what === "a crash") return void story("restart\n240 s -> nothing", w);
    const changed = { ...one, armed: { ...one.armed, settings: { changed: true } } };
    const strategies = watched([what === "other settings" ? changed : shadow("two", asking, true)], chosen);
    w.feed({ kind: "settings", settings, strategies, change: { by: "file", handover: "adopt", request: null } });
    story("240 s -> nothing", w);
  });
});

describe("scores across restarts", () => {
  test("a book goes on from its last row, position and all", () => {
    const first = story(
      `
      5 s
      price 60300
      0.25 s
      shutdown
      `,
      ready({ strategies: watched([shadow("long", targeting(target()))]) }),
    );
    const { sinceMs, decisions, returnAfterCosts } = score(first, "long");
    const w = story("restart\n0.25 s", first);
    expect(score(w, "long")).toMatchObject({ open: 1, sinceMs, decisions });
    expect(score(w, "long").returnAfterCosts).toBeCloseTo(returnAfterCosts, 3);
  });

  test("a shadow that was dropped continues from where it was when it runs again", () => {
    const chosen = holding();
    const one = shadow("long", targeting(target()));
    const w = story("5 s", ready({ strategies: watched([one], chosen) }));
    const before = score(w, "long");
    const saved = (shadows: readonly ShadowArmed[]) =>
      w.feed({
        kind: "settings",
        settings: settingsOf(),
        strategies: watched(shadows, chosen),
        change: { by: "file", handover: "adopt", request: null },
      });
    saved([]);
    story("5 s", w);
    saved([one]);
    expect(score(w, "long")).toMatchObject({ open: 1, sinceMs: before.sinceMs, decisions: before.decisions });
  });

  test("other settings begin a new score", () => {
    const long = shadow("long", targeting(target()));
    const changed = { ...long, armed: { ...long.armed, settings: { changed: true } } };
    const first = story("5 s", ready({ strategies: watched([long]) }));
    const restored = restore(readerOf(first), first.nowMs);
    const next = (shadows: readonly ShadowArmed[]) => ready({ strategies: watched(shadows), restored });
    expect(score(next([long]), "long")).toMatchObject({ open: 1, decisions: 1 });
    expect(score(next([changed]), "long")).toMatchObject({ open: 0, decisions: 0 });
  });

  test("a row that is no book is an error that names the field", () => {
    const first = story("5 s", ready({ strategies: watched([shadow("long", targeting(target()))]) }));
    const body = lastRow(first, "long");
    const account = body?.["account"] as object;
    const read = (change: object) => () => readShadow({ seq: 3, kind: "shadow", body: { ...body, ...change } });
    expect(read({ account: { ...account, balance: "NaN" } })).toThrow("row 3 of kind shadow: account.balance: must be");
    expect(read({ account: { ...account, peak: "high" } })).toThrow("account.peak");
    expect(read({ account: { ...account, day: null } })).toThrow("account.day");
    expect(read({ account: { positions: "x" } })).toThrow("row 3 of kind shadow: account.");
  });
});
