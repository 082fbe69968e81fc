/** Another strategy takes over: at a safe point, under a stated handover, without losing anything that is held. */
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Strategies, StrategyChange } from "../../src/agent/events.ts";
import { afterSwitch, handoverAt, noHandover } from "../../src/agent/handover.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { DEFAULT_RISK_SETTINGS } from "../../src/risk/settings.ts";
import { listStrategies, loadStrategy } from "../../src/strategy/registry.ts";
import {
  BTC,
  ETH,
  holding,
  position,
  ready,
  scripted,
  settingsOf,
  update,
  wish,
  type World,
} from "../support/agent-world.ts";
import { virtualVenue } from "../support/virtual-venue.ts";

const LONG = `${BTC}|LONG`;
const wanting = (name: string, ...wishes: ReturnType<typeof wish>[]): Strategies => ({
  chosen: scripted(name, () => ({ kind: "wishes", wishes, note: "as told" })),
  fallback: holding(),
});
const to = (w: World, strategies: Strategies, change: Partial<StrategyChange> = {}): void =>
  void w.feed({
    kind: "settings",
    settings: settingsOf(),
    strategies,
    change: { handover: "adopt", by: "operator", request: "q-1", ...change },
  });
const rows = (w: World, kind: string): Record<string, unknown>[] =>
  w.of("record").flatMap((record) => (record.row === kind ? [record.body] : []));

function withPosition(strategies = wanting("first")): World {
  const w = ready({ strategies });
  w.sweep({ positions: [position(BTC, "0.004", "60000")] });
  w.tick();
  return w;
}

describe("a switch", () => {
  test("is one journal row with what differs, and answers the command that asked", () => {
    const w = withPosition();
    to(w, wanting("second"));
    expect(rows(w, "switch")).toMatchObject([
      {
        from: "first",
        to: "second",
        by: "operator",
        handover: "adopt",
        differences: ["strategy: first → second"],
        positions: [LONG],
      },
    ]);
    expect(w.last("answer")).toMatchObject({ request: "q-1", body: { ok: true, switch: { to: "second" } } });
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: "second", mind: { lastSwitch: { to: "second" } } });
  });

  test("to what decides already changes nothing, and says so", () => {
    const w = withPosition();
    to(w, wanting("first"));
    expect(rows(w, "switch")).toHaveLength(0);
    expect(w.last("answer")).toMatchObject({ body: { ok: true, switch: { differences: [] } } });
  });

  test("waits for a question that is on its way, and the old strategy reads the answer", () => {
    const asking = scripted(
      "first",
      () => ({
        kind: "ask",
        questions: [
          {
            prompt: "p",
            variables: {},
            replySchema: z.unknown(),
            replySchemaName: "any",
            maxOutputTokens: 10,
            fingerprint: "f",
          },
        ],
      }),
      () => ({ kind: "wishes", wishes: [], note: "read by the first" }),
    );
    const w = ready({ strategies: { chosen: asking, fallback: holding() } });
    w.tick(1_000);
    expect(w.of("ask-model")).toHaveLength(1);
    to(w, wanting("second"));
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: "first", mind: { switchWaits: "second" } });
    w.feed({
      kind: "model",
      decisionId: w.last("ask-model").decisionId,
      answer: { kind: "answered", value: {}, model: "m", cached: false, costUsd: "0", detail: {} },
    });
    expect(w.agent.status(w.nowMs).lastDecision).toMatchObject({ strategy: "first", result: "read by the first" });
    w.tick();
    expect(w.agent.status(w.nowMs)).toMatchObject({ strategy: "second", mind: { switchWaits: null } });
    // A question that nobody answers holds up a switch for half a minute and no longer.
    to(w, { chosen: asking, fallback: holding() });
    w.tick(60_000);
    expect(w.of("ask-model")).toHaveLength(2);
    to(w, wanting("third"));
    w.tick(29_000);
    expect(w.agent.status(w.nowMs).strategy).toBe("first");
    w.tick(2_000);
    expect(w.agent.status(w.nowMs).strategy).toBe("third");
  });
});

