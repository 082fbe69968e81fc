/**
 * One recorded symbol, converted to an instrument: its candles in the instrument's ticks and lots, and rules with steps
 * so fine that no figure of the source is rounded.
 */
import { dec, type Decimal, isMultipleOf, ONE } from "../../core/decimal.ts";
import type { SymbolSpec } from "../exchange/contract/market-api.ts";
import type { BookRecording } from "./book-recording.ts";
import type { ScaledBook } from "./book-track.ts";
import { fewestPrints, type WholeCandle } from "./candle-path.ts";
import type { CandleColumns, FundingRow } from "./import.ts";
import { type FinePrints, type MakePath, partlyRecorded } from "./part-candle.ts";
import { makeUp, type Trades, tradesWithin } from "./trades.ts";

/** Everything is in the tape's own time; the player shifts it. `spec` may have finer steps than its instrument. */
export interface Recorded {
  readonly spec: SymbolSpec;
  readonly dataSymbol: string;
  readonly candles: CandleColumns;
  readonly intervalMs: number;
  /** Ticks of one unit in the last decimal of the source's prices; likewise lots for volumes. */
  readonly ticksPerUnit: number;
  readonly lotsPerUnit: number;
  readonly funding: readonly FundingRow[];
  /**
   * Recorded trades, over a time that may be longer or shorter than that of the candles; null if none were recorded.
   */
  readonly trades: Trades | null;
  /** Recorded books in order of time, without overlap. */
  readonly books: readonly ScaledBook[];
  /** Set for a disguised market; random draws are those of the true symbol. */
  readonly shownAs?: ShownAs;
}

/** How a symbol is shown in place of its own name and prices. */
export interface ShownAs {
  readonly trueSymbol: string;
  /**
   * Shown prices over true ones; volumes in base units are divided by it. A power of two, so that floats of shown
   * prices are exact multiples of the true ones and no calculation rounds differently.
   */
  readonly factor: number;
}

/** USDT per unit of the last decimal of the candles' prices. */
export const priceUnitOf = ({ candles, shownAs }: Pick<Recorded, "candles" | "shownAs">): number =>
  10 ** -candles.priceDecimals * (shownAs?.factor ?? 1);

/** Base units per unit of the last decimal of the candles' volumes. */
export const volumeUnitOf = ({ candles, shownAs }: Pick<Recorded, "candles" | "shownAs">): number =>
  10 ** -candles.volumeDecimals / (shownAs?.factor ?? 1);

/** A lot is divided by ten at most this often. */
const REFINEMENTS_MAX = 4;

/** Keeps a step if the source's unit is a multiple of it, else uses the unit itself. */
function fitStep(step: Decimal, unit: Decimal): { readonly step: Decimal; readonly perUnit: number } {
  if (isMultipleOf(unit, step)) return { step, perUnit: unit.div(step).toNumber() };
  return { step: unit, perUnit: 1 };
}

/** Whether every candle's volume has enough lots for the trades that the candle needs. */
function lotsSuffice(candles: CandleColumns, intervalMs: number, lotsPerUnit: number): boolean {
  for (let i = 0; i < candles.count; i++) {
    const volume = (candles.volume[i] ?? 0) * lotsPerUnit;
    if (volume >= 4 || volume === 0) continue;
    const whole: WholeCandle = { ...scaled(candles, i, 1, lotsPerUnit), intervalMs };
    if (whole.volume < fewestPrints(whole)) return false;
  }
  return true;
}

function scaled(
  candles: CandleColumns,
  i: number,
  ticksPerUnit: number,
  lotsPerUnit: number,
): Omit<WholeCandle, "intervalMs"> {
  const price = (column: Float64Array): number => (column[i] ?? 0) * ticksPerUnit;
  return {
    openMs: candles.openMs[i] ?? 0,
    open: price(candles.open),
    high: price(candles.high),
    low: price(candles.low),
    close: price(candles.close),
    volume: (candles.volume[i] ?? 0) * lotsPerUnit,
  };
}

