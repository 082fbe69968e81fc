import { describe, expect, test } from "vitest";
import { createContext, type Context } from "../../src/context/context.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { type CandleSource, type Candle, KLINE_INTERVAL_MS } from "../../src/domain/market.ts";
import { createHistory } from "../../src/history/fill-history.ts";
import { AT_MS, BTC, ETH, headroomOf } from "../strategy/snapshots.ts";
import { recordingLog } from "../net/servers.ts";

interface Asked {
  readonly symbol: string;
  readonly interval: string;
  readonly limit: number;
  readonly atMs: number;
}

function scene() {
  const clock = virtualClock(AT_MS);
  const log = recordingLog();
  const context = createContext({ universe: [BTC, ETH], intervals: ["1m", "1H"] });
  context.sink.received(AT_MS);
  for (const symbol of [BTC, ETH]) context.sink.mark(symbol, 100, AT_MS);
  const asked: Asked[] = [];
  /** Bars that close at `price`, as far back as `forMs`, newest page first where `most` is small. */
  const source = (
    price: (symbol: string) => number,
    given: Partial<CandleSource> & { forMs?: number } = {},
  ): CandleSource => ({
    name: "archive",
    most: 3_000,
    candles: (symbol, interval, limit, beforeMs = clock.nowMs()) => {
      asked.push({ symbol, interval, limit, atMs: clock.nowMs() });
      const stepMs = KLINE_INTERVAL_MS[interval] ?? NaN;
      const count = Math.min(limit, Math.floor((given.forMs ?? 60 * DAY_MS) / stepMs));
      const lastMs = Math.ceil(beforeMs / stepMs) * stepMs - stepMs;
      const bars = Array.from({ length: count }, (_, at): Candle => {
        const close = price(symbol) * (1 + 0.001 * (at % 2));
        return { openMs: lastMs - (count - 1 - at) * stepMs, open: close, high: close, low: close, close, volume: 1 };
      });
      return Promise.resolve(bars);
    },
    ...given,
  });
  const fill = async (sources: readonly CandleSource[], forMs = 2 * HOUR_MS) => {
    const history = createHistory({ clock, log, context, symbols: [BTC, ETH], sources });
    const ending = new AbortController();
    const done = history.fill(ending.signal);
    await clock.advance(forMs);
    ending.abort();
    await clock.advance(MINUTE_MS);
    await done;
    return history.status();
  };
  return { clock, log, context, asked, source, fill };
}

const known = (context: Context, atMs: number) =>
  context
    .snapshot({ atMs, account: null, headroom: headroomOf() })
    .symbols.map(({ history }) => Object.keys(history.horizons).length);

describe("the past at a start", () => {
  test("is asked for symbol by symbol with a pause, and then known", async () => {
    const { context, asked, source, fill, log } = scene();
    expect(await fill([source(() => 100)])).toEqual({ symbols: 2, lacking: [], sources: ["archive"] });
    expect(known(context, AT_MS)).toEqual([5, 5]);
    expect(asked.map(({ symbol, interval }) => [symbol, interval])).toEqual(
      [BTC, ETH].flatMap((symbol) => [
        [symbol, "1H"],
        [symbol, "1m"],
      ]),
    );
    const gaps = asked.slice(1).map(({ atMs }, at) => atMs - (asked[at]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600);
    expect(log.lines.find(({ evt }) => evt === "history.filled")?.msg).toMatch(
      /for 2 of 2 symbols \(2 from the archive\)/,
    );
  });

  test("is paged where a source answers few rows at once", async () => {
    const { context, asked, source, fill } = scene();
    expect((await fill([source(() => 100, { most: 1_000 })])).lacking).toEqual([]);
    expect(asked.filter(({ symbol, interval }) => symbol === BTC && interval === "1m")).toHaveLength(3);
    expect(context.barsSince(BTC, "1m", AT_MS - 2 * DAY_MS)).toBeGreaterThan(2_700);
  });

  test("of another price is another market's and is refused, named and asked for again", async () => {
    const { context, source, fill, log, asked } = scene();
    const status = await fill([source((symbol) => (symbol === BTC ? 100 : 200))], 20 * MINUTE_MS);
    expect(status.lacking).toEqual([ETH]);
    expect(known(context, AT_MS)).toEqual([5, 0]);
    expect(
      log.lines
        .filter(({ evt }) => evt === "history.filled")
        .map(({ msg }) => msg)
        .join(),
    ).toMatch(/lacking: ETH; asked again/);
    expect(asked.filter(({ symbol }) => symbol === ETH).length).toBeGreaterThan(2);
  });

  test("what one source lacks comes from the next", async () => {
    const { context, source, fill } = scene();
    const near = source(() => 100, { name: "folder", forMs: 3 * DAY_MS });
    expect((await fill([near, source(() => 100)])).lacking).toEqual([]);
    expect(known(context, AT_MS)).toEqual([5, 5]);
  });

  test("a source that throws stops nothing else, and none is said to be none", async () => {
    const broken = scene();
    const disk = { name: "broken", most: 10, candles: () => Promise.reject(new Error("no disk")) };
    expect((await broken.fill([disk, broken.source(() => 100)])).lacking).toEqual([]);
    expect(broken.log.lines.find(({ evt }) => evt === "history.failed")?.msg).toContain("no disk");
    const empty = scene();
    await empty.fill([]);
    expect(empty.log.lines.find(({ evt }) => evt === "history.filled")?.msg).toContain(
      "name a folder or a public source",
    );
  });

  test("bars that have not ended are left out", async () => {
    const { context, clock, source, fill } = scene();
    await fill([source(() => 100)]);
    expect(context.bars(BTC, "1H", 1)[0]?.openMs).toBeLessThanOrEqual(clock.nowMs() - HOUR_MS);
  });
});
