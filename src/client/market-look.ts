/**
 * A single look at the market: one authenticated subscription, the first message, then the socket is closed. The
 * service's REST has no ticker, book, candle or open interest. Spec: 1 §6.1; 3 §4.2.
 */
import type { BookLevel } from "../domain/market.ts";
import type { Env } from "../core/ids.ts";
import type { Outcome } from "../core/outcome.ts";
import type { VenueStreams } from "../domain/venue.ts";
import { NOOP_SINK, type MarketSink, type MarketSubscription } from "../domain/market.ts";
import type { MarketLook } from "../faces/contract/client.ts";
import { rejected } from "../protocol/codes.ts";

/** The stream sends at least every two seconds; this is twice that plus the time to connect. */
const PATIENCE_MS = 8_000;

interface LookOptions {
  readonly env: Env;
  readonly streams: VenueStreams;
}

type Listen<T> = (report: (value: T) => void) => Partial<MarketSink>;

interface Question<T> {
  readonly subscription: MarketSubscription;
  readonly listen: Listen<T>;
  readonly signal: AbortSignal;
}

function lookOnce<T>({ env, streams }: LookOptions, question: Question<T>): Promise<Outcome<T>> {
  const { subscription, listen, signal } = question;
  return new Promise((resolve) => {
    let ended = false;
    const end = (outcome: Outcome<T>): void => {
      if (ended) return;
      ended = true;
      stopWaiting();
      signal.removeEventListener("abort", cancelled);
      stream.stop();
      resolve(outcome);
    };
    const cancelled = (): void => end({ kind: "not-sent", message: "the market look was cancelled" });
    const stream = streams.market({
      sink: { ...NOOP_SINK, ...listen((value) => end({ kind: "done", value })) },
      onHealth: ({ refused }) => {
        const first = refused[0];
        if (first) end(rejected(first.code, `the stream refused ${first.symbol} ${first.channel}`));
      },
    });
    const stopWaiting = env.clock.after(PATIENCE_MS * env.clock.scale, () =>
      end({
        kind: "unknown",
        message: `the market stream sent nothing for ${subscription.symbol} within ${PATIENCE_MS} ms`,
      }),
    );
    if (signal.aborted) return cancelled();
    signal.addEventListener("abort", cancelled, { once: true });
    stream.want([subscription]);
    stream.start();
  });
}

/** Best first, from the levels of one whole book message. */
function bookListener(
  report: (book: { bids: BookLevel[]; asks: BookLevel[]; atMs: number }) => void,
): Partial<MarketSink> {
  const bids = new Map<number, number>();
  const asks = new Map<number, number>();
  let atMs = 0;
  const levels = (side: ReadonlyMap<number, number>, down: boolean): BookLevel[] =>
    [...side].map(([price, qty]) => ({ price, qty })).sort((a, b) => (down ? b.price - a.price : a.price - b.price));
  return {
    bookBegin: (_symbol, snapshot, _seq, tsMs) => {
      if (snapshot) {
        bids.clear();
        asks.clear();
      }
      atMs = tsMs;
    },
    bookSide: (bid, changed, count) => {
      const side = bid ? bids : asks;
      for (let at = 0; at < count; at++) {
        const [price = NaN, qty = 0] = changed.subarray(2 * at, 2 * at + 2);
        if (qty === 0) side.delete(price);
        else side.set(price, qty);
      }
    },
    bookEnd: () => report({ bids: levels(bids, true), asks: levels(asks, false), atMs }),
  };
}

/** Each look has its own socket and takes 8 s at most: unknown if nothing came, rejected if refused. */
export function createMarketLook(env: Env, streams: VenueStreams): MarketLook {
  const options = { env, streams };
  return {
    ticker: (symbol, signal) =>
      lookOnce(options, {
        subscription: { channel: "TICKER", symbol },
        signal,
        listen: (report) => ({
          ticker: (_symbol, last, changePercent, high, low, volume, atMs) =>
            report({ last, changePercent, high, low, volume, atMs }),
        }),
      }),
    book: (symbol, signal) =>
      lookOnce(options, { subscription: { channel: "ORDER_BOOK", symbol }, signal, listen: bookListener }),
    openInterest: (symbol, signal) =>
      lookOnce(options, {
        subscription: { channel: "OPEN_INTEREST", symbol },
        signal,
        listen: (report) => ({ openInterest: (_symbol, openInterest, atMs) => report({ openInterest, atMs }) }),
      }),
    candle: (symbol, interval, signal, kind = "KLINE") =>
      lookOnce(options, {
        subscription: { channel: kind, symbol, interval },
        signal,
        listen: (report) => ({
          kline: (_kind, _symbol, _interval, openMs, open, high, low, close, volume) =>
            report({ openMs, open, high, low, close, volume }),
        }),
      }),
  };
}
