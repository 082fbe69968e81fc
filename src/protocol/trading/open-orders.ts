import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { listSpellings } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { orderRecord } from "../records/order-record.ts";
import { listFilters, pageFields } from "../request-fields.ts";

/** Orders that are not terminal, newest first [guess]. */
export const openOrders = endpoint({
  method: "GET",
  path: "/api/v1/trading/orders",
  section: "1 §4.2; records §5.6",
  limit: { requests: 240, perMs: 60_000 },
  permission: "read",
  paging: { defaultSize: 20, maxSize: 1000 },
  normalize: listSpellings,
  request: z.strictObject({ ...listFilters, ...pageFields }),
  reply: pageOf(orderRecord),
});
