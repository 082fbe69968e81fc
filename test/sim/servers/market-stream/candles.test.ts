/** The figures of the last 24 hours are those of its minutes, whenever they are asked for. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Candles } from "../../../../src/sim/servers/market-stream/candles.ts";

const DAY_MS = 86_400_000;
const SYMBOL = "EXCHANGE_A_BTC_USDT_PERP";

function byHand(candles: Candles, nowMs: number): unknown {
  const running = candles.running("KLINE", SYMBOL, "1m");
  const bars = candles.minutes("KLINE", SYMBOL).filter((bar) => bar.openMs > nowMs - DAY_MS);
  const all = running ? [...bars, running] : bars;
  const [first] = all;
  if (!first) return null;
  return {
    open: first.open,
    high: Math.max(...all.map((bar) => bar.high)),
    low: Math.min(...all.map((bar) => bar.low)),
    volume: all.reduce((sum, bar) => sum + bar.volume, 0),
  };
}

it("the day is the sum of its minutes at every moment, across gaps and set-back clocks", () => {
  const step = fc.record({
    afterMs: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 20 * 3_600_000 })),
    price: fc.integer({ min: 1, max: 1_000 }),
    volume: fc.double({ min: 0, max: 10, noNaN: true }),
    lookMs: fc.integer({ min: -120_000, max: 600_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const candles = new Candles();
      let nowMs = Date.UTC(2026, 0, 5);
      for (const { afterMs, price, volume, lookMs } of steps) {
        nowMs += afterMs;
        candles.update("KLINE", SYMBOL, price, volume, nowMs);
        for (const atMs of [nowMs, nowMs + lookMs]) {
          const reported = candles.day(SYMBOL, atMs);
          expect(
            reported && { open: reported.open, high: reported.high, low: reported.low, volume: reported.volume },
          ).toEqual(byHand(candles, atMs));
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(new Candles().day(SYMBOL, 0)).toBeNull();
});

it("a bar that was rolled on without a trade is opened by the first trade, wherever that is", () => {
  const candles = new Candles();
  candles.update("KLINE", SYMBOL, 100, 1, 1_000);
  expect(candles.roll("KLINE", SYMBOL, 60_000)).toBe(true);
  expect(candles.running("KLINE", SYMBOL, "1m")).toMatchObject({ open: 100, high: 100, low: 100, volume: 0 });
  candles.update("KLINE", SYMBOL, 98, 2, 61_000);
  candles.update("KLINE", SYMBOL, 97, 1, 62_000);
  candles.update("KLINE", SYMBOL, 99, 1, 63_000);
  const bar = { openMs: 60_000, open: 98, high: 99, low: 97, close: 99, volume: 4 };
  expect(candles.running("KLINE", SYMBOL, "1m")).toEqual(bar);
  expect(candles.running("KLINE", SYMBOL, "5m")).toMatchObject({ open: 100, high: 100, low: 97 });
});
