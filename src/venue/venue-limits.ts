/** The service's limits for other rooms: documented rates, and when the next request of a kind could be sent. */
import type { PacedWrite, VenueLimits, VenueRates } from "../domain/venue.ts";
import type { RateLimiter } from "../net/rate-limit.ts";
import { USER_STREAM_LIMITS } from "../protocol/limits.ts";
import { amendAlgo } from "../protocol/trading/amend-algo.ts";
import { amendOrder } from "../protocol/trading/amend-order.ts";
import { REST_RATES } from "../protocol/rest-rates.ts";
import { placeAlgo } from "../protocol/trading/place-algo.ts";
import { placeOrder } from "../protocol/trading/place-order.ts";

const PACED = {
  "algo.place": { endpoint: placeAlgo, wait: { priority: "protect", patienceMs: 60_000 } },
  "algo.replace": { endpoint: amendAlgo, wait: { priority: "protect", patienceMs: 60_000 } },
  "order.replace": { endpoint: amendOrder, wait: { priority: "replace", patienceMs: 30_000 } },
  "order.place": { endpoint: placeOrder, wait: { priority: "open", patienceMs: 30_000 } },
} as const;

/** Stops go by REST on either route. */
const STREAM_RATES: VenueRates = {
  ...REST_RATES,
  "order.place": USER_STREAM_LIMITS.actions.place_order,
  "order.replace": USER_STREAM_LIMITS.actions.replace_order,
};

const isOrder = (write: PacedWrite): boolean => write === "order.place" || write === "order.replace";

/** Whether orders should go over the user stream, and whether they can now. */
export interface OrderWay {
  readonly byStream: boolean;
  isStreamUp(): boolean;
}

/** Orders over the user stream use none of the REST windows. */
export const venueLimits = (limiter: RateLimiter, way: OrderWay): VenueLimits => ({
  rates: way.byStream ? STREAM_RATES : REST_RATES,
  ready: async (write) => {
    if (isOrder(write) && way.byStream && way.isStreamUp()) return;
    const { endpoint, wait } = PACED[write];
    await limiter.ready(`${endpoint.method} ${endpoint.path}`, endpoint.limit, wait);
  },
  tightened: () => limiter.tightened(),
});
