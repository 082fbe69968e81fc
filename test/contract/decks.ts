/** Which cards share one service, and how that service is set. Each deck is proven over real sockets and in process. */
import { ZERO } from "../../src/core/decimal.ts";
import { aiGateway } from "./cards/ai-gateway.ts";
import { clientDiscovery } from "./cards/client-discovery.ts";
import { clientOrders } from "./cards/client-orders.ts";
import { clientPositions } from "./cards/client-positions.ts";
import { clientPreviews } from "./cards/client-previews.ts";
import { clientReads } from "./cards/client-reads.ts";
import { clientSessions } from "./cards/client-sessions.ts";
import { feedRest } from "./cards/feed-rest.ts";
import { feedStream } from "./cards/feed-stream.ts";
import { lineByLine } from "./cards/line-by-line.ts";
import { marketChannels } from "./cards/market-channels.ts";
import { marketStream } from "./cards/market-stream.ts";
import { orderQueue } from "./cards/order-queue.ts";
import { partialFill, THIN_SYMBOLS } from "./cards/partial-fill.ts";
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
import type { Deck } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

export const REST: Deck = {
  name: "rest",
  surfaces: [
    restAuth,
    restAccount,
    restOrders,
    restOrderLife,
    restOrderQueries,
    restAlgo,
    restAlgoCalls,
    restPositions,
    restReference,
    restLimits,
  ],
  // Phase II: every perpetual may be traded, and the default leverage of 5 is within the cap.
  service: { phase: 2, symbols: FEW_SYMBOLS },
};

export const STREAMS: Deck = {
  name: "streams",
  surfaces: [lineByLine, orderQueue, marketStream, marketChannels, userStream, userPushes],
  service: { phase: 2, symbols: FEW_SYMBOLS },
};

export const FEEDS_AND_MODELS: Deck = {
  name: "feeds and models",
  surfaces: [feedRest, feedStream, aiGateway],
  service: { phase: 2, symbols: FEW_SYMBOLS },
};

export const CLIENT: Deck = {
  name: "client",
  surfaces: [clientDiscovery, clientPreviews, clientSessions, clientReads, clientOrders, clientPositions],
  // Each card runs whole programs.
  atOnce: 4,
  service: { phase: 2, symbols: FEW_SYMBOLS },
};

export const PHASE_ONE: Deck = { name: "phase one", surfaces: [phaseOne], service: { phase: 1 } };

export const PHASE_CHANGE: Deck = {
  name: "phase change",
  surfaces: [phaseChange],
  service: { phase: 1, symbols: FEW_SYMBOLS },
};

export const TROUBLE: Deck = {
  name: "trouble",
  surfaces: [trouble],
  // These faults strike everybody.
  oneByOne: true,
  // Half a minute before a funding.
  service: { phase: 2, symbols: FEW_SYMBOLS, startMs: Date.UTC(2026, 0, 5, 15, 59, 30) },
};

export const MARGIN_END: Deck = {
  name: "margin's end",
  surfaces: [marginEnd],
  // An empty insurance fund, so that a forced close beyond it is seen.
  service: { phase: 2, symbols: FEW_SYMBOLS, settings: { eliminationBelowUsdt: null, insuranceFundUsdt: ZERO } },
};

export const PARTIAL_FILL: Deck = {
  name: "partial fill",
  surfaces: [partialFill],
  service: { phase: 2, symbols: THIN_SYMBOLS },
};

export const ALL_DECKS: readonly Deck[] = [
  REST,
  STREAMS,
  FEEDS_AND_MODELS,
  CLIENT,
  PHASE_ONE,
  PHASE_CHANGE,
  TROUBLE,
  MARGIN_END,
  PARTIAL_FILL,
];
