/** An instrument as such: the terms that the venue lays down once, and the figures that move. Spec: records §9. */
import type { Decimal } from "../../core/decimal.ts";
import type { Overridable } from "../../core/overridable.ts";
import type { SymbolParts, SymbolRules } from "../../domain/symbol.ts";
import type { SymbolSpec } from "./market-api.ts";
import type { FeeRate, Gauge, Measures } from "./sums.ts";

/** All of an instrument that never changes. */
export interface InstrumentTerms {
  readonly symbol: string;
  readonly spec: SymbolSpec;
  readonly rules: SymbolRules;
  readonly parts: SymbolParts;
  readonly spot: boolean;
  /** One of the instruments that the first phase is traded in. */
  readonly phaseOne: boolean;
  /** Quote value of one lot at a price of one tick: tick x lot x contract size. */
  readonly unitValue: Decimal;
  /** Base units of one lot: lot x contract size. */
  readonly lotBase: Decimal;
  readonly measures: Measures;
  /** What fills cost here. */
  readonly fees: { readonly maker: FeeRate; readonly taker: FeeRate };
  readonly liquidationFee: Decimal;
  readonly fundingIntervalMs: number;
}

/** What holds at the moment. */
export interface InstrumentFigures {
  state: string;
  /** What the tape says of the state, and above it the operator's halts; `state` is what comes of both. */
  readonly trading: Overridable<{ readonly state: string }>;
  mark: Decimal | null;
  index: Decimal | null;
  markAtMs: number;
  /** The mark in ticks; null until somebody asks. Set to null with every new mark. */
  gauge: Gauge | null;
  lastTicks: number | null;
  openInterest: Decimal | null;
  fundingRate: Decimal;
  nextFundingAtMs: number;
}
