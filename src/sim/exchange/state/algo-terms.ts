/** The terms of an algo order, and its progress. Spec: records §6.1, §6.2, §6.5. */
import type { Decimal } from "../../../core/decimal.ts";
import type { AlgoCondition, AlgoState, TriggerType } from "../../../domain/algo-order.ts";
import type { PositionSide, Side } from "../../../domain/order.ts";

/** One price to watch. */
export interface Trigger {
  price: Decimal;
  type: TriggerType;
  /** As sent; "0" means market, which is the only way it executes (document 1 §2.5). */
  readonly orderPrice: string;
  /** Fires at or above the price, or at or below it. */
  above: boolean;
}

/** The prices at which it fires. */
export interface AlgoTriggers {
  conditional: Trigger | null;
  takeProfit: Trigger | null;
  stopLoss: Trigger | null;
}

/** What it closes or opens, and when. Only quantity and triggers can change later. */
export interface AlgoTerms extends AlgoTriggers {
  /** Null for ENTIRE_CLOSE_POSITION: it closes whichever side is held. */
  readonly side: Side | null;
  readonly positionSide: PositionSide;
  readonly condition: AlgoCondition;
  readonly reduceOnly: boolean;
  readonly attachedOrderId: string;
  /** Zero for ENTIRE_CLOSE_POSITION. */
  lots: number;
}

/** Its progress so far. */
export interface AlgoProgress {
  state: AlgoState;
  reason: string;
}
