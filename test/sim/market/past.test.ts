import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/time.ts";
import { perpSymbol } from "../../../src/domain/symbol.ts";
import { createGenerator } from "../../../src/sim/market/generator.ts";
import type { MarketInput } from "../../../src/sim/exchange/contract/market-api.ts";
import { symbolSpecs } from "../../../src/sim/symbol-table.ts";

const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const [BTC, SOL] = [perpSymbol("EXCHANGE_A", "BTC"), perpSymbol("EXCHANGE_A", "SOL")];

function market(seed: number) {
  const symbols = symbolSpecs({ exchanges: ["EXCHANGE_A"], phase: 1, only: [BTC, SOL] });
  const tape = createGenerator({ symbols, entropy: seededEntropy(seed) });
  const marks = new Map<string, number>();
  const ignore = (): void => undefined;
  const input: MarketInput = {
    setLiquidity: ignore,
    changeLiquidity: ignore,
    print: ignore,
    setMark: (symbol, mark) => void marks.set(symbol, mark.toNumber()),
    setFunding: ignore,
    setOpenInterest: ignore,
    setState: ignore,
  };
  tape.start(input, START_MS);
  return { tape, mark: (symbol: string) => marks.get(symbol) ?? NaN };
}

describe("the past of a generated market", () => {
  test("leads to where the market begins, in whole bars that have ended", () => {
    const { tape, mark } = market(7);
    for (const symbol of [BTC, SOL]) {
      for (const [interval, stepMs, count] of [
        ["1H", HOUR_MS, 22 * 24],
        ["1m", MINUTE_MS, 2 * 24 * 60],
      ] as const) {
        const bars = tape.past(symbol, interval);
        expect(bars.length).toBeGreaterThanOrEqual(count);
        bars.forEach((bar, at) => {
          expect(bar.openMs).toBe((bars[0]?.openMs ?? 0) + at * stepMs);
          expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
          expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        });
        const last = bars.at(-1);
        expect((last?.openMs ?? 0) + stepMs).toBeLessThanOrEqual(START_MS);
        expect(START_MS - (last?.openMs ?? 0)).toBeLessThan(2 * stepMs);
        expect(Math.abs(Math.log((last?.close ?? NaN) / mark(symbol)))).toBeLessThan(0.02);
      }
    }
  });

  test("is the same for the same seed, another for another, and asking for it changes nothing of the market", () => {
    const closes = (seed: number) =>
      market(seed)
        .tape.past(BTC, "1H")
        .map(({ close }) => close);
    expect(closes(7)).toEqual(closes(7));
    expect(closes(7)).not.toEqual(closes(8));
    const [asked, unasked] = [market(9), market(9)];
    asked.tape.past(SOL, "1m");
    for (const { tape } of [asked, unasked]) tape.step(START_MS + 5 * MINUTE_MS);
    expect(asked.mark(SOL)).toBe(unasked.mark(SOL));
  });

  test("hours and minutes of one time agree", () => {
    const { tape } = market(3);
    const minutes = new Map(tape.past(SOL, "1m").map((bar) => [bar.openMs, bar]));
    const hours = tape.past(SOL, "1H").filter(({ openMs }) => openMs >= START_MS - DAY_MS);
    expect(hours.length).toBeGreaterThan(20);
    for (const hour of hours) {
      expect(minutes.get(hour.openMs)?.open).toBeCloseTo(hour.open, 8);
      expect(minutes.get(hour.openMs + HOUR_MS - MINUTE_MS)?.close).toBeCloseTo(hour.close, 8);
    }
  });

  test("nothing is known of other intervals and symbols", () => {
    const { tape } = market(3);
    expect(tape.past(BTC, "5m")).toEqual([]);
    expect(tape.past("EXCHANGE_A_PERP_X_USDT", "1H")).toEqual([]);
  });
});
