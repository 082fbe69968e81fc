/** One symbol's part of a snapshot, built from its rolling state. */
import { toFloat } from "../core/decimal.ts";
import { lazyMembers } from "../core/lazy.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";
import { minuteCorrelation, MINUTES_COMPARED } from "./correlation.ts";
import { historyView, type KnownPast } from "./history-view.ts";
import { endedHours } from "./hours.ts";
import { indicatorsOf, type IndicatorView } from "./indicators.ts";
import { returnsOf } from "./returns.ts";
import type { SymbolView } from "./snapshot.ts";
import { BID, FUNDING, INDEX, LAST, MARK, OPEN_INTEREST, type SymbolState, TRADE } from "./symbol-state.ts";
import { hourlyVolatility, squaresOf } from "./volatility.ts";

/** Inputs that the state lacks; without a leader there is no correlation. */
export interface ViewInput {
  readonly nowMs: number;
  readonly leader: SymbolState | undefined;
  /** The same coin on another exchange. */
  readonly twin?: SymbolState | undefined;
  /** Bars of each interval in a snapshot. */
  readonly barsShown: number;
}

const VOLATILITY_MINUTES = 240;
/** Used within one call: a list for each symbol at each decision would be garbage at once. */
const squares = new Float64Array(VOLATILITY_MINUTES);
const STEP_MS = 5_000;
/** Minutes checked for missing bars. */
const GAP_MINUTES = 240;

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Reads only. A held symbol keeps its figures, but its quote, mark and index have infinite ages. */
export function symbolViewOf(state: SymbolState, input: ViewInput): SymbolView {
  const { nowMs } = input;
  const bid = known(state.touch(true, nowMs));
  const ask = known(state.touch(false, nowMs));
  const mark = known(state.value(MARK));
  const index = known(state.value(INDEX));
  const bookUsable = state.book.defect(nowMs) === null;
  // A symbol held for implausible prices counts as having none.
  const held = state.sanity.held(nowMs);
  // Before the shown bars, which are a part of these.
  const correlated = correlatedOf(state, input.leader);
  const candles = candlesOf(state, input.barsShown);
  const past = {
    hours: endedHours(state.bars.series.get("1H"), nowMs),
    settled: state.funding.settled(nowMs),
    price: state.fair(nowMs),
    nowMs,
  };
  const figures = {
    symbol: state.symbol,
    base: state.base,
    rules: state.rules,
    last: known(state.value(LAST)),
    bid,
    ask,
    spreadBps: bid !== null && ask !== null ? ((ask - bid) / ((ask + bid) / 2)) * 10_000 : null,
    depthImbalance: bookUsable ? state.book.imbalance() : null,
    depthUsdt: bookUsable ? inQuote(state.book.depthWithin(10), state) : null,
    mark,
    index,
    basisBps: mark !== null && index !== null ? (mark / index - 1) * 10_000 : null,
    fundingRate: known(state.value(FUNDING)),
    nextFundingAtMs: state.nextFundingAtMs,
    openInterest: known(state.value(OPEN_INTEREST)),
    openInterestChange: state.openInterest.changeTo(state.value(OPEN_INTEREST), nowMs),
    tradeFlow: state.flow.balance(nowMs),
    tradedUsdt: Number.isFinite(state.seenMs(TRADE)) ? state.flow.traded(nowMs) : null,
    volatilityHour: volatilityOf(state, nowMs),
    returns: returnsOf(state, nowMs),
    candles,
    crossBasisBps: basisTo(state, input.twin, nowMs),
    minutesKnown: state.bars.series.get("1m")?.size ?? 0,
    minutesMissing: state.bars.series.get("1m")?.missing(GAP_MINUTES) ?? 0,
    ageMs: {
      book: held ? Infinity : state.bookAgeMs(nowMs),
      bbo: held ? Infinity : state.ageMs(BID, nowMs),
      mark: held ? Infinity : state.ageMs(MARK, nowMs),
      index: held ? Infinity : state.ageMs(INDEX, nowMs),
      trade: state.ageMs(TRADE, nowMs),
      funding: state.ageMs(FUNDING, nowMs),
      openInterest: state.ageMs(OPEN_INTEREST, nowMs),
      candle: nowMs - state.bars.seenMs,
    },
  };
  return withRest(figures, { candles, past, correlated });
}

/** Minute bars of the symbol and the leader, or the figure itself where there is nothing to compute. */
type Correlated = readonly [readonly Candle[], readonly Candle[]] | 1 | null;

interface Rest {
  readonly candles: SymbolView["candles"];
  readonly past: KnownPast;
  readonly correlated: Correlated;
}

/** Few strategies read them. */
const withRest = lazyMembers<Rest, Pick<SymbolView, "indicators" | "history" | "correlationToLeader">>({
  indicators: ({ candles }) => indicatorsBy(candles),
  history: ({ past }) => historyView(past),
  correlationToLeader: ({ correlated }) =>
    typeof correlated === "object" && correlated ? minuteCorrelation(...correlated) : correlated,
});

/**
 * Quote value of a sum of quantities. Quantities are in the venue's order unit, which the rules convert to base
 * units.
 */
export const inQuote = (value: number | null, state: SymbolState): number | null =>
  value === null ? null : value * (state.rules ? toFloat(state.rules.contractSize) : 1);

/** Against the same coin on another exchange, both at the middle. */
function basisTo(state: SymbolState, twin: SymbolState | undefined, nowMs: number): number | null {
  const found = twin ? (state.fair(nowMs) / twin.fair(nowMs) - 1) * 10_000 : NaN;
  return Number.isFinite(found) ? found : null;
}

function correlatedOf(state: SymbolState, leader: SymbolState | undefined): Correlated {
  const own = state.bars.series.get("1m");
  const other = leader?.bars.series.get("1m");
  if (!own || !other) return null;
  return leader === state ? 1 : [own.list(MINUTES_COMPARED), other.list(MINUTES_COMPARED)];
}

/** From minute bars if there are enough, otherwise from the per-second samples of the last minutes. */
export function volatilityOf(state: SymbolState, nowMs: number): number | null {
  const minutes = state.bars.series.get("1m");
  const count = minutes?.squaresInARow(VOLATILITY_MINUTES, squares) ?? 0;
  const byMinutes = hourlyVolatility(squares, { count, stepMs: MINUTE_MS, halfLife: 60, needed: 15 });
  if (byMinutes !== null) return byMinutes;
  const steps = squaresOf(state.seconds.stepsBack(nowMs, STEP_MS));
  return hourlyVolatility(steps, { stepMs: STEP_MS, halfLife: 60, needed: 4 });
}

/** The newest bars of each interval; longer ones are the venue's own or built from minutes. */
function candlesOf(state: SymbolState, count: number): Record<string, readonly Candle[]> {
  const found: Record<string, readonly Candle[]> = {};
  for (const [name, series] of state.bars.series) found[name] = series.list(count);
  return found;
}

const INDICATORS = ["5m", "1H", "1D"].map((name) => ({
  name,
  define: lazyMembers<readonly Candle[], SymbolView["indicators"]>({ [name]: indicatorsOf }),
}));

function indicatorsBy(candles: Readonly<Record<string, readonly Candle[]>>): Record<string, IndicatorView> {
  const found: Record<string, IndicatorView> = {};
  for (const { name, define } of INDICATORS) {
    const bars = candles[name];
    if (bars) define(found, bars);
  }
  return found;
}
