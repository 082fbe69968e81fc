/**
 * How a second exchange writes: symbols without a separator, numbers below zero for codes, stops among the orders, position
 * events with a time. It also translates them into the agent's events; nothing of this is known outside the folder.
 */
import { dec, type Decimal, ZERO } from "../../../src/core/decimal.ts";
import type { RefusalReason, Rejected } from "../../../src/core/outcome.ts";
import type { AlgoOrder } from "../../../src/domain/algo-order.ts";
import { type Execution, type Order, type OrderUpdate, readOrderState } from "../../../src/domain/order.ts";
import type { Position } from "../../../src/domain/position.ts";
import { parseSymbol, perpSymbol } from "../../../src/domain/symbol.ts";

export interface RawOrder {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly positionSide: "LONG" | "SHORT";
  readonly type: "LIMIT" | "MARKET" | "STOP_MARKET";
  readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTX";
  readonly reduceOnly: boolean;
  readonly time: number;
  origQty: string;
  price: string;
  stopPrice: string;
  executedQty: string;
  avgPrice: string;
  commission: string;
  status: "NEW" | "PARTIALLY_FILLED" | "FILLED" | "CANCELED" | "EXPIRED";
  updateTime: number;
}

export interface RawTrade {
  readonly id: number;
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly qty: string;
  readonly price: string;
  readonly commission: string;
  readonly realizedPnl: string;
  readonly maker: boolean;
  readonly time: number;
}

export interface RawPosition {
  readonly symbol: string;
  readonly positionSide: "LONG" | "SHORT";
  /** Negative for a short. */
  positionAmt: string;
  entryPrice: string;
  markPrice: string;
  leverage: number;
  openTime: number;
  updateTime: number;
}

/** `T` is the exchange's own time. */
export type RawEvent =
  | { readonly e: "ORDER_TRADE_UPDATE"; readonly T: number; readonly o: RawOrder; readonly t: RawTrade | null }
  | { readonly e: "ACCOUNT_UPDATE"; readonly T: number; readonly p: RawPosition };

export type RawAnswer<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly code: number; readonly msg: string };

/** `EXCHANGE_A_PERP_BTC_USDT` is BTCUSDT there. */
export function rawSymbol(symbol: string): string {
  const parts = parseSymbol(symbol);
  if (!parts.ok) throw new Error(parts.error);
  return `${parts.value.base}${parts.value.quote}`;
}

export const canonicalSymbol = (exchange: string, symbol: string): string =>
  perpSymbol(exchange, symbol.replace(/USDT$/, ""));

const REASONS: Readonly<Record<number, RefusalReason>> = {
  [-1021]: "clock",
  [-1111]: "stale-rules",
  [-2011]: "not-found",
  [-2013]: "not-found",
  [-2014]: "unauthorized",
  [-2019]: "stale-rules",
  [-2022]: "nothing-to-close",
  [-4116]: "duplicate-id",
};

export const refusal = ({ code, msg }: { readonly code: number; readonly msg: string }): Rejected => ({
  kind: "rejected",
  reason: REASONS[code] ?? "other",
  code: String(code),
  message: msg,
});

const priceOrNull = (text: string): Decimal | null => (dec(text).isZero() ? null : dec(text));

export const orderOf = (exchange: string, raw: RawOrder): Order => ({
  orderId: String(raw.orderId),
  clientOrderId: raw.clientOrderId,
  symbol: canonicalSymbol(exchange, raw.symbol),
  side: raw.side,
  positionSide: raw.positionSide,
  orderType: raw.type === "LIMIT" ? "LIMIT" : "MARKET",
  timeInForce: raw.timeInForce,
  qty: dec(raw.origQty),
  limitPrice: priceOrNull(raw.price),
  state: raw.status === "NEW" ? "OPEN" : readOrderState(raw.status),
  executedQty: dec(raw.executedQty),
  avgPrice: dec(raw.avgPrice),
  fee: dec(raw.commission),
  reduceOnly: raw.reduceOnly,
  reason: raw.status === "EXPIRED" ? "nothing to fill it" : "",
  cancelPending: false,
  createdAtMs: raw.time,
  updatedAtMs: raw.updateTime,
});

export const orderUpdateOf = (exchange: string, raw: RawOrder): OrderUpdate => orderOf(exchange, raw);

export const executionOf = (exchange: string, raw: RawTrade): Execution => ({
  transactionId: String(raw.id),
  orderId: String(raw.orderId),
  clientOrderId: raw.clientOrderId,
  symbol: canonicalSymbol(exchange, raw.symbol),
  side: raw.side,
  qty: dec(raw.qty),
  price: dec(raw.price),
  fee: dec(raw.commission),
  realizedPnl: dec(raw.realizedPnl),
  liquidity: raw.maker ? "MAKER" : "TAKER",
  atMs: raw.time,
});

const ALGO_STATES = {
  NEW: "NEW",
  PARTIALLY_FILLED: "PROCESSING",
  FILLED: "COMPLETED",
  CANCELED: "CANCELLED",
  EXPIRED: "EXPIRED",
} as const;

/** There a stop is an order like any other. */
export const isStop = ({ type }: RawOrder): boolean => type === "STOP_MARKET";

export const algoOf = (exchange: string, raw: RawOrder): AlgoOrder => ({
  algoOrderId: String(raw.orderId),
  clientOrderId: raw.clientOrderId,
  symbol: canonicalSymbol(exchange, raw.symbol),
  side: raw.side,
  positionSide: raw.positionSide,
  qty: dec(raw.origQty),
  condition: "CONDITIONAL",
  triggerPrice: dec(raw.stopPrice),
  takeProfitPrice: null,
  stopLossPrice: null,
  reduceOnly: true,
  state: ALGO_STATES[raw.status],
  reason: "",
  updatedAtMs: raw.updateTime,
});

export function positionOf(exchange: string, raw: RawPosition): Position {
  const amount = dec(raw.positionAmt);
  const [entry, mark] = [dec(raw.entryPrice), dec(raw.markPrice)];
  return {
    symbol: canonicalSymbol(exchange, raw.symbol),
    side: raw.positionSide,
    qty: amount.abs(),
    avgPrice: entry,
    markPrice: mark,
    unrealizedPnl: amount.isZero() ? ZERO : mark.sub(entry).mul(amount),
    leverage: raw.leverage,
    liquidationPrice: null,
    createdAtMs: raw.openTime,
    updatedAtMs: raw.updateTime,
  };
}
