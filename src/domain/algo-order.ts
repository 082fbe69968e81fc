/** Venue-side take-profit and stop-loss orders. Spec: 1 §2.5, §4.3; records §6. */
import type { Decimal } from "../core/decimal.ts";
import type { PositionSide, Side } from "./order.ts";

/**
 * PROCESSING: triggered, its market order at work. PENDING_CANCEL: the cancel is accepted, the trigger may still win.
 * The last five are final. Records §6.5.
 */
export type AlgoState =
  | "PENDING_NEW"
  | "NEW"
  | "PROCESSING"
  | "PENDING_CANCEL"
  | "COMPLETED"
  | "CANCELLED"
  | "REJECTED"
  | "FAILED"
  | "EXPIRED";

/**
 * CONDITIONAL: one trigger. OCO: target and stop on one quantity. ENTIRE_CLOSE_POSITION: everything that is held when it
 * fires. PARTIAL_CLOSE_POSITION: a fixed quantity of it. Records §6.2.
 */
export type AlgoCondition = "CONDITIONAL" | "OCO" | "ENTIRE_CLOSE_POSITION" | "PARTIAL_CLOSE_POSITION";
/** The price that is watched; for target and stop the venue takes LAST_PRICE where none is named (records §6.1). */
export type TriggerType = "MARK_PRICE" | "LAST_PRICE";

/** What the venue is asked for. Null prices are left out, and side and quantity of an ENTIRE_CLOSE_POSITION. */
export interface PlaceAlgoOrder {
  readonly symbol: string;
  readonly condition: AlgoCondition;
  /** The closing side: SELL for a long. */
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly qty: Decimal;
  readonly reduceOnly: boolean;
  /** For CONDITIONAL. */
  readonly triggerPrice: Decimal | null;
  readonly triggerType: TriggerType;
  readonly takeProfitPrice: Decimal | null;
  readonly stopLossPrice: Decimal | null;
  /** Limit prices after the trigger; absent or null means market. */
  readonly takeProfitLimitPrice?: Decimal | null;
  readonly stopLossLimitPrice?: Decimal | null;
  readonly clientOrderId: string;
}

/** As the venue's lists and pushes give it; `updatedAtMs` is the venue's time, `condition` its own word. */
export interface AlgoOrder {
  readonly algoOrderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  /** Null where the venue leaves it empty (entire-position close). */
  readonly side: Side | null;
  readonly positionSide: PositionSide;
  /** Zero where it has none, or does not say: `saysSize`. */
  readonly qty: Decimal;
  readonly condition: string;
  readonly triggerPrice: Decimal | null;
  readonly takeProfitPrice: Decimal | null;
  readonly stopLossPrice: Decimal | null;
  /** Whether it can only reduce. False where the venue does not say. */
  readonly reduceOnly: boolean;
  readonly state: AlgoState;
  readonly reason: string;
  readonly updatedAtMs: number;
}

/** Whether the record says how much the order closes: a quantity, or everything that is held when it fires. */
export const saysSize = ({ qty, condition }: Pick<AlgoOrder, "qty" | "condition">): boolean =>
  !qty.isZero() || condition === "ENTIRE_CLOSE_POSITION";

/** The price at which an algo order stops a position; null for one that only takes profit. A single trigger of ours is a stop. */
export const stopOf = ({
  stopLossPrice,
  triggerPrice,
}: Pick<AlgoOrder, "stopLossPrice" | "triggerPrice">): Decimal | null => stopLossPrice ?? triggerPrice;

/** Not for PENDING_CANCEL: nothing may rely on it, though its cancel may yet come to nothing. */
export const isAlgoLive = (state: AlgoState): boolean =>
  state === "PENDING_NEW" || state === "NEW" || state === "PROCESSING";

/** Final. A cancel that is asked for may yet be refused. */
export const isAlgoOver = (state: AlgoState): boolean => !isAlgoLive(state) && state !== "PENDING_CANCEL";

/** An unknown word counts as live, so that nothing is placed beside it unseen. CANCELED is an alias. */
export function readAlgoState(word: string): AlgoState {
  const upper = word.toUpperCase();
  switch (upper) {
    case "PENDING_NEW":
    case "NEW":
    case "PROCESSING":
    case "PENDING_CANCEL":
    case "COMPLETED":
    case "CANCELLED":
    case "REJECTED":
    case "FAILED":
    case "EXPIRED":
      return upper;
    case "CANCELED":
      return "CANCELLED";
    default:
      return "NEW";
  }
}
