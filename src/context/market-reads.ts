/**
 * What limits and planner read of the market between two snapshots, one figure of one symbol at a time. What is not to be
 * trusted now (a book with a gap, prices held back as impossible) is reported as not known.
 */
import { toFloat } from "../core/decimal.ts";
import type { Candle } from "../domain/market.ts";
import { BID, FUNDING, LAST, MARK, type SymbolState } from "./symbol-state.ts";
import { inQuote, volatilityOf } from "./symbol-view.ts";

/** What the limits and the planner need of one symbol, without a snapshot. Ages are Infinity while it is held back. */
export interface Quote {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly mark: number | null;
  readonly last: number | null;
  /** The mark at which the venue last valued a position in the symbol; null while it never has. */
  readonly valued: number | null;
  readonly valuedAgeMs: number;
  readonly bookAgeMs: number;
  readonly bboAgeMs: number;
  readonly markAgeMs: number;
}

/** The reads of a context that need no snapshot. */
export interface MarketReads {
  /** True once at least half of the universe has a fresh quote and mark: enough to begin to judge. */
  warm(nowMs: number): boolean;
  quote(symbol: string, nowMs: number): Quote;
  /** The same with true ages while the symbol is held back: every stored price has passed the checks. */
  accepted(symbol: string, nowMs: number): Quote;
  /** Quote value resting on a side within `band` (a fraction) of its best price; null while the book is not to be trusted. */
  depth(symbol: string, side: { readonly bid: boolean; readonly band: number }, nowMs: number): number | null;
  /** The best levels of one side, best first; empty while the book is not to be trusted. Allocates. */
  levels(
    symbol: string,
    side: { readonly bid: boolean; readonly count: number },
    nowMs: number,
  ): readonly { readonly price: number; readonly qty: number }[];
  /** The last bars of an interval, oldest first, the running one last; empty where the interval is not kept. Allocates. */
  bars(symbol: string, interval: string, count: number): readonly Candle[];
  /** How many bars of an interval open at or after an instant. */
  barsSince(symbol: string, interval: string, sinceMs: number): number;
  /** Base units a contract; 1 while the symbol's rules are not known. */
  contractSize(symbol: string): number;
  /** Standard deviation of returns scaled to an hour, fraction of price; null while it is not known. */
  volatilityHour(symbol: string, nowMs: number): number | null;
  /** The rate of the next settlement, null while either is not known. */
  funding(symbol: string): { readonly rate: number; readonly nextAtMs: number } | null;
  /** The symbol is of the universe, its rules say live, and its prices are not held back as impossible. */
  tradable(symbol: string, nowMs: number): boolean;
}

const FRESH_MS = 15_000;
const NO_QUOTE: Quote = {
  bid: null,
  ask: null,
  mark: null,
  last: null,
  valued: null,
  valuedAgeMs: Infinity,
  bookAgeMs: Infinity,
  bboAgeMs: Infinity,
  markAgeMs: Infinity,
};

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Reads the states of the universe, which change meanwhile. */
export function marketReads(states: ReadonlyMap<string, SymbolState>): MarketReads {
  return {
    warm: (nowMs) => {
      let ready = 0;
      for (const state of states.values()) if (isFresh(quoteOf(state, nowMs))) ready++;
      return ready > 0 && ready * 2 >= states.size;
    },
    quote: (symbol, nowMs) => {
      const state = states.get(symbol);
      return state ? quoteOf(state, nowMs) : NO_QUOTE;
    },
    accepted: (symbol, nowMs) => {
      const state = states.get(symbol);
      return state ? quoteOf(state, nowMs, false) : NO_QUOTE;
    },
    depth: (symbol, { bid, band }, nowMs) => {
      const state = states.get(symbol);
      return state && state.book.defect(nowMs) === null ? inQuote(state.book.depthOf(bid, band), state) : null;
    },
    levels: (symbol, { bid, count }, nowMs) => {
      const state = states.get(symbol);
      return state && state.book.defect(nowMs) === null ? state.book.top(bid, count) : [];
    },
    bars: (symbol, interval, count) => states.get(symbol)?.bars.series.get(interval)?.list(count) ?? [],
    barsSince: (symbol, interval, sinceMs) => states.get(symbol)?.bars.series.get(interval)?.since(sinceMs) ?? 0,
    contractSize: (symbol) => {
      const rules = states.get(symbol)?.rules;
      return rules ? toFloat(rules.contractSize) : 1;
    },
    volatilityHour: (symbol, nowMs) => {
      const state = states.get(symbol);
      return state ? volatilityOf(state, nowMs) : null;
    },
    funding: (symbol) => {
      const state = states.get(symbol);
      const rate = state?.value(FUNDING) ?? NaN;
      const nextAtMs = state?.nextFundingAtMs ?? null;
      return Number.isNaN(rate) || nextAtMs === null ? null : { rate, nextAtMs };
    },
    tradable: (symbol, nowMs) => {
      const state = states.get(symbol);
      return state?.rules?.state === "live" && !state.sanity.held(nowMs);
    },
  };
}

const isFresh = ({ bookAgeMs, bboAgeMs, markAgeMs }: Quote): boolean =>
  Math.min(bookAgeMs, bboAgeMs) < FRESH_MS && markAgeMs < FRESH_MS;

function quoteOf(state: SymbolState, nowMs: number, held = state.sanity.held(nowMs)): Quote {
  return {
    bid: known(state.touch(true, nowMs)),
    ask: known(state.touch(false, nowMs)),
    mark: known(state.value(MARK)),
    last: known(state.value(LAST)),
    valued: known(state.valued),
    valuedAgeMs: nowMs - state.valuedMs,
    bookAgeMs: held ? Infinity : state.bookAgeMs(nowMs),
    bboAgeMs: held ? Infinity : state.ageMs(BID, nowMs),
    markAgeMs: held ? Infinity : state.ageMs(MARK, nowMs),
  };
}
