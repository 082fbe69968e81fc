import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { listSpellings } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { algoRecord } from "../records/algo-record.ts";
import { listFilters, pageFields } from "../request-fields.ts";

/**
 * Algo orders in PENDING_NEW, NEW, PROCESSING or PENDING_CANCEL. The reply is a plain array although the request takes
 * a page.
 */
export const openAlgos = endpoint({
  method: "GET",
  path: "/api/v1/algo/openOrders",
  section: "1 §4.3; records §6.3",
  limit: { requests: 3, perMs: 50_000 },
  permission: "read",
  paging: { defaultSize: 1000, maxSize: 1000 },
  normalize: listSpellings,
  request: z.strictObject({ ...listFilters, ...pageFields }),
  reply: pageOf(algoRecord),
});
