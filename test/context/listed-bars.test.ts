/** Lists and squared returns of bars are kept from one reading to the next; they must be those of the bars as they are. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { CandleSeries } from "../../src/context/candles.ts";
import type { Candle } from "../../src/domain/market.ts";

const CAPACITY = 12;

function squares(bars: readonly Candle[], count: number): number[] {
  const found: number[] = [];
  for (let at = bars.length - 1; at > Math.max(0, bars.length - count); at--) {
    const [before, bar] = [bars[at - 1], bars[at]];
    if (!before || !bar || bar.openMs - before.openMs !== 1) break;
    found.push(Math.log(bar.close / before.close) ** 2);
  }
  return found;
}

it("agrees with a freshly made list, whatever bars come, change or are missing between readings", () => {
  const step = fc.record({ opens: fc.integer({ min: -7, max: 2 }), close: fc.integer({ min: 1, max: 9 }) });
  const reading = fc.record({ count: fc.integer({ min: 0, max: CAPACITY + 2 }) });
  fc.assert(
    fc.property(fc.array(fc.oneof(step, reading), { maxLength: 80 }), (actions) => {
      const series = new CandleSeries(1, CAPACITY);
      let bars: Candle[] = [];
      for (const action of actions) {
        if ("count" in action) {
          const wanted = bars.slice(Math.max(0, bars.length - action.count));
          expect(series.list(action.count)).toEqual(wanted);
          const into = new Float64Array(CAPACITY);
          const known = series.squaresInARow(action.count, into);
          expect([...into.subarray(0, known)]).toEqual(squares(bars, action.count));
          continue;
        }
        const openMs = (bars.at(-1)?.openMs ?? 100) + action.opens;
        const { close } = action;
        if (!series.bar(openMs, close, close, close, close, 1)) continue;
        const bar = { openMs, open: close, high: close, low: close, close, volume: 1 };
        const at = bars.findIndex((each) => each.openMs === openMs);
        bars = at < 0 ? [...bars, bar].slice(-CAPACITY) : bars.with(at, bar);
      }
    }),
    { numRuns: 500 },
  );
});

it("is a list that no reader can change for the others, made anew or from the one before", () => {
  const series = new CandleSeries(1, CAPACITY);
  for (const openMs of [1, 2, 3]) {
    series.bar(openMs, 1, 1, 1, 1, 1);
    expect(() => (series.list(CAPACITY) as Candle[]).push()).toThrow(TypeError);
  }
  expect(() => (series.list(2) as Candle[]).reverse()).toThrow(TypeError);
  expect(series.list(CAPACITY).map(({ openMs }) => openMs)).toEqual([1, 2, 3]);
});
