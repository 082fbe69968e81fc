import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { orderRecord } from "../records/order-record.ts";
import { oneOf, orderKeyFields } from "../request-fields.ts";

/** One order by either id; 401018 when there is none. */
export const queryOrder = endpoint({
  method: "GET",
  path: "/api/v1/trading/order",
  section: "1 §4.2; records §5.5, §5.6",
  limit: { requests: 240, perMs: 60_000 },
  permission: "read",
  request: z.strictObject({ ...orderKeyFields }).check(oneOf("orderId", "clientOrderId")),
  reply: orderRecord,
});
