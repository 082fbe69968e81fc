/** The fast run: what it promises about prices, money, time and repeatability. */
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { FastRunOptions } from "../../src/lab/fast/fast-run.ts";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { readFill } from "../../src/rows/fill.ts";
import { readTrade } from "../../src/rows/trade.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import type { Recorded } from "../../src/sim/market/recorded.ts";
import { lengthOf } from "../support/lengths.ts";
import { configOf, drawn, FROM_MS, madeBars, run, strategiesOf } from "./fast-scene.ts";

const flatBars = (minutes: number, price = 60_000) =>
  Array.from({ length: minutes }, (_, at) => {
    const wiggle = at % 2 === 0 ? 20 : -20;
    return [price, price + 30, price - 30, price + wiggle] as const;
  });

/** Goes long or short once with the first decision, and never again. */
function once(leg: "LONG" | "SHORT", more: Partial<TargetPosition> = {}): FastRunOptions["strategies"] {
  let asked = 0;
  const strategy = defineStrategy({
    name: "once",
    description: "One position, once.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: ({ symbols }) => {
      asked += 1;
      const target = (symbol: string): TargetPosition => ({
        symbol,
        leg,
        size: 1,
        stopDistance: 0.01,
        targetDistance: null,
        urgency: "take",
        reason: "once",
        evidence: [],
        ...more,
      });
      const targets = asked === 10 ? symbols.map(({ symbol }) => target(symbol)) : [];
      return { kind: "targets", targets, note: "once" };
    },
  });
  const armed = { strategy, settings: {}, msMax: Infinity };
  return { chosen: armed, fallback: armed, shadows: [] };
}

const BTC = configOf("hold", ["BTC"]);
const STOPPED = 90;

/** The one position is opened at minute 46 or so; then the price falls through its stop within one bar. */
const crash = (): readonly Recorded[] =>
  drawn([...flatBars(STOPPED), [60_000, 60_100, 58_000, 59_900], ...flatBars(30)]);

describe("inside a bar", () => {
  test("a long position meets the low before the high: its stop fires, near its price", () => {
    const fills: { readonly price: number; readonly minute: number }[] = [];
    const result = run(BTC, crash(), {
      strategies: once("LONG"),
      minutes: STOPPED + 20,
      onRow: ({ row, body }, atMs) => {
        if (row !== "fill") return;
        const { price } = readFill({ seq: 1, kind: row, body });
        fills.push({ price: price.toNumber(), minute: Math.floor((atMs - FROM_MS) / MINUTE_MS) });
      },
    });
    expect(result.closedPositions).toBe(1);
    const [opened, stopped] = fills;
    expect(stopped?.minute).toBe(STOPPED);
    const stop = (opened?.price ?? 0) * 0.99;
    expect(stopped?.price).toBeLessThan(stop);
    expect(stopped?.price).toBeGreaterThan(stop * 0.997);
  });

  test("a short position meets the high first: the same bar leaves it standing when the low was the far end", () => {
    const result = run(BTC, crash(), { strategies: once("SHORT"), minutes: STOPPED + 20 });
    expect(result.closedPositions).toBe(0);
    expect(result.executions).toBe(1);
  });

  test("a resting order fills when the price trades through it, not when it only comes near", () => {
    const rest = { urgency: "rest" } as const;
    const still = Array.from({ length: 80 }, () => [60_000, 60_000, 60_000, 60_000] as const);
    const never = run(BTC, drawn(still), { strategies: once("LONG", rest), minutes: 75 });
    expect(never.executions).toBe(0);
    const dips = still.map((bar, at) => (at > 40 ? ([60_000, 60_000, 59_900, 60_000] as const) : bar));
    const filled = run(BTC, drawn(dips), { strategies: once("LONG", rest), minutes: 75 });
    expect(filled.executions).toBeGreaterThan(0);
  });

  test.each([47, 48, 49, 50])("a resting order that fills in the quiet minute %i gets its stop in time", (minute) => {
    const withoutMs: number[] = [];
    const dip = [60_000, 60_000, 59_900, 60_000] as const;
    const still = Array.from({ length: 80 }, (_, at) =>
      at === minute ? dip : ([60_000, 60_000, 60_000, 60_000] as const),
    );
    const filled = run(BTC, drawn(still), {
      strategies: once("LONG", { urgency: "rest" }),
      minutes: 75,
      onRow: ({ row, body }) => {
        if (row === "protection" && "unprotectedMs" in body) withoutMs.push(Number(body["unprotectedMs"]));
      },
    });
    // The agent notices a fill that nothing announced, and a stop stands in time: the position lives on.
    expect(filled.executions).toBe(1);
    expect(withoutMs).toHaveLength(1);
    expect(withoutMs[0]).toBeLessThan(10_000);
  });
});

