/** When a write could leave at once: the venue's own limits, asked beforehand. Stops always go by REST. */
import type { LoopParts } from "../agent/shell/parts.ts";
import type { RateLimiter } from "../net/rate-limit.ts";
import { amendAlgo } from "../protocol/trading/amend-algo.ts";
import { amendOrder } from "../protocol/trading/amend-order.ts";
import { placeAlgo } from "../protocol/trading/place-algo.ts";
import { placeOrder } from "../protocol/trading/place-order.ts";

const TURNS = {
  "algo.place": { endpoint: placeAlgo, target: { priority: "protect", patienceMs: 60_000 } },
  "algo.replace": { endpoint: amendAlgo, target: { priority: "protect", patienceMs: 60_000 } },
  "order.replace": { endpoint: amendOrder, target: { priority: "replace", patienceMs: 30_000 } },
  "order.place": { endpoint: placeOrder, target: { priority: "open", patienceMs: 30_000 } },
} as const;

const isOrder = (action: keyof typeof TURNS): boolean => action === "order.place" || action === "order.replace";

/** `byStream` says whether orders go over the user stream now, where none of these limits is in the way. */
export const writeTurns =
  (limiter: RateLimiter, byStream: () => boolean): NonNullable<LoopParts["turn"]> =>
  async (action) => {
    if (isOrder(action) && byStream()) return;
    const { endpoint, target } = TURNS[action];
    await limiter.ready(`${endpoint.method} ${endpoint.path}`, endpoint.limit, target);
  };
