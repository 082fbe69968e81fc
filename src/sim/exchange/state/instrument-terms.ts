/** An instrument: the terms that the venue sets once, and the figures that change. Spec: records §9. */
import type { Decimal } from "../../../core/decimal.ts";
import type { Overridable } from "../../../core/overridable.ts";
import type { SymbolParts, SymbolRules } from "../../../domain/symbol.ts";
import type { SymbolSpec } from "../contract/market-api.ts";
import type { FeeRate, MarkTicks, Measures } from "./sums.ts";

/** The terms of an instrument, which never change. */
export interface InstrumentTerms {
  readonly symbol: string;
  readonly spec: SymbolSpec;
  readonly rules: SymbolRules;
  readonly parts: SymbolParts;
  readonly spot: boolean;
  /** Whether it is tradable in the first phase. */
  readonly phaseOne: boolean;
  /** Quote value of one lot at a price of one tick: tick x lot x contract size. */
  readonly unitValue: Decimal;
  /** Base units of one lot: lot x contract size. */
  readonly lotBase: Decimal;
  readonly measures: Measures;
  /** Fee rates of fills. */
  readonly fees: { readonly maker: FeeRate; readonly taker: FeeRate };
  readonly liquidationFee: Decimal;
  readonly fundingIntervalMs: number;
}

/** The figures that change. */
export interface InstrumentFigures {
  state: string;
  /** The state by the tape, and the operator's halts, which take precedence; `state` combines both. */
  readonly trading: Overridable<{ readonly state: string }>;
  mark: Decimal | null;
  index: Decimal | null;
  markAtMs: number;
  /** The mark price in ticks; null until it is computed. Reset to null with every new mark price. */
  gauge: MarkTicks | null;
  lastTicks: number | null;
  openInterest: Decimal | null;
  fundingRate: Decimal;
  nextFundingAtMs: number;
}