test("a settlement of funding is a row of the trade and no close", () => {
  const events: string[] = [];
  const result = run(BTC, drawn(flatBars(STOPPED + 30), STOPPED), {
    strategies: once("LONG", { stopDistance: 0.02 }),
    minutes: STOPPED + 20,
    onRow: ({ row, body }) => {
      if (row === "trade") events.push(readTrade({ seq: 1, kind: row, body }).event);
    },
  });
  expect(events).toEqual(["funding"]);
  expect([result.closedPositions, result.trades, result.executions]).toEqual([0, [], 1]);
  // 0.006 BTC at about 60,000 and a rate of 0.0001.
  expect(result.fundingUsdt.toNumber()).toBeCloseTo(0.036, 4);
});

test("a gap in the data halts a held symbol: the position lives on, and feels the leap at the end", () => {
  const low = flatBars(40, 59_800);
  const bars = drawn([...flatBars(STOPPED), ...Array.from({ length: 15 }, () => null), ...low]);
  const equities: number[] = [];
  const result = run(BTC, bars, {
    strategies: once("LONG"),
    minutes: STOPPED + 40,
    onMinute: (_done, equityUsdt) => equities.push(equityUsdt),
  });
  expect(result.executions).toBe(1);
  expect(new Set(equities.slice(STOPPED, STOPPED + 14)).size).toBe(1);
  expect(equities.at(-1)).toBeLessThan((equities[STOPPED] ?? 0) - 0.5);
});

describe.each(["momentum", "mean-reversion", "funding-carry", "ensemble"])("%s over a generated market", (use) => {
  const config = configOf(use, ["BTC", "ETH", "SOL"]);
  const hours = lengthOf(6, 8);
  const bars = madeBars(config, hours);

  interface Lived {
    readonly accounts: ReturnType<typeof run>["accounts"];
    readonly rows: readonly { readonly atMs: number; readonly text: string }[];
  }
  const lived = async (recorded: readonly Recorded[]): Promise<Lived> => {
    const rows: Lived["rows"][number][] = [];
    const { accounts } = run(config, recorded, {
      strategies: await strategiesOf(config),
      minutes: hours * 60,
      onRow: (row, atMs) => rows.push({ atMs, text: JSON.stringify(row) }),
    });
    return { accounts, rows };
  };
  let first: Lived;
  beforeAll(async () => {
    first = await lived(bars);
  }, 60_000);

  test("end equity is start, realised and unrealised result, fees and funding, to 1e-8", () => {
    const { endUsdt, startUsdt, realisedUsdt, unrealisedUsdt, feesUsdt, fundingUsdt } = first.accounts;
    const made = startUsdt.add(realisedUsdt).add(unrealisedUsdt).sub(feesUsdt).sub(fundingUsdt);
    expect(made.sub(endUsdt).abs().lte(dec("0.00000001"))).toBe(true);
  });

  test("a second run is the same to the last row", async () => {
    expect((await lived(bars)).rows).toEqual(first.rows);
  });

  test("what comes later changes no decision before it", async () => {
    const cutMs = FROM_MS + (hours - 1) * HOUR_MS;
    const before = ({ rows }: Lived) => rows.filter(({ atMs }) => atMs <= cutMs);
    expect(before(first).length).toBeGreaterThan(100);
    const other = await lived(bars.map((each) => otherAfter(each, cutMs)));
    expect(before(other)).toEqual(before(first));
    expect(other.rows).not.toEqual(first.rows);
  });
});

/** The same bars up to an instant, and other prices after it. */
function otherAfter(recorded: Recorded, cutMs: number): Recorded {
  const { candles } = recorded;
  const shift = (column: Float64Array): Float64Array =>
    column.map((value, at) => ((candles.openMs[at] ?? 0) >= cutMs ? Math.round(value * 1.07) : value));
  const [open, high, low, close] = [candles.open, candles.high, candles.low, candles.close].map(shift);
  if (!open || !high || !low || !close) throw new Error("four columns were given");
  return { ...recorded, candles: { ...candles, open, high, low, close } };
}
