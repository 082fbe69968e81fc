import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { algoIds } from "../records/algo-record.ts";
import { oneOf } from "../request-fields.ts";
import { algoKeyFields } from "./amend-algo.ts";

/** Requests the cancel of one algo order; asynchronous. */
export const cancelAlgo = endpoint({
  method: "DELETE",
  path: "/api/v1/algo/order",
  section: "1 §4.3; records §6.3",
  limit: { requests: 3, perMs: 50_000 },
  permission: "trade",
  request: z.strictObject({ ...algoKeyFields }).check(oneOf("algoOrderId", "clientOrderId")),
  reply: algoIds,
});
