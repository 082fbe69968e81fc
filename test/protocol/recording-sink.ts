import type { MarketSink } from "../../src/domain/market.ts";

export type Reported = readonly [method: string, ...args: unknown[]];

/** A sink that writes down what it is given. */
export function recordingSink(): { sink: MarketSink; reported: Reported[] } {
  const reported: Reported[] = [];
  const note =
    (method: string) =>
    (...args: unknown[]): void =>
      void reported.push([method, ...args]);
  const sink: MarketSink = {
    received: note("received"),
    ticker: note("ticker"),
    bbo: note("bbo"),
    bookBegin: note("bookBegin"),
    bookSide: (bid, levels, count) => {
      for (let at = 0; at < count; at++) reported.push(["bookLevel", bid, levels[2 * at], levels[2 * at + 1]]);
    },
    bookEnd: note("bookEnd"),
    trade: note("trade"),
    mark: note("mark"),
    index: note("index"),
    openInterest: note("openInterest"),
    kline: note("kline"),
  };
  return { sink, reported };
}
