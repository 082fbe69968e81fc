import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, renamed, upperCased } from "../normalize.ts";
import { exchange, symbol } from "../request-fields.ts";

/** The parameters of DELETE cancelAll and the args of the user stream's cancel_orders. Records §5.4, §11.2. */
export const cancelAllRequest = z.strictObject({ sym: symbol.optional(), exchangeType: exchange.optional() });
/** Accepts `exchange` for `exchangeType`, and both values in any case; for REST and the user stream. */
export const cancelAllSpellings = inOrder(renamed({ exchange: "exchangeType" }), upperCased("sym", "exchangeType"));

/**
 * Cancels every plain open order that matches; without parameters, those of the whole portfolio. Nothing to cancel is
 * success.
 */
export const cancelAllOrders = endpoint({
  method: "DELETE",
  path: "/api/v1/trading/cancelAll",
  section: "1 §4.2; records §5.4",
  limit: { requests: 10, perMs: 10_000 },
  permission: "trade",
  successStatus: 202,
  normalize: cancelAllSpellings,
  request: cancelAllRequest,
  reply: z.looseObject({}),
});
