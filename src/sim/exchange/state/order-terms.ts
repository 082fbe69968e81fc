/** The terms of an order, and its progress. Spec: records §5. */
import type { OrderState, PositionSide, Side, TimeInForce } from "../../../domain/order.ts";
import type { Sum } from "./amount.ts";

/** Only quantity and price may change later. */
export interface OrderTerms {
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly type: "LIMIT" | "MARKET";
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  readonly leverage: number;
  /** The algo order that fired it, or "". */
  readonly algoOrderId: string;
  /** `DMA` for a participant's own; others name the venue's procedure that sent it. */
  readonly origin: "DMA" | "ALGO" | "CLOSE" | "LIQUIDATION" | "ADL";
  readonly protection: AttachedProtection | null;
  /** Quote amount of a spot market buy, or "". */
  readonly quoteOrderQty: string;
  lots: number;
  /** Null for MARKET. */
  ticks: number | null;
}

/** Its progress so far. */
export interface OrderProgress {
  state: OrderState;
  filledLots: number;
  /** Sum of ticks x lots over its fills. */
  filledUnits: number;
  lastLots: number;
  lastTicks: number;
  /** Null before the first fill. */
  fee: Sum | null;
  reason: string;
  action: "" | "CANCEL_PENDING" | "AMEND_PENDING" | "AMEND_COMPLETED";
  cancelType: "" | "SYSTEM" | "USER";
  amendType: "" | "SYSTEM" | "USER";
}

/** Take-profit and stop-loss sent with an order; texts as sent, "" where absent. */
export interface AttachedProtection {
  readonly tpTriggerPrice: string;
  readonly tpTriggerType: string;
  readonly tpPrice: string;
  readonly slTriggerPrice: string;
  readonly slTriggerType: string;
  readonly slPrice: string;
}
