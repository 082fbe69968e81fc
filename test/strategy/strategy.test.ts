import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { boundedStop, isTradable, volatilitySize } from "../../src/strategy/distances.ts";
import { askStrategy, interpretReplies } from "../../src/strategy/guarded.ts";
import { atr, ema, rsi, slope, zscore } from "../../src/strategy/indicators.ts";
import { listStrategies, loadStrategy, settingNames } from "../../src/strategy/registry.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import { pressure, trendScore } from "../../src/strategy/trend.ts";
import { BTC, ETH, rulesOf, snapshotOf, viewOf } from "./snapshots.ts";

const target: TargetPosition = {
  symbol: BTC,
  leg: "LONG",
  size: 0.5,
  stopDistance: 0.02,
  targetDistance: null,
  urgency: "take",
  reason: "r",
  evidence: [],
};

const trail = { breakEvenAfter: 0.01, activation: 0.02, distance: 0.01 };

const answering = (answer: () => unknown) => ({
  strategy: defineStrategy({
    name: "fake",
    description: "Answers what a test wants.",
    settings: z.strictObject({}),
    needsModel: true,
    decide: answer as () => never,
    interpret: answer as () => never,
  }),
  settings: {},
});
const asked = (targets: unknown) =>
  askStrategy(
    answering(() => ({ kind: "targets", targets, note: "" })),
    snapshotOf(),
  );

