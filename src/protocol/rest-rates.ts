/** The documented rates of the endpoints whose use the agent paces. Spec: 1 §8.1. */
import type { VenueRates } from "../domain/venue.ts";
import { account } from "./trading/account.ts";
import { amendAlgo } from "./trading/amend-algo.ts";
import { amendOrder } from "./trading/amend-order.ts";
import { cancelAlgo } from "./trading/cancel-algo.ts";
import { executions } from "./trading/executions.ts";
import { openAlgos } from "./trading/open-algos.ts";
import { placeAlgo } from "./trading/place-algo.ts";
import { placeOrder } from "./trading/place-order.ts";

/** Each is a number of requests in a sliding window of `perMs`. */
export const REST_RATES: VenueRates = {
  "algo.place": placeAlgo.limit,
  "algo.replace": amendAlgo.limit,
  "order.replace": amendOrder.limit,
  "order.place": placeOrder.limit,
  "algo.cancel": cancelAlgo.limit,
  "algo.list": openAlgos.limit,
  "account.read": account.limit,
  "execution.list": executions.limit,
};
