/**
 * Symbol rules, mark prices and funding over REST. Each allows 3 requests in 10 s, so request all symbols at once.
 * Spec: 1 §4.5; records §9.
 */
import { mapOutcome } from "../core/outcome.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { fundingOf, fundingRate } from "../protocol/trading/funding-rate.ts";
import { markPrice, readMarkPrices } from "../protocol/trading/mark-price.ts";
import { readSymbolInfo, symbolInfo } from "../protocol/trading/symbol-info.ts";
import type { VenueCall } from "./call.ts";
import { given } from "./params.ts";

type ReferenceCalls = Pick<VenuePort, "symbolRules" | "markPrices" | "fundingRate">;

export function referenceCalls(call: VenueCall): ReferenceCalls {
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
