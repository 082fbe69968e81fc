import { endpoint } from "../endpoint.ts";
import { pageOf } from "../page.ts";
import { orderRecord } from "../records/order-record.ts";
import { orderHistoryRequest, orderHistorySpellings } from "./order-history.ts";

/** Orders older than 7 days, up to 90 days back. */
export const archiveOrderHistory = endpoint({
  method: "GET",
  path: "/api/v1/trading/archive/history/orders",
  section: "1 §4.2; records §1.4, §5.6",
  limit: { requests: 6, perMs: 10_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: orderHistorySpellings,
  request: orderHistoryRequest,
  reply: pageOf(orderRecord),
});
