/** Partly recorded candles: that part is played as it was, and the candle is exact all the same. */
import fc from "fast-check";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/time.ts";
import { candlePrints, type PathPrint, type WholeCandle } from "../../../src/sim/market/candle-path.ts";
import { partlyRecorded } from "../../../src/sim/market/part-candle.ts";
import { readTradeFiles } from "../../../src/sim/market/trades.ts";
import { REAL_DATA } from "./data-folder.ts";
import { served, stage } from "./played-books.ts";

function candleFrom(prints: readonly PathPrint[]) {
  const ticks = prints.map((print) => print.ticks);
  return {
    open: ticks[0],
    high: Math.max(...ticks),
    low: Math.min(...ticks),
    close: ticks.at(-1),
    volume: prints.reduce((sum, { lots }) => sum + lots, 0),
  };
}

const candles = fc
  .record({
    open: fc.integer({ min: 900, max: 1_100 }),
    close: fc.integer({ min: 900, max: 1_100 }),
    up: fc.nat(40),
    down: fc.nat(40),
    volume: fc.integer({ min: 200, max: 100_000 }),
    minutes: fc.constantFrom(1, 5, 60),
  })
  .map(({ open, close, up, down, volume, minutes }): WholeCandle => {
    const [high, low] = [Math.max(open, close) + up, Math.min(open, close) - down];
    return { openMs: 6_000_000, intervalMs: minutes * MINUTE_MS, open, high, low, close, volume };
  });

test("a candle comes out exactly, whatever part of it was recorded", () => {
  let made = 0;
  fc.assert(
    fc.property(candles, fc.integer(), fc.nat(100), fc.nat(100), (candle, seed, a, b) => {
      const truth = candlePrints(candle, seededEntropy(seed));
      const [from, to] = [Math.min(a, b), Math.max(a, b)].map((share) => Math.floor((share / 101) * truth.length));
      const prints = truth.slice(from, (to ?? 0) + 1);
      const [begins, ends] = [(from ?? 0) > 0, (to ?? 0) < truth.length - 1];
      const found = partlyRecorded(candle, { prints, begins, ends }, (part, name) =>
        candlePrints(part, seededEntropy(`${seed} ${name}`)),
      );
      if (!found) return;
      made++;
      expect(candleFrom(found.prints)).toEqual(candleFrom(truth));
      const at = found.prints.indexOf(prints[0] as PathPrint);
      expect(found.prints.slice(at, at + prints.length)).toEqual(prints);
      const times = found.prints.map(({ atMs }) => atMs);
      expect(times).toEqual([...times].sort((x, y) => x - y));
      expect(times.every((atMs) => atMs >= candle.openMs && atMs < candle.openMs + candle.intervalMs)).toBe(true);
      const { fromMs, untilMs } = found.fine;
      const inside = found.prints.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
      expect(inside).toEqual(prints);
    }),
    { numRuns: 400 },
  );
  // Some parts cannot belong to a candle around them, such as one whose rest would have too little volume.
  expect(made).toBeGreaterThan(300);
});

test.each([
  ["prices beyond the candle's", { ticks: 2_000, lots: 1 }],
  ["more volume than the candle's", { ticks: 1_000, lots: 500 }],
  ["another open, though the recording is older", { ticks: 1_001, lots: 1 }, false],
])("trades of %s are of another market: the path is made", (_, print, begins = true) => {
  const candle = { openMs: 0, intervalMs: MINUTE_MS, open: 1_000, high: 1_010, low: 990, close: 1_000, volume: 400 };
  const prints = [{ atMs: 30_000, takerBuys: true, ...print }];
  expect(partlyRecorded(candle, { prints, begins, ends: true }, () => [])).toBeNull();
});

const TRADES = join(REAL_DATA, "trades/usdm-BTCUSDT-20240808.csv.gz");
const HOURS = join(REAL_DATA, "klines-1h/perp-2024-07_09/BTCUSDT.csv.gz");
test.skipIf(!existsSync(TRADES) || !existsSync(HOURS))(
  `the last minutes of an hour of ${REAL_DATA} are recorded trades, the hour is the exchange's own`,
  { timeout: 240_000 },
  () => {
    const fromMs = Date.UTC(2024, 7, 8, 23);
    const on = stage({ dir: REAL_DATA, window: "1h/perp-2024-07_09", fromMs }, fromMs);
    const { tickSize, lotSize } = on.spec.rules;
    const prints: PathPrint[] = [];
    on.exchange.onPublic((event) => {
      if (event.kind !== "trade") return;
      const { takerBuys, price, qty, atMs } = event;
      prints.push({ takerBuys, ticks: price.div(tickSize).toNumber(), lots: qty.div(lotSize).toNumber(), atMs });
    });
    const someMs = fromMs + HOUR_MS - 3 * MINUTE_MS;
    const play = (sinceMs: number, untilMs: number): void => {
      for (let atMs = sinceMs; atMs < untilMs; atMs += 2_000) on.tape.step(atMs);
      on.tape.step(untilMs);
    };
    play(fromMs, someMs);
    // A made book has some thirty levels a side.
    expect(served(on).bids.length).toBeGreaterThan(1_000);
    play(someMs, fromMs + HOUR_MS - 1);
    expect(candleFrom(prints)).toEqual({
      open: 623_019,
      high: 627_372,
      low: 615_903,
      close: 616_598,
      volume: 29_737_984,
    });
    const source = readTradeFiles([TRADES]);
    const real = source.ok ? source.value : null;
    expect(prints.slice(-(real?.count ?? 0)).map(({ atMs }) => atMs)).toEqual([...(real?.atMs ?? [])]);
  },
);
