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
import { prove } from "./harness.ts";
import { FEW_SYMBOLS } from "./symbols.ts";

prove(
  [
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
  {
    // Phase II: every perpetual may be traded, and the default leverage of 5 is within the cap.
    phase: 2,
    symbols: FEW_SYMBOLS,
  },
);
