/** The envelope of every push of the market stream: no `event` and no `code`, which tells it from an ack. Records §10.3. */
import type { MarketChannel } from "../../domain/market.ts";

/** A push before it becomes text; kline channels alone have an `interval`. */
export interface MarketPush {
  readonly arg: { readonly channel: MarketChannel; readonly sym: string; readonly interval?: string };
  readonly data: unknown;
}

/** Without an interval its member is left out, not sent as null. */
export const marketPush = (channel: MarketChannel, sym: string, data: unknown, interval?: string): MarketPush => ({
  arg: interval === undefined ? { channel, sym } : { channel, sym, interval },
  data,
});
