import { describe, expect, test } from "vitest";
import { createContext } from "../../src/context/context.ts";
import type { SymbolView } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { warmPast } from "../../src/lab/fast/past.ts";
import type { Recorded } from "../../src/sim/market/recorded.ts";
import { barsBefore } from "../../src/sim/market/recorded-past.ts";
import { headroomOf, viewOf } from "../strategy/snapshots.ts";
import { drawn, FROM_MS } from "./fast-scene.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";

/** Five hours of minutes from `FROM_MS` on, each closing one dollar higher than the one before. */
const rising = (): Recorded => {
  const [recorded] = drawn(
    Array.from({ length: 300 }, (_, at) => [1_000 + at, 1_001 + at, 1_000 + at, 1_001 + at] as const),
  );
  if (!recorded) throw new Error("bars have just been drawn");
  return {
    ...recorded,
    funding: [FROM_MS + HOUR_MS, FROM_MS + 4 * HOUR_MS].map((atMs) => ({ atMs, rate: dec("0.0001") })),
  };
};

const seen = (fromMs: number): SymbolView => {
  const context = createContext({ universe: [BTC], intervals: ["1m", "1H"] });
  warmPast(context, [rising()], fromMs);
  return context.snapshot({ atMs: fromMs, account: null, headroom: headroomOf() }).symbols[0] ?? viewOf(BTC);
};

describe("what a fast run knows when it begins", () => {
  test("hours are made of the minutes before the start, whole ones only", () => {
    const span = { fromMs: FROM_MS, untilMs: FROM_MS + 3.5 * HOUR_MS, stepMs: HOUR_MS };
    expect(
      barsBefore(rising(), span).map(({ openMs, open, high, low, close }) => [openMs, open, high, low, close]),
    ).toEqual(
      [0, 1, 2].map((hour) => [
        FROM_MS + hour * HOUR_MS,
        1_000 + 60 * hour,
        1_060 + 60 * hour,
        1_000 + 60 * hour,
        1_060 + 60 * hour,
      ]),
    );
  });

  test("no bar and no settlement after the start is known, wherever the start falls", () => {
    for (const minutes of [0, 1, 59, 60, 61, 200, 299]) {
      const fromMs = FROM_MS + minutes * MINUTE_MS;
      const { candles, history } = seen(fromMs);
      // Prices rise with every minute: a bar of later prices would show a higher one.
      const bars = [...(candles["1m"] ?? []), ...(candles["1H"] ?? [])];
      expect(Math.max(0, ...bars.map(({ high }) => high))).toBe(minutes === 0 ? 0 : 1_000 + minutes);
      expect(Math.max(0, ...history.fundingSettled.map(({ atMs }) => atMs))).toBeLessThanOrEqual(fromMs);
      expect(history.hourlyCloses).toHaveLength(Math.floor(minutes / 60));
    }
  });

  test("what was settled before the start is known", () => {
    expect(seen(FROM_MS + 2 * HOUR_MS).history.fundingSettled).toEqual([{ atMs: FROM_MS + HOUR_MS, rate: 0.0001 }]);
  });
});
