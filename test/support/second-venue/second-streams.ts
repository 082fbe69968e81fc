/** What the second exchange pushes: prices four times a second, and its account events with their times. */
import type { MarketSubscription } from "../../../src/domain/market.ts";
import { homeExchange } from "../../../src/domain/symbol.ts";
import type { VenueStreams } from "../../../src/domain/venue.ts";
import type { ConnectOptions } from "../../../src/net/network.ts";
import { algoOf, executionOf, isStop, orderUpdateOf, positionOf, type RawEvent, rawSymbol } from "./dialect.ts";
import type { SecondExchange } from "./exchange.ts";

const TICK_MS = 250;

export function streamsOf(second: SecondExchange, { env: { clock }, exchanges }: ConnectOptions): VenueStreams {
  const exchange = homeExchange(exchanges);
  return {
    market: ({ sink, onHealth }) => {
      let wanted: readonly MarketSubscription[] = [];
      let stop = (): void => undefined;
      let up = false;
      const health = () => ({
        up,
        sockets: { up: up ? 1 : 0, needed: 1 },
        acknowledged: up ? wanted.length : 0,
        wanted: wanted.length,
        refused: [],
        lastFrameAtMs: up ? clock.nowMs() : null,
        reason: up ? "" : "not connected",
      });
      const tick = (): void => {
        const atMs = second.nowMs();
        sink.received(clock.nowMs());
        for (const symbol of new Set(wanted.map((subscription) => subscription.symbol))) {
          const price = second.prices.get(rawSymbol(symbol))?.toNumber();
          if (price === undefined) continue;
          const [bid, ask] = [price - 0.1, price + 0.1];
          sink.bbo(symbol, bid, 50, ask, 50, atMs);
          sink.bookBegin(symbol, true, atMs, atMs);
          sink.bookSide(true, Float64Array.of(bid, 50), 1);
          sink.bookSide(false, Float64Array.of(ask, 50), 1);
          sink.bookEnd();
          sink.mark(symbol, price, atMs);
          sink.index(symbol, price, atMs);
          sink.trade(symbol, true, price, 0.1, atMs);
        }
      };
      return {
        want: (subscriptions) => {
          wanted = subscriptions;
        },
        start: () => {
          stop = clock.every(TICK_MS, () => {
            tick();
            if (up) return;
            up = true;
            onHealth?.(health());
          });
        },
        stop: () => {
          stop();
          up = false;
        },
        health,
      };
    },
    user: (on) => {
      let stop: (() => void) | null = null;
      const hear = (event: RawEvent): void => {
        if (event.e === "ORDER_TRADE_UPDATE") {
          if (isStop(event.o)) on.algo?.(algoOf(exchange, event.o));
          else on.order?.(orderUpdateOf(exchange, event.o));
          if (event.t) on.execution?.(executionOf(exchange, event.t));
          return;
        }
        const { symbol, side, qty, avgPrice, leverage } = positionOf(exchange, event.p);
        on.position?.({ symbol, positionSide: side, qty, avgPrice, leverage, atMs: event.T });
      };
      return {
        start: () => {
          stop = second.listen(hear);
          clock.after(TICK_MS, () => on.up?.());
        },
        stop: () => {
          stop?.();
          stop = null;
        },
        health: () => ({ loggedIn: stop !== null, reason: stop === null ? "not connected" : "" }),
      };
    },
  };
}
