/** The figures computed from positions and open orders, per exposure and per wallet. Spec: records §4.1. */
import type { Decimal } from "../../../core/decimal.ts";

/** The value and margin of positions. */
export interface HeldSums {
  readonly upnl: Decimal;
  readonly positionValue: Decimal;
  readonly positionMargin: Decimal;
  readonly maintenance: Decimal;
}

/** The margin that open orders lock. */
export interface BoundSums {
  readonly orderMargin: Decimal;
  readonly openLoss: Decimal;
}

/** The figures of a whole wallet. Records §4.1. */
export interface WalletFigures extends HeldSums, BoundSums {
  /** The USDT balance for which they were computed. */
  readonly balance: Decimal;
  readonly equity: Decimal;
  readonly marginValue: Decimal;
  readonly perpMargin: Decimal;
  readonly validMargin: Decimal;
  readonly availableMargin: Decimal;
}

/** The mark price in ticks. Created once per mark price; another object means another mark price. */
export interface MarkTicks {
  /** The last tick at or below the mark price, and the first at or above it. */
  readonly floorTicks: number;
  readonly ceilTicks: number;
  /** The band of limit prices around it; null until computed. */
  band: TickBand | null;
}

/** The lowest and highest accepted limit price, in ticks; `width` is the fraction it was computed for. */
export interface TickBand {
  readonly width: Decimal;
  readonly lowest: number;
  readonly highest: number;
}

/** A step as `digits` units of ten to the power of minus `places`. */
export interface StepScale {
  readonly digits: number;
  readonly places: number;
}

/** The rules for orders, in ticks and lots. */
export interface Measures {
  readonly tick: StepScale | null;
  readonly lot: StepScale | null;
  /** Fewest lots; fewest ticks x lots; most lots of a LIMIT and of a MARKET order. */
  readonly minLots: number;
  readonly minUnits: number;
  readonly maxLimitLots: number;
  readonly maxMarketLots: number;
  /** The leverage that every tier allows. */
  readonly freeLeverage: number;
  /** Trillionths of the quote coin per tick, and the value of a lot at a price of one of them. */
  readonly tickParts: number;
  readonly partValue: StepScale | null;
}

/** A fee rate, and its fee for one tick x lot. */
export interface FeeRate {
  readonly rate: Decimal;
  readonly perUnit: StepScale | null;
}

/** The contribution of one open order to the sums. */
export interface OrderCount {
  /** The price at which it counts for margin: its limit, or the mark price at its arrival. */
  countedTicks: number;
  /** Its lots in the tally of its exposure. */
  talliedLots: number;
}

/** Updated by `tally.ts` with every change of an order; whole numbers, so that sums never drift. */
export interface OrderTally {
  /** Unfilled lots of all open orders of a side, including reducing ones. */
  buyLots: number;
  sellLots: number;
  /** Number of open orders that can only reduce. */
  reducers: number;
}
