/** The order record of REST and of the Orders push, and its readers. Spec: 1 §2.4; records §5.5, §11.4. */
import { z } from "zod";
import { Decimal, ZERO } from "../../core/decimal.ts";
import {
  type Order,
  type OrderType,
  type OrderUpdate,
  type PositionSide,
  readOrderState,
  type Side,
  type TimeInForce,
} from "../../domain/order.ts";
import {
  flagMaybe,
  idMaybe,
  idNeeded,
  isTrue,
  type MoneyField,
  money,
  moneyMaybe,
  moneyOf,
  moneyOrNull,
  priceOrNull,
  textMaybe,
  textOf,
  timeMaybe,
  timeOf,
  timeOrNull,
  unread,
} from "../reply-fields.ts";

const tradedFields = {
  orderId: idNeeded,
  clientOrderId: textMaybe,
  /** NEW, OPEN, PARTIALLY_FILLED, FILLED, CANCELLED or REJECTED, and the aliases of records §5.7. */
  orderState: z.string().min(1),
  positionSide: textMaybe,
  /** Base units or contracts. */
  orderQty: moneyMaybe,
  /** Empty or "0" for MARKET. */
  limitPrice: moneyMaybe,
  executedQty: money,
  executedAvgPrice: moneyMaybe,
  createAt: timeMaybe,
  updateAt: timeMaybe,
  portfolioId: idMaybe,
  exchangeType: textMaybe,
  /** PERP, SPOT or MARGIN. */
  businessType: unread,
  /** LIMIT or MARKET: the request calls this orderType. */
  exchangeOrderType: textMaybe,
  /** The origin (`DMA` for a plain order); the competition's short push puts LIMIT or MARKET here. */
  orderType: textMaybe,
  /** Quote amount of a spot market buy; empty otherwise. */
  quoteOrderQty: unread,
  timeInForce: textMaybe,
  /** Cumulative, quote currency. */
  executedAmount: unread,
  lastExecutedQty: unread,
  lastExecutedPrice: unread,
  lastExecutedAmount: unread,
  /** Cumulative fee charged, in feeCoin. */
  fee: moneyMaybe,
  feeCoin: unread,
  rebate: unread,
  rebateCoin: unread,
  borrowAmount: unread,
  borrowAsset: unread,
  /** Reason of a rejection or cancel. */
  reason: textMaybe,
  /** "", CANCEL_PENDING, AMEND_COMPLETED; AMEND_PENDING [guess]. */
  action: textMaybe,
  actionMsg: unread,
  /** SYSTEM when the service cancelled; USER [guess]. */
  cancelType: unread,
  amendType: unread,
  reduceOnly: flagMaybe,
  /** Leverage of the symbol at placement. A number in REST, text in pushes. */
  leverage: unread,
  /** Parent algo order; null, "" or "0" when there is none. */
  algoOrderId: idMaybe,
  tpTriggerPrice: unread,
  tpTriggerType: unread,
  tpPrice: unread,
  slTriggerPrice: unread,
  slTriggerType: unread,
  slPrice: unread,
};

/** The states of records §5.7 of an order without a fill: the first fill makes it PARTIALLY_FILLED or FILLED. */
const UNFILLED: ReadonlySet<string> = new Set(["NEW", "ACCEPTED", "OPEN", "REJECTED", "REJECT", "FAIL"]);

/** The venue writes "none" as empty or null (records §0.2); only an order without a fill can mean that. */
const executedIsReported = (wire: { orderState: string; executedQty: MoneyField }): boolean =>
  (wire.executedQty !== null && wire.executedQty !== "") || UNFILLED.has(wire.orderState.toUpperCase());

const executedRule = { path: ["executedQty"], error: "a plain decimal as text" };

/** As GET order and the order lists return it. */
export const orderRecord = z
  .looseObject({ ...tradedFields, sym: z.string().min(1), side: z.string().min(1) })
  .refine(executedIsReported, executedRule);
