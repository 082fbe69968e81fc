/** The market's side of the interface: the instruments, the tape's changes to them, and the public view. */
import type { Decimal } from "../../../core/decimal.ts";
import type { SymbolRules } from "../../../domain/symbol.ts";

/** An instrument as the tape supplies it. */
export interface SymbolSpec {
  readonly rules: SymbolRules;
  readonly maxLeverage: number;
  /** Tiers by position notional: from, maximum leverage, maintenance rate. */
  readonly brackets: readonly {
    readonly minNotional: Decimal;
    readonly maxLeverage: number;
    readonly maintenanceRate: Decimal;
  }[];
  /** Fraction of the closed value that a forced close costs. Default 0.03. Records §9.1. */
  readonly liquidationFee?: Decimal;
  /** Time between two fundings. Default eight hours, on the grid of 00, 08 and 16 UTC. */
  readonly fundingIntervalMs?: number;
  /** The exchange's own spelling. Default: derived from the symbol. */
  readonly originalSymbol?: string;
  /** The tick as the wire writes it, with trailing zeros. Default: the plain number. */
  readonly tickSizeText?: string;
}

/** Prices in whole ticks, quantities in whole lots: the units of the matching engine. */
export type Level = readonly [priceTicks: number, qtyLots: number];

/** The new generated liquidity at a price. */
export interface LevelChange {
  readonly bid: boolean;
  readonly ticks: number;
  /** 0 withdraws the level. */
  readonly lots: number;
  /** The part that has just arrived: only this part meets participants whose orders are in its way. */
  readonly arriving: number;
}

/** The tape's changes to the market. Prices and quantities are exact multiples of tick and lot. */
export interface MarketInput {
  /**
   * Sets the generated liquidity of one side, best first, in absolute quantities. A level that shrinks keeps its place
   * in the queue, one that grows adds behind participants, a missing one is withdrawn. The caller may change the list
   * afterwards.
   */
  setLiquidity(symbol: string, bid: boolean, levels: readonly Level[], nowMs: number): void;
  /**
   * Changes single levels of the generated liquidity, on both sides at once; the others stay. A level behind which a
   * participant's order of the other side rests is not shown: what arrives there fills that order at its price.
   */
  changeLiquidity(symbol: string, changes: readonly LevelChange[], nowMs: number): void;
  /**
   * A public trade of the tape: an outside taker meets the book up to `priceTicks`. It fills participant orders in its
   * way by true queue position; the rest trades with generated liquidity or prints at the price. The public print
   * always shows the whole `qtyLots`.
   */
  print(symbol: string, takerBuys: boolean, priceTicks: number, qtyLots: number, nowMs: number): void;
  setMark(symbol: string, mark: Decimal, index: Decimal, nowMs: number): void;
  setFunding(symbol: string, rate: Decimal, nextFundingAtMs: number): void;
  setOpenInterest(symbol: string, openInterest: Decimal, nowMs: number): void;
  setState(symbol: string, state: "live" | "halted"): void;
}

/** A public market event, for the market stream. */
export type PublicEvent =
  | {
      readonly kind: "trade";
      readonly symbol: string;
      readonly tradeId: string;
      readonly takerBuys: boolean;
      readonly price: Decimal;
      readonly qty: Decimal;
      readonly atMs: number;
    }
  | { readonly kind: "book-changed"; readonly symbol: string; readonly atMs: number }
  | {
      readonly kind: "mark";
      readonly symbol: string;
      readonly mark: Decimal;
      readonly index: Decimal;
      readonly atMs: number;
    }
  | { readonly kind: "open-interest"; readonly symbol: string; readonly openInterest: Decimal; readonly atMs: number }
  /** Every position of the symbol has paid or received its funding. */
  | { readonly kind: "funding-settled"; readonly symbol: string; readonly atMs: number };

/** The visible book of one symbol, best first, in ticks and lots. */
export interface BookView {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}
