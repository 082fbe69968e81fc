/** A hundred switches among all strategies there are, on a venue that answers late and refuses at times. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { RISK } from "../support/risk.ts";
import { listStrategies, loadStrategy } from "../../src/strategy/registry.ts";
import { BTC, ETH, holding, ready, scripted, settingsOf, target, type World } from "../support/agent-world.ts";
import { virtualVenue } from "../support/virtual-venue.ts";

const rows = (w: World, kind: string): Record<string, unknown>[] =>
  w.of("record").flatMap((record) => (record.row === kind ? [record.body] : []));

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
      ...RISK,
      reentryCooldown: 4_000,
      flipCooldown: 4_000,
      minHolding: 0,
      ordersPerHour: 10_000,
    };
    const settings = settingsOf({
      risk,
      cadence: {
        every: 6_000,
        minGap: 1_000,
        firstAfter: 500,
        onNews: true,
        newsSymbolsMax: 5,
        onFill: true,
        moveSigma: 4,
      },
    });
    const entropy = seededEntropy("switching");
    const pick = <T>(list: readonly T[]): T => list[entropy.int("pick", 0, list.length)] as T;
    /** Keeps orders and positions coming, so that every switch finds some. */
    const busy = scripted("busy", () => ({
      kind: "targets",
      targets: [BTC, ETH].map((symbol) =>
        target({
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
