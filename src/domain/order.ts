/** Orders, executions and their lives. Spec: 1 §2.3, §2.4, §3.1; records §5. */
import { type Decimal, maxDecimal, ZERO } from "../core/decimal.ts";

/** Of the order, not of the position: SELL opens a short and closes a long. */
export type Side = "BUY" | "SELL";
/** LONG and SHORT in hedge mode, NONE in one-way mode. */
export type PositionSide = "LONG" | "SHORT" | "NONE";
export type OrderType = "LIMIT" | "MARKET";
/** GTX is post-only. */
export type TimeInForce = "GTC" | "IOC" | "FOK" | "GTX";
/** The six states that `readOrderState` makes of the venue's words; the last three are final. */
export type OrderState = "NEW" | "OPEN" | "PARTIALLY_FILLED" | "FILLED" | "CANCELLED" | "REJECTED";

/** At most 40 characters of letters, digits, dash and underscore. Spec: 1 §8.4, records §5.1 rule 1. */
export const CLIENT_ORDER_ID_PATTERN = /^[A-Za-z0-9_-]{1,40}$/;
/** The id that the venue gives; kept as text, because a float does not hold every 16-digit number. */
export const ORDER_ID_PATTERN = /^\d{16}$/;

/** The full text of one order to place, exactly as it will go on the wire. */
export interface PlaceOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly orderType: OrderType;
  /** Base units or contracts, as the symbol's rules say. */
  readonly qty: Decimal;
  /** Null for MARKET. */
  readonly limitPrice: Decimal | null;
  /** Null lets the venue take its default (GTC for LIMIT). */
  readonly timeInForce: TimeInForce | null;
  readonly reduceOnly: boolean;
  readonly clientOrderId: string;
}

/** As the venue's records give it: quantities in its order unit, times its own; `avgPrice` is 0 before a fill. */
export interface Order {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly qty: Decimal;
  readonly limitPrice: Decimal | null;
  readonly state: OrderState;
  /** Cumulative. */
  readonly executedQty: Decimal;
  readonly avgPrice: Decimal;
  /** Cumulative fee charged, quote currency. */
  readonly fee: Decimal;
  readonly reduceOnly: boolean;
  /** Why it was rejected or cancelled by the venue; empty otherwise. */
  readonly reason: string;
  readonly cancelPending: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What a push says about an order. Document 1 §2.4 promises five fields; the others may be missing (null). */
export interface OrderUpdate {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly state: OrderState;
  readonly executedQty: Decimal;
  readonly avgPrice: Decimal;
  readonly symbol: string | null;
  readonly side: Side | null;
  readonly positionSide: PositionSide | null;
  readonly qty: Decimal | null;
  readonly limitPrice: Decimal | null;
  readonly fee: Decimal | null;
  readonly reason: string;
  readonly cancelPending: boolean;
  readonly updatedAtMs: number | null;
}

/** One fill, known by `transactionId`: lists and pushes give it more than once. `atMs` is the venue's time. */
export interface Execution {
  readonly transactionId: string;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly qty: Decimal;
  readonly price: Decimal;
  readonly fee: Decimal;
  /** Realised profit of this fill before fee; zero for opening fills, null where the venue does not say. */
  readonly realizedPnl: Decimal | null;
  readonly liquidity: "MAKER" | "TAKER";
  readonly atMs: number;
}

/** Whether it surely closed something: only a close realises anything (records §5.8). */
export const realises = ({ realizedPnl }: Execution): boolean => realizedPnl !== null && !realizedPnl.isZero();

/** Whether nothing can be filled any more; `laterState` never leaves such a state. */
export const isTerminal = (state: OrderState): boolean =>
  state === "FILLED" || state === "CANCELLED" || state === "REJECTED";

const RANK: Record<OrderState, number> = { NEW: 0, OPEN: 1, PARTIALLY_FILLED: 2, CANCELLED: 3, REJECTED: 3, FILLED: 4 };

/**
 * The later of two states of one order, independent of the sequence in which they became known. Terminal absorbs, executed
 * quantity never falls.
 */
export function laterState(a: OrderState, b: OrderState): OrderState {
  if (isTerminal(a)) return a;
  return RANK[b] > RANK[a] ? b : a;
}

/**
 * Reads the venue's many spellings of an order state. An unknown word is not terminal: it reads as OPEN, so that
 * exposure stays counted. Spec: 1 §3.1, records §5.7.
 */
export function readOrderState(word: string): OrderState {
  switch (word.toUpperCase()) {
    case "NEW":
    case "ACCEPTED":
      return "NEW";
    case "PARTIALLY_FILLED":
      return "PARTIALLY_FILLED";
    case "FILLED":
      return "FILLED";
    case "CANCELLED":
    case "CANCELED":
    case "CANCEL_COMPLETE":
    case "EXPIRED":
      return "CANCELLED";
    case "REJECTED":
    case "REJECT":
    case "FAIL":
      return "REJECTED";
    default:
      return "OPEN";
  }
}

/** What is left to fill. */
export const remainingQty = (order: Pick<Order, "qty" | "executedQty">): Decimal =>
  maxDecimal(ZERO, order.qty.sub(order.executedQty));

/** The position that an order on this side opens or adds to, in either position mode. */
export const sideOpenedBy = (side: Side): "LONG" | "SHORT" => (side === "BUY" ? "LONG" : "SHORT");

/** The position that it takes from where it closes. */
export const sideClosedBy = (side: Side): "LONG" | "SHORT" => (side === "SELL" ? "LONG" : "SHORT");

/** In hedge mode BUY+LONG and SELL+SHORT open, the other two reduce; in one-way mode only reduce-only is sure. */
export function isOpening(order: Pick<PlaceOrder, "side" | "positionSide" | "reduceOnly">): boolean {
  if (order.reduceOnly) return false;
  if (order.positionSide === "LONG") return order.side === "BUY";
  if (order.positionSide === "SHORT") return order.side === "SELL";
  return true;
}
