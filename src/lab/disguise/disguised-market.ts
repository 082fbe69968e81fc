/**
 * Bars, funding and instruments in disguise. Prices are multiplied by a power of two, and tick, lot and sizes follow,
 * so that a tick remains the same fraction of the price and a lot the same value in USDT. Funding rates are fractions
 * and stay unchanged.
 */
import { type Decimal, dec } from "../../core/decimal.ts";
import { parseSymbol, type SymbolRules } from "../../domain/symbol.ts";
import type { SymbolSpec } from "../../sim/exchange/contract/market-api.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { type Disguise, shownSymbol, trueSymbol } from "./disguise.ts";
import { shownNews } from "./disguised-news.ts";
import type { MarketDisguise } from "../../sim/options.ts";

/** Exact: a power of two has finitely many decimals in either direction. */
const exactly = (factor: number): Decimal => (factor >= 1 ? dec(factor) : dec(1).div(dec(1 / factor)));

function factorOf({ factors }: Disguise, symbol: string): number {
  const parts = parseSymbol(symbol);
  return (parts.ok ? factors.get(parts.value.base) : undefined) ?? 1;
}

/** Values in USDT, such as the smallest order, stay unchanged. */
function shownRules(rules: SymbolRules, symbol: string, factor: number): SymbolRules {
  const price = (value: Decimal): Decimal => value.mul(exactly(factor));
  const qty = (value: Decimal): Decimal => value.mul(exactly(1 / factor));
  const [tickSize, lotSize] = [price(rules.tickSize), qty(rules.lotSize)];
  return {
    ...rules,
    symbol,
    tickSize,
    lotSize,
    pricePrecision: tickSize.decimalPlaces(),
    qtyPrecision: lotSize.decimalPlaces(),
    minSize: qty(rules.minSize),
    maxLimitSize: qty(rules.maxLimitSize),
    maxMarketSize: qty(rules.maxMarketSize),
  };
}

/** The instrument under its disguised name. */
export function shownSpec(disguise: Disguise, spec: SymbolSpec): SymbolSpec {
  const { rules, originalSymbol, ...rest } = spec;
  const symbol = shownSymbol(disguise, rules.symbol);
  const [parts, shown] = [parseSymbol(rules.symbol), parseSymbol(symbol)];
  return {
    ...rest,
    rules: shownRules(rules, symbol, factorOf(disguise, rules.symbol)),
    ...(originalSymbol !== undefined && parts.ok && shown.ok
      ? { originalSymbol: originalSymbol.replace(parts.value.base, shown.value.base) }
      : {}),
  };
}

/** One symbol under its disguised name and with its shown prices, at the true times. Ticks and lots keep their counts. */
export const shownRecorded = (disguise: Disguise, recorded: Recorded): Recorded => ({
  ...recorded,
  spec: shownSpec(disguise, recorded.spec),
  shownAs: { trueSymbol: recorded.spec.rules.symbol, factor: factorOf(disguise, recorded.spec.rules.symbol) },
});

/** Also shifts bars and settlements to the shown time, for a fast run, whose only clock is its bars. */
export function shownBars(disguise: Disguise, recorded: Recorded): Recorded {
  const { candles, funding } = recorded;
  const { shiftMs } = disguise;
  return {
    ...shownRecorded(disguise, recorded),
    candles: { ...candles, openMs: candles.openMs.map((openMs) => openMs + shiftMs) },
    funding: funding.map((row) => ({ ...row, atMs: row.atMs + shiftMs })),
    // A fast run plays bars only.
    trades: null,
    books: [],
  };
}

/** For the simulated service, whose clock starts at the shown time. */
export const marketDisguise = (disguise: Disguise): MarketDisguise => ({
  trueSymbol: (symbol) => trueSymbol(disguise, symbol),
  recorded: (recorded) => shownRecorded(disguise, recorded),
  news: (item, offsetMs) => shownNews(disguise, item, offsetMs),
});
