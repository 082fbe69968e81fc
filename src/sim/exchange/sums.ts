/** The figures that are made of positions and open orders, per exposure and per wallet. Spec: records §4.1. */
import type { Decimal } from "../../core/decimal.ts";

/** What positions are worth and need. */
export interface HeldSums {
  readonly upnl: Decimal;
  readonly positionValue: Decimal;
  readonly positionMargin: Decimal;
  readonly maintenance: Decimal;
}

/** What open orders bind. */
export interface BoundSums {
  readonly orderMargin: Decimal;
  readonly openLoss: Decimal;
}

/** The figures of a whole wallet. Records §4.1. */
export interface WalletFigures extends HeldSums, BoundSums {
  /** The USDT balance for which they were made. */
  readonly balance: Decimal;
  readonly equity: Decimal;
  readonly marginValue: Decimal;
  readonly perpMargin: Decimal;
  readonly validMargin: Decimal;
  readonly availableMargin: Decimal;
}

/** The mark in ticks. Made once per mark; another object means another mark. */
export interface Gauge {
  /** The last tick at or below the mark, and the first at or above it. */
  readonly floorTicks: number;
  readonly ceilTicks: number;
  /** The band of limit prices around it; null until somebody asks. */
  band: TickBand | null;
}

/** The lowest and the highest limit price that are still taken, in ticks; `width` is the fraction it was made for. */
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

/** The rules that orders are held to, in ticks and lots. */
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
  /** Trillionths of the quote coin in one tick, and what a lot of a price by one of them is worth. */
  readonly tickParts: number;
  readonly partValue: StepScale | null;
}

/** A fee rate, and what it takes of one tick x lot. */
export interface FeeRate {
  readonly rate: Decimal;
  readonly perUnit: StepScale | null;
}

/** How one open order is counted in the sums. */
export interface OrderCount {
  /** The price at which it is counted in the margin: its limit, or the mark when it came. */
  countedTicks: number;
  /** What of it stands in the tally of its exposure. */
  talliedLots: number;
}

/** Kept by `tally.ts` with every change of an order; whole numbers, so that sums never drift. */
export interface OrderTally {
  /** Unfilled lots of all open orders of a side, reducing ones among them. */
  buyLots: number;
  sellLots: number;
  /** How many of the open orders can only reduce. */
  reducers: number;
}
