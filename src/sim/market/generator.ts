/**
 * A whole market from a seed: prices, books, takers, mark, index, funding and open interest for every symbol, so that
 * practice needs no data and no network. Symbols of one base on several exchanges share its fair price and differ by
 * their basis. Simplifications: liquidity that participants take is refilled within a second, without lasting price
 * impact; regimes make short-term trends more likely than in real markets, so that practice has something to trade.
 */
import { quantize } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import type { MarketInput, SymbolSpec } from "../exchange/contract/market-api.ts";
import { fundingRate, nextFundingAfter, smoothMark, stepCarry } from "./carry.ts";
import { createPaths, type Paths, pushPath, stepPaths } from "./price-path.ts";
import { generatePast } from "./generated-past.ts";
import { LEADER, type MarketConditions, TABLE_CONDITIONS } from "./reference-prices.ts";
import { createQuoted, middleOf, moveBook, type Quoted, tradeAtTouch } from "./quoted.ts";
import { subSteps, type Tape } from "./tape.ts";

/** `entropy` is forked by base and by symbol, so a symbol's draws do not depend on the other symbols. */
export interface GeneratorSettings {
  readonly symbols: readonly SymbolSpec[];
  readonly entropy: Entropy;
  /** Default: the reference table unchanged. */
  readonly conditions?: MarketConditions;
  /** Starting prices of bases by name; others start near the reference price. */
  readonly prices?: ReadonlyMap<string, number>;
  /** Whether marks, indices and open interest are reported, which costs a third of the time. Default true. */
  readonly marks?: boolean;
}

const MARK_EVERY_MS = 1_000;
const FUNDING_SHOWN_EVERY_MS = 60_000;
const OPEN_INTEREST_EVERY_MS = 5_000;
const CARRY_EVERY_MS = 1_000;

interface Running {
  readonly input: MarketInput;
  readonly marks: boolean;
  readonly paths: Paths;
  readonly quoted: readonly Quoted[];
  readonly past: ReturnType<typeof generatePast>;
  nowMs: number;
}

const baseOf = (spec: SymbolSpec): string => {
  const parsed = parseSymbol(spec.rules.symbol);
  return parsed.ok ? parsed.value.base : LEADER;
};

const isSpot = (spec: SymbolSpec): boolean => {
  const parsed = parseSymbol(spec.rules.symbol);
  return parsed.ok && parsed.value.type === "SPOT";
};

/** A generated market for the given symbols. The same seed, start and step times give the same market. */
export function createGenerator(settings: GeneratorSettings): Tape {
  let running: Running | null = null;
  const { symbols, entropy, conditions = TABLE_CONDITIONS, prices = new Map(), marks = true } = settings;
  return {
    symbols,
    start: (input, nowMs) => {
      const paths = createPaths({
        bases: symbols.map(baseOf),
        entropy,
        startMs: nowMs,
        volatilityScale: conditions.volatility,
        prices,
      });
      const quoted = symbols.map((spec) => quote(spec, paths, { entropy, conditions }));
      const begins = new Map([...paths.byBase].map(([base, { logPrice }]) => [base, Math.exp(logPrice)]));
      const past = generatePast({ entropy, startMs: nowMs, volatilityScale: conditions.volatility, prices: begins });
      running = { input, marks, paths, quoted, past, nowMs };
      for (const quoted of running.quoted) openMarket(input, quoted, nowMs);
    },
    step: (nowMs) => {
      if (!running) return;
      for (const quoted of running.quoted) renewFunding(running.input, quoted, running.nowMs);
      for (const atMs of subSteps(running.nowMs, nowMs)) {
        stepPaths(running.paths, { fromMs: running.nowMs, toMs: atMs });
        for (const quoted of running.quoted) stepSymbol(running, quoted, atMs);
        running.nowMs = atMs;
      }
    },
    past: (symbol, interval) => {
      const spec = symbols.find(({ rules }) => rules.symbol === symbol);
      return spec && running && (interval === "1H" || interval === "1m") ? running.past(baseOf(spec))[interval] : [];
    },
    push: (symbol, fractionalMove, overMs) => running !== null && pushSymbol(running, symbol, fractionalMove, overMs),
  };
}

