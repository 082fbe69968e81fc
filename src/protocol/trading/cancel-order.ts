import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { idNeeded, textMaybe } from "../reply-fields.ts";
import { oneOf, orderKeyFields } from "../request-fields.ts";

/** The parameters of DELETE order and the args of the user stream's cancel_order. Spec: 1 §4.8; records §5.3. */
export const cancelOrderRequest = z.strictObject({ ...orderKeyFields }).check(oneOf("orderId", "clientOrderId"));

/** The request was accepted; this does not say how the order ends. */
export const cancelOrderReply = z.looseObject({
  orderId: idNeeded,
  clientOrderId: textMaybe,
  /** The state at acceptance, normally still OPEN. */
  orderState: textMaybe,
  /** CANCEL_PENDING. */
  action: textMaybe,
  actionMsg: textMaybe,
});

/** Requests a cancel. Acceptance is not the end: a fill may still come first (1 §3.1). */
export const cancelOrder = endpoint({
  method: "DELETE",
  path: "/api/v1/trading/order",
  section: "1 §3.1, §4.2, §8.1; records §5.3",
  limit: { requests: 1, perMs: 5_000 },
  permission: "trade",
  request: cancelOrderRequest,
  reply: cancelOrderReply,
});
