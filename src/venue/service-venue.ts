/**
 * The trading service as a `Venue`: client, streams, clock and limits that share one key and one set of windows. The
 * folder's single entry; nothing outside imports the other files. Spec: 1 §4, §6, §8.
 */
import { mapOutcome } from "../core/outcome.ts";
import type { Secret } from "../core/secret.ts";
import type { Venue } from "../domain/venue.ts";
import type { ConnectOptions } from "../net/network.ts";
import type { LimiterState } from "../net/rate-limit.ts";
import { feesOf, userFeeRate } from "../protocol/trading/user-fee-rate.ts";
import { type VenueCall, given } from "./call.ts";
import { createMarketStream } from "./market-stream.ts";
import { routedClient } from "./order-route.ts";
import { createTradingClient } from "./trading-client.ts";
import { createUserStream, type ServiceUserStream } from "./user-stream.ts";
import type { VenueClock } from "./venue-clock.ts";
import { venueLimits } from "./venue-limits.ts";

/** The service's address and key. */
export interface ServiceAddress {
  /** `http(s)://host[:port]`. */
  readonly restUrl: string;
  /** `ws(s)://host[:port]/marketdata/v2/public`. */
  readonly marketWsUrl: string;
  /** `ws(s)://host[:port]/v1/private`. */
  readonly userWsUrl: string;
  readonly accessKey: Secret;
  readonly secretKey: Secret;
}

/** For `svc`: any endpoint by name, and the state that one command passes to the next. */
export interface ServiceVenue extends Venue {
  readonly call: VenueCall;
  readonly clock: Venue["clock"] & Pick<VenueClock, "note">;
  readonly limits: Venue["limits"] & { snapshot(): LimiterState; restore(state: LimiterState): void };
}

/** Sends nothing by itself; the caller requests the first measurement of the venue's time. */
export function connectService(address: ServiceAddress, options: ConnectOptions): ServiceVenue {
  const { env, log, openPatienceMs } = options;
  const keys = { accessKey: address.accessKey, secretKey: address.secretKey };
  const client = createTradingClient({ ...options, ...keys, baseUrl: address.restUrl });
  const { venueClock, limiter } = client;
  let user: ServiceUserStream | null = null;
  const isStreamUp = (): boolean => user?.health().loggedIn === true;
  const byStream = options.orderRoute === "user-stream";
  return {
    client: byStream ? routedClient(client, () => user) : client,
    call: client.call,
    clock: {
      nowMs: venueClock.nowMs,
      offset: venueClock.offset,
      note: venueClock.note,
      measure: client.measureClock,
    },
    limits: {
      ...venueLimits(limiter, { byStream, isStreamUp }),
      snapshot: () => limiter.snapshot(),
      restore: (state) => limiter.restore(state),
    },
    fees: async () => mapOutcome(await client.call(userFeeRate, {}), feesOf),
    streams: {
      market: (listener) => {
        // Compression within one process would only cost time.
        const binary = env.network === undefined || env.network.compressed === true;
        return createMarketStream({ ...listener, env, log, url: address.marketWsUrl, keys, binary, venueClock });
      },
      user: (on) => {
        const url = address.userWsUrl;
        user = createUserStream({ env, log, url, keys, on, venueClock, ...given({ openPatienceMs }) });
        return user;
      },
    },
  };
}