describe("guarded", () => {
  test("a sound answer passes, its long texts cut", () => {
    const result = asked([{ ...target, reason: "x".repeat(1_000) }]);
    expect(result.ok && result.value.kind === "targets" && result.value.targets[0]?.reason.length).toBe(300);
  });

  test("a stop that follows passes, and one that never does", () => {
    for (const distance of [0.002, 0.01, 0])
      expect(asked([{ ...target, trail: { ...trail, distance } }]).ok).toBe(true);
  });

  test.each<[string, unknown, RegExp]>([
    ["NaN size", [{ ...target, size: NaN }], /size must be from 0 to 1/],
    ["size above 1", [{ ...target, size: 1.01 }], /size/],
    ["negative size", [{ ...target, size: -0.1 }], /size/],
    ["unknown symbol", [{ ...target, symbol: "X" }], /unknown symbol X; take a symbol of the snapshot/],
    ["a coin alone", [{ ...target, symbol: "btc" }], /unknown symbol btc; write EXCHANGE_A_PERP_BTC_USDT/],
    ["no stop", [{ ...target, stopDistance: 0 }], /stopDistance/],
    ["stop too wide", [{ ...target, stopDistance: 0.21 }], /stopDistance/],
    ["negative target", [{ ...target, targetDistance: -1 }], /targetDistance/],
    ["a trail that is none", [{ ...target, trail: null }], /trail is not an object/],
    ["a trail beyond the price", [{ ...target, trail: { ...trail, activation: 1.1 } }], /trail\.activation/],
    ["half a trail", [{ ...target, trail: { distance: 0.01 } }], /trail\.breakEvenAfter/],
    ["a trail on the heels of the price", [{ ...target, trail: { ...trail, distance: 0.001 } }], /at least 0\.002/],
    ["a position twice", [target, target], /two targets/],
    ["both legs", [target, { ...target, leg: "SHORT" }], /long and short at once/],
    ["odd leg", [{ ...target, leg: "UP" }], /leg must be/],
    ["no evidence", [{ ...target, evidence: undefined }], /evidence/],
    ["no list", "all in", /not a list/],
    ["too many", Array.from({ length: 51 }, () => target), /at most 50/],
  ])("%s is no decision", (_name, targets, reason) => {
    const result = asked(targets);
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? "" : result.error.reason).toMatch(reason);
  });

  test("a throw is no decision", () => {
    const result = askStrategy(
      answering(() => {
        throw new Error("boom");
      }),
      snapshotOf(),
    );
    expect(result).toEqual({ ok: false, error: { kind: "unsound", reason: "it threw: boom" } });
  });

  test("a promise and an unknown kind are no decision, and the reason says what to answer", () => {
    const reasonOf = (answer: () => unknown) => {
      const result = askStrategy(answering(answer), snapshotOf());
      return result.ok ? "" : result.error.reason;
    };
    expect(reasonOf(() => Promise.resolve({ kind: "targets" }))).toMatch(/^it returned a promise: .*without async/);
    expect(reasonOf(() => Promise.reject(new Error("nobody awaits it")))).toMatch(/^it returned a promise/);
    expect(reasonOf(() => ({ kind: "target" }))).toMatch(/kind "target": it must be "targets", "ask" or "abstain"/);
  });

  test("a loop without end is broken off", () => {
    const result = askStrategy(
      answering(() => {
        for (;;);
      }),
      snapshotOf(),
    );
    const reason = "it did not return within 5000 ms";
    expect(result).toMatchObject({ ok: false, error: { kind: "cut-off", reason } });
  });

  test("replies may lead to further questions, three rounds at most", () => {
    const question = {
      prompt: "p",
      variables: {},
      replySchema: z.object({}),
      replySchemaName: "s",
      maxOutputTokens: 10,
      fingerprint: "f",
    };
    const armed = answering(() => ({ kind: "ask", questions: [question, question] }));
    expect(askStrategy(armed, snapshotOf()).ok).toBe(true);
    const read = (round: number) => interpretReplies(armed, { round, replies: [], carry: null }, snapshotOf()).ok;
    expect([1, 2, 3].map(read)).toEqual([true, true, false]);
    for (const questions of [[], "q", [{ ...question, tier: "best" }], Array.from({ length: 13 }, () => question)]) {
      expect(
        askStrategy(
          answering(() => ({ kind: "ask", questions })),
          snapshotOf(),
        ).ok,
      ).toBe(false);
    }
  });

  test("never throws, whatever comes back", () => {
    const odd = fc.record({
      symbol: fc.constantFrom(BTC, "X"),
      leg: fc.anything(),
      size: fc.anything(),
      stopDistance: fc.anything(),
      evidence: fc.anything(),
    });
    const answers = fc.oneof(
      fc.anything(),
      fc.record({
        kind: fc.constantFrom("targets", "ask", "abstain", "?"),
        targets: fc.oneof(fc.anything(), fc.array(fc.oneof(odd, fc.anything()))),
        questions: fc.oneof(fc.anything(), fc.array(fc.anything())),
        note: fc.string(),
      }),
    );
    fc.assert(
      fc.property(answers, (answer) => {
        const result = askStrategy(
          answering(() => answer),
          snapshotOf(),
        );
        expect(typeof result.ok).toBe("boolean");
      }),
    );
  });
});

