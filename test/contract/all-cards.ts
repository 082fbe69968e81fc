/** Every surface, so that the cards can be counted and their ids be held apart. */
import { aiGateway } from "./cards/ai-gateway.ts";
import { feedRest } from "./cards/feed-rest.ts";
import { feedStream } from "./cards/feed-stream.ts";
import { lineByLine } from "./cards/line-by-line.ts";
import { marketChannels } from "./cards/market-channels.ts";
import { marketStream } from "./cards/market-stream.ts";
import { orderQueue } from "./cards/order-queue.ts";
import { phaseChange } from "./cards/phase-change.ts";
import { phaseOne } from "./cards/phase-one.ts";
import { restAccount } from "./cards/rest-account.ts";
import { restAlgoCalls } from "./cards/rest-algo-calls.ts";
import { restAlgo } from "./cards/rest-algo.ts";
import { restAuth } from "./cards/rest-auth.ts";
import { restLimits } from "./cards/rest-limits.ts";
import { restOrderQueries } from "./cards/rest-order-queries.ts";
import { restOrderLife } from "./cards/rest-order-life.ts";
import { restOrders } from "./cards/rest-orders.ts";
import { restPositions } from "./cards/rest-positions.ts";
import { restReference } from "./cards/rest-reference.ts";
import { marginEnd, trouble } from "./cards/trouble.ts";
import { userPushes } from "./cards/user-pushes.ts";
import { userStream } from "./cards/user-stream.ts";
import type { Surface } from "./harness.ts";

export const ALL_SURFACES: readonly Surface[] = [
  restAuth,
  restAccount,
  restOrders,
  restOrderLife,
  restOrderQueries,
  orderQueue,
  restAlgo,
  restAlgoCalls,
  restPositions,
  restReference,
  restLimits,
  marketStream,
  marketChannels,
  userStream,
  userPushes,
  feedRest,
  feedStream,
  aiGateway,
  lineByLine,
  phaseOne,
  phaseChange,
  trouble,
  marginEnd,
];
