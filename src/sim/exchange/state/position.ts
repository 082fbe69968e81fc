/** A position: one side of a wallet's holding in an instrument. Spec: records §7. */
import type { Decimal } from "../../../core/decimal.ts";
import type { PositionSide } from "../../../domain/order.ts";
import type { Sum } from "./amount.ts";

/** Quantity, cost, and results since it was opened. */
export interface Position {
  readonly positionId: string;
  readonly side: PositionSide;
  /** Positive for a long, negative for a short. */
  lots: number;
  /** The average entry in ticks and trillionths of a tick (see `average.ts`), and as a decimal once requested. */
  avgTicks: number;
  avgRest: number;
  avg: Decimal | null;
  readonly fee: Sum;
  fundingFee: Decimal;
  liqFee: Decimal;
  readonly closedPnl: Sum;
  maxLots: number;
  openedLots: number;
  closedLots: number;
  /** Sum of ticks x lots over openings and closings, for the averages of the history. */
  openedUnits: number;
  closedUnits: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
}