describe("the handover", () => {
  test("adopt leaves positions, their stops and orders on their way alone", () => {
    const w = withPosition(wanting("first", wish({ symbol: ETH })));
    w.tick(1_000);
    const before = w.effects.length;
    to(w, wanting("second"));
    const asked = w.effects.slice(before).map((effect) => effect.kind);
    expect(asked.filter((kind) => kind === "close" || kind === "cancel" || kind === "cancel-algo")).toEqual([]);
    expect(w.agent.recheck(w.last("place").intent, w.nowMs)).toBeNull();
  });

  test("close closes what is held until it is gone, and an order that has not left does not leave", () => {
    const w = withPosition(wanting("first", wish({ symbol: ETH })));
    w.tick(1_000);
    to(w, wanting("second"), { handover: "close" });
    w.tick();
    expect(w.of("close").map((close) => close.known.symbol)).toEqual([BTC]);
    expect(w.agent.recheck(w.last("place").intent, w.nowMs)).toMatch(/replaced/);
    for (let seconds = 0; seconds < 10; seconds++) w.tick(1_000);
    expect(w.of("close").length).toBeGreaterThan(1);
  });

  test("close closes too what an order that was on its way still opened", () => {
    const w = withPosition(wanting("first", wish({ symbol: ETH })));
    w.tick(1_000);
    const placed = w.last("place");
    to(w, wanting("second"), { handover: "close" });
    w.feed({ kind: "order", update: update(placed, { state: "FILLED", executedQty: placed.intent.draft.order.qty }) });
    w.feed({
      kind: "position",
      update: {
        symbol: ETH,
        positionSide: "LONG",
        qty: placed.intent.draft.order.qty,
        avgPrice: placed.intent.draft.order.qty,
        leverage: 2,
      },
    });
    w.tick();
    expect(w.of("close").map((close) => close.known.symbol)).toContain(ETH);
  });

  test("wind-down adds nothing, keeps the stop, and closes what is left at its deadline", () => {
    const w = ready({ strategies: wanting("first", wish({ size: 0.3 })) });
    const venue = virtualVenue(w);
    const pass = (seconds: number): void => {
      for (let passed = 0; passed < seconds; passed++) {
        w.tick(1_000);
        venue.turn();
      }
    };
    pass(20);
    const placed = w.of("place").length;
    expect(venue.positions.has(LONG)).toBe(true);
    w.feed({
      kind: "settings",
      settings: settingsOf({ windDownMs: 600_000 }),
      strategies: wanting("second", wish({ size: 1 })),
      change: { handover: "wind-down", by: "file", request: null },
    });
    pass(590);
    expect(w.of("place")).toHaveLength(placed);
    expect(w.of("close")).toEqual([]);
    expect(w.agent.status(w.nowMs)).toMatchObject({
      mind: { leaving: [LONG] },
      positions: [{ protection: "live", strategy: "first" }],
    });
    pass(20);
    expect(w.of("close")).toHaveLength(1);
    expect(rows(w, "order").map((row) => row["why"])).toContain("handover to another strategy");
    expect(venue.positions.has(LONG)).toBe(false);
  });

  test("what a restart finds goes on: a close that has begun, a wind-down until its deadline", () => {
    const closing = afterSwitch(noHandover, { handover: "close", atMs: 100, untilMs: 900 });
    const adopted = afterSwitch(closing, { handover: "adopt", atMs: 200, untilMs: 900 });
    expect(adopted.closeBeforeMs).toBe(100);
    const winding = afterSwitch(adopted, { handover: "wind-down", atMs: 300, untilMs: 900 });
    expect(handoverAt(winding, 899)).toBe(winding);
    expect(handoverAt(winding, 900)).toMatchObject({ closeBeforeMs: 300, windDownBeforeMs: -Infinity });
    const w = ready({
      restored: {
        mind: {
          handover: { ...noHandover, closeBeforeMs: Date.UTC(2027, 0, 1) },
          lastSwitch: null,
          books: new Map(),
          lessons: [],
        },
      },
    });
    w.sweep({ positions: [position(BTC, "0.004", "60000")] });
    w.tick();
    expect(w.of("close").map((close) => close.known.symbol)).toEqual([BTC]);
  });
});

