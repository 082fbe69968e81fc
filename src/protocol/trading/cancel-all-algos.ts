import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, renamed, upperCased } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { algoIds } from "../records/algo-record.ts";
import { businessType, exchange, symbol } from "../request-fields.ts";

/** Cancels every algo order that matches all filters; returns those whose cancel was requested. */
export const cancelAllAlgos = endpoint({
  method: "DELETE",
  path: "/api/v1/algo/cancelAll",
  section: "1 §4.3; records §6.3",
  limit: { requests: 10, perMs: 10_000 },
  permission: "trade",
  successStatus: 202,
  normalize: inOrder(
    renamed({ exchange: "exchangeType" }),
    upperCased("sym", "exchangeType", "businessType", "algoOrderType", "conditionType"),
  ),
  request: z.strictObject({
    sym: symbol.optional(),
    exchangeType: exchange.optional(),
    businessType: businessType.optional(),
    algoOrderType: z.literal("TPSL", "TPSL").optional(),
    conditionType: z
      .enum(
        ["CONDITIONAL", "OCO", "ENTIRE_CLOSE_POSITION", "PARTIAL_CLOSE_POSITION"],
        "CONDITIONAL, OCO, ENTIRE_CLOSE_POSITION or PARTIAL_CLOSE_POSITION",
      )
      .optional(),
  }),
  reply: z.union([pageOf(algoIds), z.looseObject({})]),
});
