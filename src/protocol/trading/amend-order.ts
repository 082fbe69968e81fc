import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { idNeeded, textMaybe } from "../reply-fields.ts";
import { oneOf, orderKeyFields, positiveDecimal } from "../request-fields.ts";

/** The body of PUT order and the args of the user stream's replace_order. Spec: 1 §4.8; records §5.2. */
export const amendOrderRequest = z
  .strictObject({
    ...orderKeyFields,
    /** New limit price. */
    replacePrice: positiveDecimal.optional(),
    /** New total quantity; must exceed the executed quantity [guess]. */
    replaceQty: positiveDecimal.optional(),
  })
  .check(oneOf("orderId", "clientOrderId"))
  .check(oneOf("replacePrice", "replaceQty"));

/** Acknowledges the request; only the order itself shows whether it was amended. */
export const amendOrderReply = z.looseObject({
  orderId: idNeeded,
  clientOrderId: textMaybe,
  /** CANCELLED or REJECTED here means that the amend failed and the original order is gone. */
  orderState: z.string().min(1),
});

/** Changes price or quantity of a resting LIMIT order; the id stays. */
export const amendOrder = endpoint({
  method: "PUT",
  path: "/api/v1/trading/order",
  section: "1 §4.2, §8.1; records §5.2",
  limit: { requests: 1, perMs: 5_000 },
  permission: "trade",
  request: amendOrderRequest,
  reply: amendOrderReply,
});