describe("a hundred switches among all strategies", () => {
  const SWITCHES = 100;
  const PROTECT_WITHIN_MS = 15_000;
  const armed: Strategies["chosen"][] = [];
  beforeAll(async () => {
    for (const name of listStrategies()) {
      const loaded = await loadStrategy(name, name === "momentum" ? { horizon: "fast", entryScore: 0.3 } : undefined);
      if (!loaded.ok) throw new Error(loaded.error);
      armed.push(loaded.value);
    }
  });

  test("lose no position, order, protection or beat", () => {
    const risk = {
      ...DEFAULT_RISK_SETTINGS,
      reentryCooldownMs: 4_000,
      flipCooldownMs: 4_000,
      minHoldingMs: 0,
      ordersPerHour: 10_000,
    };
    const settings = settingsOf({
      risk,
      cadence: { everyMs: 6_000, minGapMs: 1_000, firstAfterMs: 500, onNews: true, onFill: true, moveSigma: 4 },
    });
    const entropy = seededEntropy("switching");
    const pick = <T>(list: readonly T[]): T => list[entropy.int("pick", 0, list.length)] as T;
    /** Keeps orders and positions coming, so that every switch finds some. */
    const busy = scripted("busy", () => ({
      kind: "wishes",
      wishes: [BTC, ETH].map((symbol) =>
        wish({
          symbol,
          leg: pick(["LONG", "LONG", "LONG", "SHORT"] as const),
          size: pick([0.3, 0.3, 0.6]),
          urgency: pick(["take", "take", "rest"] as const),
        }),
      ),
      note: "busy",
    }));
    const w = ready({ strategies: { chosen: busy, fallback: holding() }, settings });
    const venue = virtualVenue(w, () => ({
      stances: [{ symbol: pick([BTC, ETH]), stance: pick(["LONG", "SHORT", "FLAT"]), evidence: ["ret1h"] }],
    }));
    const prices = new Map([
      [BTC, 60_000],
      [ETH, 3_000],
    ]);
    const nakedSince = new Map<string, number>();
    let lost = 0;
    const pass = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += 500) {
        for (const [symbol, price] of prices) {
          const next = price * (1 + (entropy.next("walk") - 0.5) * 0.0004);
          prices.set(symbol, next);
          w.price(symbol, next);
        }
        w.tick(500);
        venue.turn();
        const guarded = new Set([...venue.algos.values()].map((algo) => `${algo.symbol}|${algo.positionSide}`));
        for (const key of nakedSince.keys()) if (!venue.positions.has(key) || guarded.has(key)) nakedSince.delete(key);
        for (const key of venue.positions.keys())
          if (!guarded.has(key)) nakedSince.set(key, nakedSince.get(key) ?? w.nowMs);
        for (const sinceMs of nakedSince.values()) if (w.nowMs - sinceMs > PROTECT_WITHIN_MS + 3_000) lost += 1;
      }
    };
    pass(20_000);
    const policies = ["adopt", "wind-down", "close", "adopt"] as const;
    let heldAtSwitch = 0;
    for (let count = 0; count < SWITCHES; count++) {
      const chosen = count % 2 === 0 ? (armed[(count / 2) % armed.length] ?? busy) : busy;
      const handover = policies[entropy.int("policy", 0, policies.length)] ?? "adopt";
      const algosBefore = new Set(venue.algos.keys());
      const before = w.effects.length;
      heldAtSwitch += venue.positions.size > 0 ? 1 : 0;
      w.feed({
        kind: "settings",
        settings,
        strategies: { chosen, fallback: holding() },
        change: { handover, by: "operator", request: `q-${count}` },
      });
      const atOnce = w.effects.slice(before).map((effect) => effect.kind);
      // Protection is never given up by a switch, and adopting asks for nothing at all.
      expect(atOnce).not.toContain("cancel-algo");
      if (handover === "adopt") expect(atOnce).not.toContain("cancel");
      expect([...algosBefore].filter((id) => !venue.algos.has(id))).toEqual([]);
      pass(pick([6_000, 14_000, 22_000]));
    }
    pass(40_000);

    expect(rows(w, "switch")).toHaveLength(SWITCHES);
    expect(w.of("answer")).toHaveLength(SWITCHES);
    expect(heldAtSwitch).toBeGreaterThan(SWITCHES / 5);
    expect(lost).toBe(0);
    const ids = w.of("place").map((effect) => effect.intent.clientOrderId);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
    const status = w.agent.status(w.nowMs);
    expect(status.positions.map((held) => `${held.symbol}|${held.side} ${held.qty}`).sort()).toEqual(
      [...venue.positions].map(([key, held]) => `${key} ${held.qty.toFixed()}`).sort(),
    );
    const known = new Set(status.orders.map((order) => order.clientOrderId));
    expect([...venue.orders.keys()].filter((id) => !known.has(id))).toEqual([]);
    // Every promise has an end, or is an order that the venue still has.
    const opened = rows(w, "intent")
      .filter((row) => row["event"] === "open")
      .map((row) => row["intentId"]);
    const ended = new Set(
      rows(w, "intent")
        .filter((row) => row["event"] === "end")
        .map((row) => row["intentId"]),
    );
    expect(opened.filter((id) => !ended.has(id) && !known.has(String(id)))).toEqual([]);
    const beats = rows(w, "beat").length;
    const spanMs = w.nowMs - (w.agent.status(w.nowMs).uptime.sinceMs ?? w.nowMs);
    expect(beats).toBeGreaterThanOrEqual(Math.floor(spanMs / 10_500));
    expect(status.uptime.ratio).toBe(1);
  }, 60_000);
});
