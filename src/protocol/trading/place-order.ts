import { z } from "zod";
import { toWire } from "../../core/decimal.ts";
import type { PlaceOrder } from "../../domain/order.ts";
import { endpoint, type Normalize } from "../endpoint.ts";
import { asText, inOrder, triggerTypes, upperCased } from "../normalize.ts";
import { idNeeded, textMaybe } from "../reply-fields.ts";
import {
  clientOrderId,
  decimalOrZero,
  orderType,
  positionSide,
  positiveDecimal,
  side,
  symbol,
  timeInForce,
  triggerType,
} from "../request-fields.ts";

/** A limit price on a MARKET order is ignored [guess], so it may have any form. */
const dropIdlePrice: Normalize = (params) => {
  const result: Record<string, unknown> = { ...params };
  if (result.orderType === "MARKET") delete result.limitPrice;
  return result;
};

/** For REST and the user stream: words in any case, `reduceOnly` as a flag or text, an unused price dropped. */
export const placeOrderSpellings: Normalize = inOrder(
  asText("reduceOnly"),
  upperCased("sym", "side", "positionSide", "orderType", "timeInForce", "reduceOnly"),
  triggerTypes("tpTriggerType", "slTriggerType"),
  dropIdlePrice,
);

/** The body of POST order and the args of the user stream's place_order. Spec: 1 §2.3; records §5.1. */
export const placeOrderRequest = z
  .strictObject({
    sym: symbol,
    side,
    /** Required in hedge mode; absent or NONE in one-way mode. */
    positionSide: positionSide.optional(),
    orderType,
    /** Base units or contracts, according to the symbol's rules. */
    orderQty: positiveDecimal.optional(),
    /** Quote amount of a spot market buy, instead of orderQty. */
    quoteOrderQty: positiveDecimal.optional(),
    /** Required when orderType is LIMIT. */
    limitPrice: positiveDecimal.optional(),
    /** GTC when absent; MARKET behaves as IOC. */
    timeInForce: timeInForce.optional(),
    /** Unique among the portfolio's orders; when absent, the service uses the order id. */
    clientOrderId: clientOrderId.optional(),
    /** Perpetuals only. Text, as the venue's own client sends it. */
    reduceOnly: z.enum(["TRUE", "FALSE"], "TRUE or FALSE").optional(),
    /** Attached take-profit trigger. */
    tpTriggerPrice: positiveDecimal.optional(),
    tpTriggerType: triggerType.optional(),
    /** "0" means market on trigger. */
    tpPrice: decimalOrZero.optional(),
    /** Attached stop-loss trigger. */
    slTriggerPrice: positiveDecimal.optional(),
    slTriggerType: triggerType.optional(),
    slPrice: decimalOrZero.optional(),
  })
  .check((context) => {
    const { orderType: type, limitPrice, orderQty, quoteOrderQty } = context.value;
    const missing = (field: string, message: string): void =>
      void context.issues.push({ code: "custom", input: undefined, path: [field], message });
    if (type === "LIMIT" && limitPrice === undefined) missing("limitPrice", "given when orderType is LIMIT");
    if (orderQty === undefined && (quoteOrderQty === undefined || type !== "MARKET")) missing("orderQty", "given");
  });
/** The wire form, every figure plain decimal text; `placeOrderToWire` creates it. */
export type PlaceOrderRequest = z.output<typeof placeOrderRequest>;

/** The ids of an order accepted for processing; they do not say what became of it. */
export const placeOrderReply = z.looseObject({
  /** 16 digits. */
  orderId: idNeeded,
  /** As sent, or equal to orderId. */
  clientOrderId: textMaybe,
});

/** Places an order. The reply means accepted for processing (NEW); a push or query gives the outcome. */
export const placeOrder = endpoint({
  method: "POST",
  path: "/api/v1/trading/order",
  section: "1 §2.3, §4.2, §8.1; records §5.1",
  limit: { requests: 1, perMs: 5_000 },
  permission: "trade",
  normalize: placeOrderSpellings,
  request: placeOrderRequest,
  reply: placeOrderReply,
});

/** positionSide is omitted in one-way mode, reduceOnly and timeInForce where they have no effect. */
export function placeOrderToWire(order: PlaceOrder): PlaceOrderRequest {
  return {
    sym: order.symbol,
    side: order.side,
    ...(order.positionSide === "NONE" ? {} : { positionSide: order.positionSide }),
    orderType: order.orderType,
    orderQty: toWire(order.qty),
    ...(order.orderType === "LIMIT" && order.limitPrice ? { limitPrice: toWire(order.limitPrice) } : {}),
    ...(order.orderType === "LIMIT" && order.timeInForce ? { timeInForce: order.timeInForce } : {}),
    clientOrderId: order.clientOrderId,
    ...(order.reduceOnly ? { reduceOnly: "TRUE" } : {}),
  };
}
