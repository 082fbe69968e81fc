import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { asText, inOrder, listSpellings, lowerCased } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { orderRecord } from "../records/order-record.ts";
import { flagText, listFilters, pageFields } from "../request-fields.ts";

/** The request of both the order history and the order archive. */
export const orderHistoryRequest = z.strictObject({
  ...listFilters,
  ...pageFields,
  /** Only orders with a fill. */
  filterExecuted: flagText.optional(),
});
/** For the history and the archive: `filterExecuted` may also be a JSON flag or in upper case. */
export const orderHistorySpellings = inOrder(listSpellings, asText("filterExecuted"), lowerCased("filterExecuted"));

/** Orders of every state, newest first; the last 7 days when `begin` is absent. */
export const orderHistory = endpoint({
  method: "GET",
  path: "/api/v1/trading/history/orders",
  section: "1 §4.2; records §1.4, §5.6",
  limit: { requests: 6, perMs: 10_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: orderHistorySpellings,
  request: orderHistoryRequest,
  reply: pageOf(orderRecord),
});
