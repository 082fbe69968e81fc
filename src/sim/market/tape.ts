/**
 * What drives the market inside the simulated service. A tape knows prices, liquidity and takers; it knows neither
 * participants nor the wire. The service calls `step` a few times a second from its clock.
 */
import type { Candle } from "../../domain/market.ts";
import type { MarketInput, SymbolSpec } from "../exchange/market-api.ts";

/** Chosen by `choose-market.ts`, stepped by `servers/pulse.ts`. Only a generated one bends to `push`. */
export interface Tape {
  /** The symbols this tape moves, with the rules its numbers need. Symbols asked for but without data are absent. */
  readonly symbols: readonly SymbolSpec[];
  /** Sets up books, marks, funding and open interest. Call once, before the first `step`. */
  start(input: MarketInput, nowMs: number): void;
  /**
   * Lets everything happen up to `nowMs`, each happening stamped with its own time. Long gaps are walked in a bounded
   * number of sub-steps. Same seed or data, same start and same step times: same calls in the same order.
   */
  step(nowMs: number): void;
  /**
   * Bends the price of a symbol, of a base ticker, or of everything ("*") by a fraction of itself, spread evenly in the
   * logarithm over `overMs`, from the last step on. What the market does by itself goes on beneath; all symbols of a base
   * move together. Answers false where the tape does not know the name, or plays recorded prices and cannot bend them.
   */
  push(symbol: string, fractionalMove: number, overMs: number): boolean;
  /** Bars of "1m" or "1H" that ended before the start, oldest first, in the venue's time; none of what is not known. */
  past(symbol: string, interval: string): readonly Candle[];
}

/** The grid on which generated time moves, also the finest span between two books. */
export const GRID_MS = 250;

/** At most this many sub-steps in one `step`: beyond, each sub-step is longer than the grid. */
export const SUB_STEPS_MAX = 120;

/** The instants after `fromMs` up to `toMs` at which a tape acts: on the grid, or stretched when the gap is long. */
export function subSteps(fromMs: number, toMs: number): readonly number[] {
  const whole = Math.floor((toMs - fromMs) / GRID_MS);
  if (whole <= 0) return [];
  const count = Math.min(whole, SUB_STEPS_MAX);
  return Array.from({ length: count }, (_, i) => fromMs + GRID_MS * Math.floor(((i + 1) * whole) / count));
}
