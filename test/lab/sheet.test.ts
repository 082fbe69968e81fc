/** What a report says of a run, against figures that were worked out by hand. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import type { MarketBars } from "../../src/lab/sheet/market-bars.ts";
import { basketOf, extremes, hourlyOf, priceBefore, regimeAt, sheetBars } from "../../src/lab/sheet/market-bars.ts";
import { collectRunRows } from "../../src/lab/sheet/run-rows.ts";
import { sheetData, thinned } from "../../src/lab/sheet/sheet-run.ts";
import { equityRow } from "../../src/rows/equity.ts";
import { fillRow } from "../../src/rows/fill.ts";
import { positionRow } from "../../src/rows/position.ts";
import type { RowValue } from "../../src/rows/row.ts";
import { tradeRow } from "../../src/rows/trade.ts";
import { verdictRow } from "../../src/rows/verdict.ts";
import { configOf, drawn, FROM_MS, madeBars, run, strategiesOf } from "./fast-scene.ts";
import { marketBars } from "../../src/lab/sheet/market-bars.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const START = Date.UTC(2026, 0, 5);

function barsOf(closes: readonly number[], intervalMs = MINUTE_MS): MarketBars {
  const column = (of: (close: number) => number): Float64Array => Float64Array.from(closes, of);
  return {
    symbol: BTC,
    intervalMs,
    openMs: Float64Array.from(closes, (_, at) => START + at * intervalMs),
    open: column((close) => close),
    high: column((close) => close + 2),
    low: column((close) => close - 3),
    close: column((close) => close),
  };
}

describe("the market of a report", () => {
  const bars = barsOf([100, 101, 99, 105, 104]);

  test("the price at an instant is the close of the bar that had ended", () => {
    expect(priceBefore(bars, START)).toBeNull();
    expect(priceBefore(bars, START + MINUTE_MS)).toBe(100);
    expect(priceBefore(bars, START + 2.5 * MINUTE_MS)).toBe(101);
    expect(priceBefore(bars, START + 60 * MINUTE_MS)).toBe(104);
  });

  test("extremes take every bar that the span touches", () => {
    expect(extremes(bars, START + 1.5 * MINUTE_MS, START + 3 * MINUTE_MS)).toEqual({ low: 96, high: 107 });
    expect(extremes(bars, START - 10 * MINUTE_MS, START - 5 * MINUTE_MS)).toBeNull();
  });

  test("bars are widened until they fit, without losing an extreme", () => {
    const many = barsOf(Array.from({ length: 4_000 }, (_, at) => 100 + Math.sin(at / 50) * 10));
    const shown = sheetBars(many, START, START + 4_000 * MINUTE_MS);
    expect(shown.openMs.length).toBe(800);
    expect(Math.max(...shown.high)).toBeCloseTo(Math.max(...many.high), 4);
    expect(Math.min(...shown.low)).toBeCloseTo(Math.min(...many.low), 4);
    expect(shown.close.at(-1)).toBeCloseTo(many.close.at(-1) ?? 0, 4);
  });

  test("the basket holds all symbols in equal parts from the start on", () => {
    const other = { ...barsOf([50, 50, 50, 50, 25]), symbol: "OTHER" };
    const basket = basketOf([bars, other], [START + MINUTE_MS, START + 5 * MINUTE_MS], 1_000);
    expect(basket?.value).toEqual([1_000, (1_000 * (1.04 + 0.5)) / 2]);
  });

  test("a steady climb is rising, a wobble is ranging, and rough hours are violent", () => {
    const wobble = (at: number): number => 100 + (at % 2);
    const calm = Array.from({ length: 60 }, (_, at) => wobble(at));
    const climb = Array.from({ length: 30 }, (_, at) => 100 + at + wobble(at) - 100);
    const rough = Array.from({ length: 26 }, (_, at) => 130 + (at % 2) * 8);
    const hourly = hourlyOf(barsOf([...calm, ...climb, ...rough], HOUR_MS));
    expect(regimeAt(hourly, START + 10 * HOUR_MS)).toBe("not known");
    expect(regimeAt(hourly, START + 50 * HOUR_MS)).toBe("ranging, calm");
    expect(regimeAt(hourly, START + 88 * HOUR_MS)).toBe("rising, calm");
    expect(regimeAt(hourly, START + 116 * HOUR_MS)).toBe("ranging, violent");
  });
});

test("no trough is lost where equity is thinned out", () => {
  const points = Array.from({ length: 20_000 }, (_, at) => ({
    atMs: at,
    equityUsdt: at === 12_345 ? 801.5 : 1_000 + (at % 7),
  }));
  const { atMs, value } = thinned(points);
  expect(atMs.length).toBeLessThanOrEqual(2_000);
  expect(Math.min(...value)).toBe(801.5);
  expect([atMs[0], atMs.at(-1)]).toEqual([0, 19_999]);
});

describe("the rows of a run", () => {
  const rows: readonly (readonly [RowValue, number])[] = [
    [equityRow({ equityUsdt: dec("1000"), positions: 0, anchors: null }), START],
    [fill("1", "2", "100", "0.5"), START + MINUTE_MS],
    // The same execution, found again in the list.
    [fill("1", "2", "100", "0.5"), START + MINUTE_MS],
    [held("2"), START + MINUTE_MS],
    [
      tradeRow({
        event: "funding",
        leg: `${BTC}|LONG`,
        amountUsdt: dec("-0.25"),
        rate: 0.0001,
        atMs: START + 2 * MINUTE_MS,
      }),
      START + 2 * MINUTE_MS,
    ],
    [refused("cushion"), START + 3 * MINUTE_MS],
    [refused("cushion"), START + 4 * MINUTE_MS],
    [verdictRow({ symbol: BTC, leg: "LONG", skipped: "smaller than 5 USDT" }), START + 4 * MINUTE_MS],
    [verdictRow({ symbol: BTC, leg: "LONG", skipped: "smaller than 7.5 USDT" }), START + 4 * MINUTE_MS],
    [fill("2", "2", "104", "0.5"), START + 5 * MINUTE_MS],
    [held("0"), START + 5 * MINUTE_MS],
    [closed(), START + 5 * MINUTE_MS],
    [equityRow({ equityUsdt: dec("1006.75"), positions: 0, anchors: null }), START + 6 * MINUTE_MS],
  ];
  const collector = collectRunRows(() => dec("1"));
  for (const [{ kind, body }, atMs] of rows) collector.note({ kind, body, decisionId: null }, atMs);
  const gathered = collector.gathered();
  const run = {
    name: "one",
    points: gathered.equity,
    rows: gathered,
    about: [],
    contractSize: () => 1,
  };
  const [sheet] = sheetData("t", [run], [barsOf([100, 101, 99, 105, 104, 104])]).runs;
  const figure = (name: string) => sheet?.figures.find((one) => one.name === name)?.value;

  test("an execution that is reported twice counts once", () => {
    expect(gathered.fills).toBe(2);
    expect(gathered.tradedUsdt).toBe(408);
    expect(figure("fees")).toBe(1);
    expect(figure("funding")).toBe(0.25);
    // The settlement is a row of the trade, and no close.
    expect(figure("trades")).toBe(1);
  });

  test("costs are a share of the result before them; the break-even fee is that result over the trades", () => {
    expect(figure("share of costs")).toBeCloseTo(1.25 / 8, 10);
    expect(figure("break-even fee")).toBeCloseTo(((6.75 + 1) / 408) * 1e4, 10);
  });

  test("the worst and the best of a trade are the bars' extremes while it was held", () => {
    expect(sheet?.trades[0]).toMatchObject({
      worst: 96 / 100 - 1,
      best: 107 / 100 - 1,
      netUsdt: 6.75,
      regime: "not known",
    });
  });

  test("reasons that differ only in their figures are one reason", () => {
    expect(sheet?.refusals).toEqual([
      { what: "cushion", count: 2, example: "no room" },
      { what: "smaller than N USDT", count: 2, example: "smaller than 5 USDT" },
    ]);
  });

  test("trades are grouped by symbol, hour, exit and market", () => {
    expect(
      sheet?.groupings.map(({ by, groups }) => [by, groups.map(({ key, netUsdt, won }) => [key, netUsdt, won])]),
    ).toEqual([
      ["symbol", [[BTC, 6.75, 1]]],
      ["hour", [["00", 6.75, 1]]],
      ["exit", [["target", 6.75, 1]]],
      ["regime", [["not known", 6.75, 1]]],
    ]);
  });
});

test("a fast run and its report agree on every trade, on fees and on what was held", { timeout: 60_000 }, async () => {
  const config = configOf("momentum", ["BTC", "ETH"]);
  const bars = madeBars(config, 5);
  const collector = collectRunRows(() => dec("1"));
  const result = run(config, bars, {
    strategies: await strategiesOf(config),
    minutes: 5 * 60,
    onRow: ({ row, body, decisionId }, atMs) => collector.note({ kind: row, body, decisionId }, atMs),
  });
  const rows = collector.gathered();
  expect(result.trades.length).toBeGreaterThan(3);
  expect(rows.trades).toEqual(result.trades);
  expect(rows.fills).toBe(result.executions);
  const given = { name: "momentum", points: result.points, rows, about: [], contractSize: () => 1 };
  const [sheet] = sheetData("t", [given], bars.map(marketBars)).runs;
  const paid = sheet?.costs.fees.at(-1) ?? 0;
  expect(paid).toBeCloseTo(result.feesUsdt.toNumber(), 2);
  expect(sheet?.trades.length).toBe(result.closedPositions);
  expect(sheet?.trades.every(({ worst, best }) => worst !== null && worst <= 0 && best !== null && best >= 0)).toBe(
    true,
  );
  const most = Math.max(...(sheet?.exposure.long ?? []), ...(sheet?.exposure.short ?? []));
  expect(most).toBeGreaterThan(0);
  expect(sheet?.equity.atMs[0]).toBe(FROM_MS);
  expect(drawn([[100, 101, 99, 100]]).map(marketBars)[0]?.high[0]).toBe(101);
});

function fill(transactionId: string, qty: string, price: string, fee: string): RowValue {
  return fillRow({
    transactionId,
    orderId: "o",
    clientOrderId: "c",
    symbol: BTC,
    side: "BUY",
    qty: dec(qty),
    price: dec(price),
    fee: dec(fee),
    realizedPnl: dec("0"),
    liquidity: "TAKER",
    atMs: START + MINUTE_MS,
    leg: `${BTC}|LONG`,
    opening: true,
  });
}

function held(qty: string): RowValue {
  return positionRow({
    leg: `${BTC}|LONG`,
    symbol: BTC,
    side: "LONG",
    kind: qty === "0" ? "closed" : "opened",
    qty: dec(qty),
    avgPrice: dec("100"),
    strategy: null,
    thesis: null,
    basis: "none",
    stopPrice: null,
    targetPrice: null,
    openedAtMs: null,
    trail: undefined,
  } as Parameters<typeof positionRow>[0]);
}

function refused(limit: string): RowValue {
  return verdictRow({
    clientOrderId: "c",
    symbol: BTC,
    side: "BUY",
    kind: "denied",
    verdicts: [
      { limit: "floor", kind: "allow", found: "1", allowed: "2", reason: "" },
      { limit, kind: "deny", found: "1", allowed: "0", reason: "no room" },
    ],
  });
}

function closed(): RowValue {
  return tradeRow({
    event: "closed",
    id: "t1",
    symbol: BTC,
    side: "LONG",
    qty: dec("2"),
    entryPrice: dec("100"),
    exitPrice: dec("104"),
    feesUsdt: dec("1"),
    fundingUsdt: dec("-0.25"),
    netUsdt: dec("6.75"),
    openedAtMs: START + MINUTE_MS,
    closedAtMs: START + 5 * MINUTE_MS,
    decisionId: null,
    strategy: "momentum",
    thesis: "it rose",
    basis: "market",
    exit: "target",
    exitReason: "",
  });
}
