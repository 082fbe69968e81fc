/** What a limit says, word for word: the figure found, the figure allowed and the sentence. People act on these. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { RISK } from "../support/risk.ts";
import type { RiskSettings } from "../../src/risk/settings.ts";
import type { Limit } from "../../src/risk/verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "../../src/risk/view.ts";
import { BTC, draft, position, SOL, symbolRisk, view } from "./support.ts";

export const limitNamed = (name: string, settings: RiskSettings): Limit => {
  const found = allLimits(settings).find((limit) => limit.name === name);
  if (!found) throw new Error(`no limit ${name}`);
  return found;
};

/** kind, found, allowed, reason; and the quantity where it shrank. */
export type Words = readonly [kind: string, found: string, allowed: string, reason: string, qty?: string];
export type Case = readonly [
  story: string,
  given: Draft,
  seen: Partial<RiskView>,
  words: Words,
  settings?: Partial<RiskSettings>,
];

export function table(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    for (const [story, given, seen, [kind, found, allowed, reason, qty], settings] of cases) {
      test(story, () => {
        const said = limitNamed(name, { ...RISK, openingSpareUsdt: dec("0"), ...settings }).judge(given, view(seen));
        expect(said).toEqual({ limit: name, kind, found, allowed, reason, ...(qty === undefined ? {} : { qty }) });
      });
    }
  });
}

export const btc = (change: Partial<SymbolRisk>): Partial<RiskView> => ({
  symbols: new Map([
    [BTC, symbolRisk(BTC, "60000", change)],
    [SOL, symbolRisk(SOL, "150")],
  ]),
});
export const X = "EXCHANGE_A_PERP_X_USDT";
export const unvalued: Partial<RiskView> = { positions: [position(X, "LONG", "1", "1")] };
export const flight = (
  notionalUsdt: string,
  symbol = SOL,
  positionSide: "LONG" | "SHORT" = "LONG",
): Partial<RiskView> => {
  const inFlight = [{ clientOrderId: "other", symbol, leg: positionSide, notionalUsdt: dec(notionalUsdt) }];
  return { inFlight, unreadOpenings: inFlight };
};
export const closing = draft({ side: "SELL" }, { stop: null });
export const PASSED: Words = ["allow", "reducing", "reducing", "The order reduces risk; this limit does not apply."];
export const TOO_LITTLE = "What still fits is less than the venue's smallest order.";
export const NO_VALUE = "The order cannot be valued.";
export const short = { side: "SELL", positionSide: "SHORT" } as const;
export const MARKET = { orderType: "MARKET", limitPrice: null } as const;
