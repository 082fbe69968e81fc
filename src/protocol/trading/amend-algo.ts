import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { triggerTypes } from "../normalize.ts";
import { algoIds } from "../records/algo-record.ts";
import { clientOrderId, oneOf, orderId, positiveDecimal } from "../request-fields.ts";
import { algoTriggerFields } from "./place-algo.ts";

/** Identifies an algo order by either of its ids. */
export const algoKeyFields = { algoOrderId: orderId.optional(), clientOrderId: clientOrderId.optional() };

/** Replaces quantity or triggers of a live algo order; omitted fields keep their values. */
export const amendAlgo = endpoint({
  method: "PUT",
  path: "/api/v1/algo/order",
  section: "1 §4.3; records §6.3",
  limit: { requests: 3, perMs: 50_000 },
  permission: "trade",
  normalize: triggerTypes("conditionalTriggerType", "tpTriggerType", "slTriggerType"),
  request: z
    .strictObject({ ...algoKeyFields, orderQty: positiveDecimal.optional(), ...algoTriggerFields })
    .check(oneOf("algoOrderId", "clientOrderId"))
    .check(oneOf("orderQty", ...Object.keys(algoTriggerFields))),
  reply: algoIds,
});
