/** What a venue charges for a fill. */
import type { Decimal } from "../core/decimal.ts";

/** Fractions of value; a rebate is below zero. */
export interface FeeRates {
  readonly taker: Decimal;
  readonly maker: Decimal;
}

/** The rates of the perpetuals of one exchange. */
export interface ExchangeFees extends FeeRates {
  readonly exchange: string;
}