/** The wire form; `readOrder` converts it. */
export type OrderRecord = z.output<typeof orderRecord>;

/** As the Orders channel pushes it: only the five fields of 1 §2.4 are guaranteed. */
export const orderPush = z
  .looseObject({ ...tradedFields, sym: textMaybe, side: textMaybe })
  .refine(executedIsReported, executedRule);
/** The wire form; `readOrderUpdate` keeps missing fields apart. */
export type OrderPush = z.output<typeof orderPush>;

/** In any case; anything but SELL reads as BUY. */
export const readSide = (word: string): Side => (word.toUpperCase() === "SELL" ? "SELL" : "BUY");

/** NONE for anything but LONG or SHORT: one-way mode sends NONE or nothing. */
export function readPositionSide(word: string | null | undefined): PositionSide {
  const upper = textOf(word).toUpperCase();
  return upper === "LONG" || upper === "SHORT" ? upper : "NONE";
}

function readOrderType(wire: OrderRecord): OrderType {
  for (const word of [wire.exchangeOrderType, wire.orderType]) {
    const upper = textOf(word).toUpperCase();
    if (upper === "LIMIT" || upper === "MARKET") return upper;
  }
  return priceOrNull(wire.limitPrice) === null ? "MARKET" : "LIMIT";
}

function readTimeInForce(word: string | null | undefined, orderType: OrderType): TimeInForce {
  const upper = textOf(word).toUpperCase();
  if (upper === "GTC" || upper === "IOC" || upper === "FOK" || upper === "GTX") return upper;
  return orderType === "MARKET" ? "IOC" : "GTC";
}

const isCancelPending = (wire: { action?: string | null | undefined; orderState: string }): boolean =>
  wire.action === "CANCEL_PENDING" || wire.orderState === "CANCEL_PENDING";

/**
 * Missing figures and times read as zero; a missing type is LIMIT if there is a limit price, else MARKET; an order without a client
 * order id has its order id as one, as the venue gives it (records §5.1). Two of them must never be taken for one.
 */
export function readOrder(wire: OrderRecord): Order {
  const orderType = readOrderType(wire);
  return {
    orderId: wire.orderId,
    clientOrderId: textOf(wire.clientOrderId) || wire.orderId,
    symbol: wire.sym,
    side: readSide(wire.side),
    positionSide: readPositionSide(wire.positionSide),
    orderType,
    timeInForce: readTimeInForce(wire.timeInForce, orderType),
    qty: moneyOf(wire.orderQty),
    limitPrice: priceOrNull(wire.limitPrice),
    state: readOrderState(wire.orderState),
    executedQty: moneyOf(wire.executedQty),
    avgPrice: moneyOf(wire.executedAvgPrice),
    fee: moneyOf(wire.fee),
    reduceOnly: isTrue(wire.reduceOnly),
    reason: textOf(wire.reason),
    cancelPending: isCancelPending(wire),
    createdAtMs: timeOf(wire.createAt),
    updatedAtMs: timeOf(wire.updateAt),
  };
}

/** Null means that the push did not report the field; a negative executed quantity reads as zero. */
export function readOrderUpdate(wire: OrderPush): OrderUpdate {
  return {
    orderId: wire.orderId,
    clientOrderId: textOf(wire.clientOrderId) || wire.orderId,
    state: readOrderState(wire.orderState),
    executedQty: Decimal.max(ZERO, moneyOf(wire.executedQty)),
    avgPrice: moneyOf(wire.executedAvgPrice),
    symbol: wire.sym ?? null,
    side: wire.side ? readSide(wire.side) : null,
    positionSide:
      wire.positionSide === null || wire.positionSide === undefined ? null : readPositionSide(wire.positionSide),
    qty: moneyOrNull(wire.orderQty),
    limitPrice: priceOrNull(wire.limitPrice),
    fee: moneyOrNull(wire.fee),
    reason: textOf(wire.reason),
    cancelPending: isCancelPending(wire),
    updatedAtMs: timeOrNull(wire.updateAt),
  };
}
