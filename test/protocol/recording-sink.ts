import type { MarketSink } from "../../src/domain/market.ts";

export type Told = readonly [method: string, ...args: unknown[]];

/** A sink that writes down what it is told. */
export function recordingSink(): { sink: MarketSink; told: Told[] } {
  const told: Told[] = [];
  const note =
    (method: string) =>
    (...args: unknown[]): void =>
      void told.push([method, ...args]);
  const sink: MarketSink = {
    received: note("received"),
    ticker: note("ticker"),
    bbo: note("bbo"),
    bookBegin: note("bookBegin"),
    bookLevel: note("bookLevel"),
    bookEnd: note("bookEnd"),
    trade: note("trade"),
    mark: note("mark"),
    index: note("index"),
    openInterest: note("openInterest"),
    kline: note("kline"),
  };
  return { sink, told };
}
