/** A market input that writes down what a tape does, and builders for symbol specs. */
import { type Decimal, dec } from "../../../src/core/decimal.ts";
import { perpSymbol } from "../../../src/domain/symbol.ts";
import type { Level, MarketInput, SymbolSpec } from "../../../src/sim/exchange/contract/market-api.ts";
import { referenceFor } from "../../../src/sim/market/reference-prices.ts";

export interface Print {
  readonly symbol: string;
  readonly takerBuys: boolean;
  readonly ticks: number;
  readonly lots: number;
  readonly atMs: number;
}

export interface Recorder extends MarketInput {
  readonly prints: Print[];
  readonly books: Map<string, { bids: readonly Level[]; asks: readonly Level[] }>;
  readonly marks: { symbol: string; mark: Decimal; index: Decimal; atMs: number }[];
  readonly fundings: { symbol: string; rate: Decimal; nextFundingAtMs: number }[];
  readonly interests: { symbol: string; openInterest: Decimal; atMs: number }[];
  readonly states: Map<string, string>;
  /** Every call as a line, for comparing runs. */
  readonly lines: string[];
}

export function recorder(keepLines = false): Recorder {
  const lines: string[] = [];
  const note = (...parts: unknown[]): void => {
    if (keepLines) lines.push(parts.join(" "));
  };
  const self: Recorder = {
    prints: [],
    books: new Map(),
    marks: [],
    fundings: [],
    interests: [],
    states: new Map(),
    lines,
    setLiquidity: (symbol, bid, given, nowMs) => {
      const levels = given.map(([ticks, lots]) => [ticks, lots] as const);
      note("book", symbol, bid, levels.map((level) => level.join("x")).join(","), nowMs);
      const book = self.books.get(symbol) ?? { bids: [], asks: [] };
      self.books.set(symbol, bid ? { ...book, bids: levels } : { ...book, asks: levels });
    },
    changeLiquidity: (symbol, changes, nowMs) => {
      if (keepLines)
        note("change", symbol, changes.map(({ bid, ticks, lots }) => `${bid}${ticks}x${lots}`).join(","), nowMs);
    },
    print: (symbol, takerBuys, ticks, lots, atMs) => {
      note("print", symbol, takerBuys, ticks, lots, atMs);
      self.prints.push({ symbol, takerBuys, ticks, lots, atMs });
    },
    setMark: (symbol, mark, index, atMs) => {
      note("mark", symbol, mark.toFixed(), index.toFixed(), atMs);
      self.marks.push({ symbol, mark, index, atMs });
    },
    setFunding: (symbol, rate, nextFundingAtMs) => {
      note("funding", symbol, rate.toFixed(), nextFundingAtMs);
      self.fundings.push({ symbol, rate, nextFundingAtMs });
    },
    setOpenInterest: (symbol, openInterest, atMs) => {
      note("interest", symbol, openInterest.toFixed(), atMs);
      self.interests.push({ symbol, openInterest, atMs });
    },
    setState: (symbol, state) => {
      note("state", symbol, state);
      self.states.set(symbol, state);
    },
  };
  return self;
}

/** A spec whose tick is about a hundredth of a percent of the reference price. */
export function specFor(base: string, exchange = "EXCHANGE_A", contractSize = "1"): SymbolSpec {
  const decimals = Math.max(0, Math.ceil(4 - Math.log10(referenceFor(base).price)));
  const step = dec(10).pow(-decimals);
  return {
    rules: {
      symbol: perpSymbol(exchange, base),
      state: "live",
      tickSize: step,
      pricePrecision: decimals,
      lotSize: dec("0.001"),
      qtyPrecision: 3,
      minSize: dec("0.001"),
      minNotional: dec(5),
      maxLimitSize: dec(1_000_000),
      maxMarketSize: dec(200_000),
      maxNumOrders: 200,
      contractSize: dec(contractSize),
      defaultLeverage: 5,
    },
    maxLeverage: 20,
    brackets: [{ minNotional: dec(0), maxLeverage: 20, maintenanceRate: dec("0.02") }],
  };
}
