/** Symbol rules, mark prices and funding over REST. Each has 3 requests in 10 s: ask for all symbols at once. Spec: 1 §4.5; records §9. */
import type { Decimal } from "../core/decimal.ts";
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import type { Funding } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";
import { fundingOf, fundingRate } from "../protocol/trading/funding-rate.ts";
import { markPrice, readMarkPrices } from "../protocol/trading/mark-price.ts";
import { readSymbolInfo, symbolInfo } from "../protocol/trading/symbol-info.ts";
import type { Call } from "./call.ts";
import { given } from "./params.ts";

/** A `symbol` that is left out asks for all of them in one request. */
export interface ReferenceCalls {
  /** Symbols without price or quantity steps are left out: they cannot be traded. */
  symbolRules(symbol?: string): Promise<Outcome<readonly SymbolRules[]>>;
  markPrices(symbol?: string): Promise<Outcome<readonly { symbol: string; markPrice: Decimal; atMs: number }[]>>;
  fundingRate(symbol: string): Promise<Outcome<Funding>>;
}

export function referenceCalls(call: Call): ReferenceCalls {
  return {
    symbolRules: async (symbol) => mapOutcome(await call(symbolInfo, given({ sym: symbol })), readSymbolInfo),
    markPrices: async (symbol) => mapOutcome(await call(markPrice, given({ sym: symbol })), readMarkPrices),
    fundingRate: async (symbol) => {
      const outcome = await call(fundingRate, { sym: symbol });
      if (outcome.kind !== "done") return outcome;
      const funding = fundingOf(outcome.value, symbol);
      return funding
        ? { kind: "done", value: funding }
        : { kind: "unknown", message: `the venue answered without a funding rate for ${symbol}` };
    },
  };
}
