import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { algoRecord } from "../records/algo-record.ts";
import { oneOf, orderId } from "../request-fields.ts";
import { algoKeyFields } from "./amend-algo.ts";

/** One algo order; `attachedOrderId` finds the protection that was attached to a plain order. */
export const queryAlgo = endpoint({
  method: "GET",
  path: "/api/v1/algo/order",
  section: "1 §4.3; records §6.3, §6.4",
  limit: { requests: 3, perMs: 50_000 },
  permission: "read",
  request: z
    .strictObject({ ...algoKeyFields, attachedOrderId: orderId.optional() })
    .check(oneOf("algoOrderId", "clientOrderId", "attachedOrderId")),
  reply: algoRecord,
});
