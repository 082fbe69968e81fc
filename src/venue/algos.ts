/**
 * Take-profit and stop-loss orders over REST. Each call is limited to three in 50 s, so placing goes first. Spec: 1
 * §4.3; records §6.
 */
import { toWire } from "../core/decimal.ts";
import { mapOutcome } from "../core/outcome.ts";
import type { AlgoChange, VenuePort } from "../domain/venue-calls.ts";
import { readAlgoOrder } from "../protocol/records/algo-record.ts";
import { amendAlgo } from "../protocol/trading/amend-algo.ts";
import { cancelAlgo } from "../protocol/trading/cancel-algo.ts";
import { openAlgos } from "../protocol/trading/open-algos.ts";
import { placeAlgo, placeAlgoToWire } from "../protocol/trading/place-algo.ts";
import { queryAlgo } from "../protocol/trading/query-algo.ts";
import { ANSWERS_SOON_MS, type CallOptions, given, type VenueCall } from "./call.ts";
import { allPages } from "./pages.ts";

type AlgoCalls = Pick<VenuePort, "placeAlgo" | "amendAlgo" | "cancelAlgo" | "algo" | "openAlgos">;

/** The agent asks again in its turn: attempts at once would take the slots of its next questions. */
const STOPS_READ: CallOptions = { attempts: 1, timeoutMs: 2 * ANSWERS_SOON_MS };
const STOP_WRITE: CallOptions = { priority: "protect", timeoutMs: ANSWERS_SOON_MS };

/** Placing and amending wait for their slot as "protect", ahead of everything else. */
export function algoCalls(call: VenueCall): AlgoCalls {
  return {
    placeAlgo: async (order) => {
      const outcome = await call(placeAlgo, placeAlgoToWire(order), STOP_WRITE);
      return mapOutcome(outcome, (ids) => ({ algoOrderId: String(ids.algoOrderId) }));
    },
    amendAlgo: async (key, change) =>
      mapOutcome(await call(amendAlgo, { ...key, ...changeToWire(change) }, STOP_WRITE), () => undefined),
    cancelAlgo: async (key) => mapOutcome(await call(cancelAlgo, key, { priority: "cancel" }), () => undefined),
    algo: async (key) => mapOutcome(await call(queryAlgo, key), readAlgoOrder),
    openAlgos: async (symbol) =>
      mapOutcome(await allPages(call, openAlgos, given({ sym: symbol }), STOPS_READ), (rows) =>
        rows.map(readAlgoOrder),
      ),
  };
}

function changeToWire(change: AlgoChange) {
  const { triggerType } = change;
  return given({
    orderQty: change.qty && toWire(change.qty),
    conditionalTriggerPrice: change.triggerPrice && toWire(change.triggerPrice),
    conditionalTriggerType: change.triggerPrice && triggerType,
    tpTriggerPrice: change.takeProfitPrice && toWire(change.takeProfitPrice),
    tpTriggerType: change.takeProfitPrice && triggerType,
    slTriggerPrice: change.stopLossPrice && toWire(change.stopLossPrice),
    slTriggerType: change.stopLossPrice && triggerType,
    tpPrice: change.takeProfitLimitPrice && toWire(change.takeProfitLimitPrice),
    slPrice: change.stopLossLimitPrice && toWire(change.stopLossLimitPrice),
  });
}