interface Around {
  readonly entropy: Entropy;
  readonly conditions: MarketConditions;
}

function quote(spec: SymbolSpec, paths: Paths, { entropy, conditions }: Around): Quoted {
  const path = paths.byBase.get(baseOf(spec)) ?? paths.leader;
  const own = entropy.fork(`book:${spec.rules.symbol}`);
  return createQuoted({ spec, path, spot: isSpot(spec), entropy: own, conditions });
}

function pushSymbol(running: Running, symbol: string, move: number, overMs: number): boolean {
  const chosen = running.quoted.filter(
    (quoted) => symbol === "*" || quoted.symbol === symbol || quoted.path.reference.base === symbol,
  );
  for (const path of new Set(chosen.map((quoted) => quoted.path))) pushPath(path, move, running.nowMs, overMs);
  return chosen.length > 0;
}

function openMarket(input: MarketInput, quoted: Quoted, nowMs: number): void {
  input.setState(quoted.symbol, "live");
  moveBook(input, quoted, nowMs);
  quoted.carry.mark = middleOf(quoted);
  reportMark(input, quoted, nowMs);
  if (quoted.spot) return;
  quoted.nextFundingMs = nextFundingAfter(nowMs);
  reportFunding(input, quoted);
  reportOpenInterest(input, quoted, nowMs);
}

/** True once in every span of `everyMs`, at the symbol's own offset, so that symbols do not all report at once. */
const falls = (quoted: Quoted, everyMs: number, fromMs: number, toMs: number): boolean =>
  Math.floor((fromMs + quoted.phaseMs) / everyMs) !== Math.floor((toMs + quoted.phaseMs) / everyMs);

function stepSymbol({ input, marks, nowMs: fromMs }: Running, quoted: Quoted, toMs: number): void {
  if (falls(quoted, CARRY_EVERY_MS, fromMs, toMs)) {
    const dtMs = Math.max(CARRY_EVERY_MS, toMs - fromMs);
    const step = { dtMs, basisDeviation: quoted.figures.basis, pressure: quoted.path.pressure };
    if (!quoted.spot) stepCarry(quoted.carry, step, quoted.entropy);
  }
  moveBook(input, quoted, toMs);
  tradeAtTouch(input, quoted, fromMs, toMs);
  smoothMark(quoted.carry, middleOf(quoted), toMs - fromMs);
  if (marks && falls(quoted, MARK_EVERY_MS, fromMs, toMs)) reportMark(input, quoted, toMs);
  if (quoted.spot) return;
  const settling = toMs >= quoted.nextFundingMs;
  if (!settling && falls(quoted, FUNDING_SHOWN_EVERY_MS, fromMs, toMs)) reportFunding(input, quoted);
  if (marks && falls(quoted, OPEN_INTEREST_EVERY_MS, fromMs, toMs)) reportOpenInterest(input, quoted, toMs);
}

function reportMark(input: MarketInput, quoted: Quoted, nowMs: number): void {
  const { tickSize } = quoted.spec.rules;
  const mark = quantize(quoted.carry.mark, tickSize, "nearest");
  const index = quantize(Math.exp(quoted.path.logPrice), tickSize, "nearest");
  input.setMark(quoted.symbol, mark, index, nowMs);
}

function reportFunding(input: MarketInput, quoted: Quoted): void {
  input.setFunding(quoted.symbol, fundingRate(quoted.carry.premium, quoted.fundingScale), quoted.nextFundingMs);
}

/**
 * Sets the next settlement one step after the last was reached: in between, the exchange has settled it at its
 * announced rate.
 */
function renewFunding(input: MarketInput, quoted: Quoted, nowMs: number): void {
  if (quoted.spot || nowMs < quoted.nextFundingMs) return;
  quoted.nextFundingMs = nextFundingAfter(nowMs);
  reportFunding(input, quoted);
}

function reportOpenInterest(input: MarketInput, quoted: Quoted, nowMs: number): void {
  const amount = quantize(quoted.carry.openInterest, quoted.spec.rules.lotSize, "nearest");
  input.setOpenInterest(quoted.symbol, amount, nowMs);
}
