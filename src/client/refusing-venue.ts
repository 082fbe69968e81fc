/** The venue of a machine without credentials: every call returns "not-sent", which cannot be misread. */
import type { VenuePort } from "../domain/venue-calls.ts";

/** `reason` is the message of every result. */
export function refusingVenue(reason: string): VenuePort {
  const refuse = () => Promise.resolve({ kind: "not-sent" as const, message: reason });
  return {
    account: refuse,
    assets: refuse,
    symbolRules: refuse,
    markPrices: refuse,
    fundingRate: refuse,
    ranking: refuse,
    leverage: refuse,
    setLeverage: refuse,
    setPositionMode: refuse,
    placeOrder: refuse,
    amendOrder: refuse,
    cancelOrder: refuse,
    cancelAll: refuse,
    order: refuse,
    openOrders: refuse,
    orderHistory: refuse,
    executions: refuse,
    positions: refuse,
    closePosition: refuse,
    closeAllPositions: refuse,
    placeAlgo: refuse,
    amendAlgo: refuse,
    cancelAlgo: refuse,
    algo: refuse,
    openAlgos: refuse,
  };
}