/** Converts the candles of a data symbol to an instrument. Quantities of the source are in base units. */
export function fitRecorded(given: {
  readonly spec: SymbolSpec;
  readonly dataSymbol: string;
  readonly candles: CandleColumns;
  readonly intervalMs: number;
  readonly funding: readonly FundingRow[];
  readonly trades?: Trades | null;
  readonly books?: readonly BookRecording[];
}): Recorded {
  const { spec, candles, intervalMs, books = [] } = given;
  const { rules } = spec;
  const priceDecimals = Math.max(candles.priceDecimals, ...books.map((book) => book.priceDecimals));
  const qtyDecimals = Math.max(candles.volumeDecimals, ...books.map((book) => book.qtyDecimals));
  const tick = fitStep(rules.tickSize, dec(10).pow(-priceDecimals));
  let lot = fitStep(rules.lotSize, dec(10).pow(-qtyDecimals).div(rules.contractSize));
  const lotsPerUnit = (decimals: number): number => lot.perUnit * 10 ** (qtyDecimals - decimals);
  const ticksPerUnit = (decimals: number): number => tick.perUnit * 10 ** (priceDecimals - decimals);
  for (let i = 0; i < REFINEMENTS_MAX && !lotsSuffice(candles, intervalMs, lotsPerUnit(candles.volumeDecimals)); i++) {
    lot = { step: lot.step.div(10), perUnit: lot.perUnit * 10 };
  }
  const scaled = (recording: BookRecording): ScaledBook => ({
    recording,
    scale: { ticksPerUnit: ticksPerUnit(recording.priceDecimals), lotsPerUnit: lotsPerUnit(recording.qtyDecimals) },
  });
  return {
    ...given,
    trades: given.trades ?? null,
    books: books.map(scaled),
    ticksPerUnit: ticksPerUnit(candles.priceDecimals),
    lotsPerUnit: lotsPerUnit(candles.volumeDecimals),
    spec: {
      ...spec,
      rules: {
        ...rules,
        tickSize: tick.step,
        pricePrecision: tick.step.decimalPlaces(),
        lotSize: lot.step,
        qtyPrecision: lot.step.decimalPlaces(),
      },
    },
  };
}

/** A candle in ticks and lots. */
export const wholeCandle = (recorded: Recorded, i: number): WholeCandle => ({
  ...scaled(recorded.candles, i, recorded.ticksPerUnit, recorded.lotsPerUnit),
  intervalMs: recorded.intervalMs,
});

/**
 * The trades of a candle, recorded as far as available; null if no recorded ones belong to it. Timestamps start at
 * `openMs`.
 */
export function recordedPrints(
  recorded: Recorded,
  whole: WholeCandle,
  openMs: number,
  make: MakePath,
): FinePrints | null {
  const { trades, candles, ticksPerUnit, lotsPerUnit } = recorded;
  if (!trades) return null;
  const finer = (of: number, than: number): number => 10 ** Math.max(0, of - than);
  const scale = {
    ticks: ticksPerUnit * finer(candles.priceDecimals, trades.priceDecimals),
    ticksPer: finer(trades.priceDecimals, candles.priceDecimals),
    lots: lotsPerUnit * finer(candles.volumeDecimals, trades.qtyDecimals),
    lotsPer: finer(trades.qtyDecimals, candles.volumeDecimals),
  };
  const found = tradesWithin(trades, whole, scale, openMs);
  if (!found) return null;
  const fine = { fromMs: openMs, untilMs: openMs + whole.intervalMs };
  return makeUp(whole, found.prints)
    ? { prints: found.prints, fine }
    : partlyRecorded({ ...whole, openMs }, found, make);
}

/** The first candle that opens at or after an instant of the tape's own time; the count if there is none. */
export function candleIndexFrom(candles: CandleColumns, tapeMs: number): number {
  let low = 0;
  let high = candles.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candles.openMs[middle] ?? 0) < tapeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rate if no settlement was recorded: 0.01 % per interval, the plain interest. */
export const NO_FUNDING_RATE: Decimal = ONE.div(10_000);
