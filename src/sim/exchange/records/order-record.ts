/** Orders and executions as the wire shows them. Spec: 1 §2.4; records §5.5, §5.8, §11.4. */
import { toWire, ZERO } from "../../../core/decimal.ts";
import { toDecimal } from "../state/amount.ts";
import type { WireRecord } from "../contract/api.ts";
import { averageOf, money, priceOf, qtyOf, valueOf } from "../state/figures.ts";
import { idOf } from "../state/ids.ts";
import type { AttachedProtection } from "../state/order-terms.ts";
import type { Execution, Order, World } from "../state/state.ts";

/** The six fields of an order without attached protection. */
export const NO_PROTECTION: AttachedProtection = {
  tpTriggerPrice: "",
  tpTriggerType: "",
  tpPrice: "",
  slTriggerPrice: "",
  slTriggerType: "",
  slPrice: "",
};

/** The fields that GET order and the Orders push share. */
function commonFields(order: Order) {
  const { instrument, wallet } = order.exposure;
  const { parts } = instrument;
  return {
    portfolioId: wallet.portfolio.accountId,
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    exchangeType: parts.exchange,
    businessType: parts.type,
    sym: instrument.symbol,
    side: order.side,
    positionSide: order.positionSide,
    // The order's origin; the next field is what the request called orderType.
    orderType: order.origin === "ALGO" ? "ALGO" : "DMA",
    exchangeOrderType: order.type,
    timeInForce: order.timeInForce,
    orderQty: order.quoteOrderQty === "" ? toWire(qtyOf(instrument, order.lots)) : "",
    quoteOrderQty: order.quoteOrderQty,
    limitPrice: order.ticks === null ? "" : toWire(priceOf(instrument, order.ticks)),
    orderState: order.state,
    executedQty: toWire(qtyOf(instrument, order.filledLots)),
    executedAmount: toWire(valueOf(instrument, order.filledUnits)),
    executedAvgPrice: toWire(averageOf(instrument, order.filledUnits, order.filledLots)),
    lastExecutedQty: toWire(qtyOf(instrument, order.lastLots)),
    lastExecutedPrice: toWire(priceOf(instrument, order.lastTicks)),
    lastExecutedAmount: toWire(valueOf(instrument, order.lastLots * order.lastTicks)),
    fee: toWire(order.fee?.value ?? ZERO),
    feeCoin: parts.quote,
    rebate: "0",
    rebateCoin: parts.quote,
    borrowAmount: "0",
    borrowAsset: "",
    reason: order.reason,
    action: order.action,
    createAt: String(order.createdAtMs),
    updateAt: String(order.updatedAtMs),
  };
}

/** The record of the order queries. */
export function orderRecord(order: Order): WireRecord {
  return {
    ...commonFields(order),
    portfolioName: null,
    actionMsg: "",
    cancelType: order.cancelType,
    amendType: order.amendType,
    reduceOnly: order.reduceOnly,
    leverage: order.leverage,
    algoOrderId: order.algoOrderId === "" ? null : order.algoOrderId,
    ...(order.protection ?? NO_PROTECTION),
  };
}

/** The record of the Orders push: all values are text here. */
export function orderPushRecord(order: Order): WireRecord {
  return { ...commonFields(order), leverage: String(order.leverage) };
}

/** The record of the execution queries and of the Trades push. */
export function executionRecord(world: World, execution: Execution): WireRecord {
  const { instrument, wallet } = execution.exposure;
  const order = world.orders.get(execution.orderRef);
  const orderId = idOf(execution.orderRef);
  const algoOrderId = order?.algoOrderId ?? "";
  const fee = toWire(toDecimal(execution.fee));
  return {
    transactionId: String(execution.no),
    portfolioId: wallet.portfolio.accountId,
    orderId,
    clientOrderId: order?.clientOrderId ?? orderId,
    algoOrderId: algoOrderId === "" ? "0" : algoOrderId,
    exchangeType: instrument.parts.exchange,
    businessType: instrument.parts.type,
    sym: instrument.symbol,
    side: execution.buy ? "BUY" : "SELL",
    quantity: toWire(qtyOf(instrument, execution.lots)),
    price: toWire(priceOf(instrument, execution.ticks)),
    tradingFee: fee,
    tradingFeeCoin: instrument.parts.quote,
    fee,
    feeCoin: instrument.parts.quote,
    rebate: "0",
    rebateCoin: instrument.parts.quote,
    rpnl: money(toDecimal(execution.realisedPnl)),
    execType: execution.maker ? "MAKER" : "TAKER",
    tradeSource: "",
    createAt: String(execution.atMs),
  };
}
