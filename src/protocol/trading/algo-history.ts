import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, listSpellings, upperCased } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { algoRecord } from "../records/algo-record.ts";
import { listFilters, pageFields } from "../request-fields.ts";

/** Finished algo orders of the past 7 days, by page [guess]. */
export const algoHistory = endpoint({
  method: "GET",
  path: "/api/v1/algo/history/orders",
  section: "1 §4.3; records §1.4, §6.3",
  limit: { requests: 3, perMs: 50_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: inOrder(listSpellings, upperCased("algoOrderType")),
  request: z.strictObject({
    ...listFilters,
    ...pageFields,
    algoOrderType: z.literal("TPSL", "TPSL").optional(),
  }),
  reply: pageOf(algoRecord),
});