describe("registry", () => {
  test("every strategy there is loads with its defaults, and every setting is described", async () => {
    expect(listStrategies()).toEqual([
      "ensemble",
      "exchange-carry",
      "funding-carry",
      "hold",
      "llm-cascade",
      "llm-panel",
      "llm-trader",
      "mean-reversion",
      "momentum",
      "news-event",
      "trend-carry",
    ]);
    for (const name of listStrategies()) {
      const loaded = await loadStrategy(name, undefined);
      expect(loaded, name).toMatchObject({ ok: true });
      if (!loaded.ok) continue;
      const schema = z.toJSONSchema(loaded.value.strategy.settings, { io: "input" });
      for (const [field, part] of Object.entries(schema.properties ?? {})) {
        expect((part as { description?: string }).description, `${name}.${field}`).toMatch(/.{10}/);
      }
    }
  });

  test.each([
    ["momentum", { maxSiz: 1 }, "maxSiz is not a setting; did you mean maxSize?"],
    ["momentum", { maxSize: 7 }, "maxSize is 7:"],
    ["momentum", { entryScore: 1, exitScore: 1 }, "exitScore is 1: must be lower than entryScore"],
    ["hold", { anything: 1 }, "anything is not a setting"],
    ["momentun", {}, "did you mean momentum?"],
    ["../src/main", {}, "lower-case letters, digits and dashes"],
  ])("%s with %j is refused with a reason", async (name, settings, reason) => {
    const loaded = await loadStrategy(name, settings);
    expect(loaded.ok ? "" : loaded.error).toContain(reason);
  });

  test("a file of one's own is found in another folder; a broken one is an error, not a throw", async () => {
    const root = mkdtempSync(join(tmpdir(), "strategies-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "broken.ts"), "throw new Error('at load');");
    writeFileSync(join(root, "empty.ts"), "export default {};");
    const broken = await loadStrategy("broken", {}, root);
    const empty = await loadStrategy("empty", {}, root);
    expect(broken.ok ? "" : broken.error).toContain("could not be loaded");
    expect(empty.ok ? "" : empty.error).toContain("has no function decide");
  });

  test("defaults follow the horizon and yield to what is given", async () => {
    const loaded = await loadStrategy("momentum", { horizon: "fast", exitScore: -1 });
    expect(loaded.ok && loaded.value.settings).toMatchObject({ entryScore: 0.8, exitScore: -1, minHoldMinutes: 3 });
    expect(loaded.ok && settingNames(loaded.value.strategy)).toContain("entryScore");
  });
});

describe("indicators", () => {
  const rising = Array.from({ length: 40 }, (_, n) => 100 + n);
  test("null until stable, right on simple series", () => {
    expect([ema([1, 2], 3), rsi([1, 2], 14), slope([1]), zscore([1, 1, 1]), atr([], 14)]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(
      ema(
        Array.from({ length: 20 }, () => 7),
        5,
      ),
    ).toBeCloseTo(7);
    expect(rsi(rising, 14)).toBe(100);
    expect(slope(rising)).toBeCloseTo(1);
    expect(zscore([0, 0, 3])).toBeCloseTo(2 / Math.sqrt(3));
    expect(
      atr(
        rising.map((close, n) => ({ openMs: n, open: close, high: close + 1, low: close - 1, close, volume: 1 })),
        14,
      ),
    ).toBeCloseTo(2);
    expect(ema([1, NaN, 3], 2)).toBeNull();
  });
  test("trend is in units of volatility; a jump in one span is capped; unknown volatility is unknown", () => {
    expect(trendScore(viewOf(BTC, { returns: { "1h": 0.006, "4h": 0.012 } }), ["1h", "4h"], 2)).toBeCloseTo(1);
    expect(trendScore(viewOf(BTC, { returns: { "1h": 1 } }), ["1h"], 1)).toBe(4);
    expect(trendScore(viewOf(BTC, { returns: { "1h": 1 } }), ["1h", "4h"], 2)).toBeNull();
    expect(trendScore(viewOf(BTC, { volatilityHour: null, returns: { "1h": 1 } }), ["1h"], 1)).toBeNull();
    expect(pressure(viewOf(BTC, { tradeFlow: null, depthImbalance: null }))).toBe(0);
  });
  test("stops, sizes and tradability stay within their bounds", () => {
    expect(boundedStop(0.001, { min: 0.005, max: 0.05, roundTripCost: 0.002 })).toBeCloseTo(0.008);
    expect(boundedStop(1, { min: 0.005, max: 0.05, roundTripCost: 0.002 })).toBe(0.05);
    expect([
      volatilitySize(0.001, 0.006, 0.8),
      volatilitySize(0.012, 0.006, 0.8),
      volatilitySize(9, 0.006, 0.8),
    ]).toEqual([0.8, 0.4, 0.05]);
    expect(isTradable(viewOf(ETH), 5_000)).toBe(true);
    expect(isTradable(viewOf(ETH, { rules: rulesOf(ETH, "suspend") }), 5_000)).toBe(false);
    expect(isTradable(viewOf(ETH, { ageMs: { ...viewOf(ETH).ageMs, book: 9_000, bbo: 9_000 } }), 5_000)).toBe(false);
  });
});
