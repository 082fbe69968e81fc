/**
 * The source of market movement inside the simulated service. A tape knows prices, liquidity and takers, but neither
 * participants nor the wire format. The service calls `step` a few times a second.
 */
import type { Candle } from "../../domain/market.ts";
import type { MarketInput, SymbolSpec } from "../exchange/contract/market-api.ts";

/** Chosen by `choose-market.ts`, stepped by `servers/pulse.ts`. Only a generated one accepts `push`. */
export interface Tape {
  /**
   * The symbols that this tape moves, with the rules that its numbers need. Requested symbols without data are absent.
   */
  readonly symbols: readonly SymbolSpec[];
  /** Sets up books, marks, funding and open interest. Call once, before the first `step`. */
  start(input: MarketInput, nowMs: number): void;
  /**
   * Plays everything up to `nowMs`, each event at its own time. Long gaps are divided into a bounded number of
   * sub-steps. The same seed or data, start and step times give the same calls in the same order.
   */
  step(nowMs: number): void;
  /**
   * Moves the price of a symbol, of a base ticker, or of everything ("*") by a fraction, spread evenly in the logarithm
   * over `overMs`, from the last step on. The market's own movement continues; all symbols of a base move together.
   * Returns false if the tape does not know the name, or plays recorded prices, which cannot be moved.
   */
  push(symbol: string, fractionalMove: number, overMs: number): boolean;
  /** Bars of "1m" or "1H" that ended before the start, oldest first, in the venue's time; empty if unknown. */
  past(symbol: string, interval: string): readonly Candle[];
}

/** The time grid of generated movement, also the finest span between two books. */
export const GRID_MS = 250;

/** At most this many sub-steps in one `step`; beyond that, each sub-step is longer than the grid. */
export const SUB_STEPS_MAX = 120;

/** The instants after `fromMs` up to `toMs` at which a tape acts: on the grid, or further apart for a long gap. */
export function subSteps(fromMs: number, toMs: number): readonly number[] {
  const whole = Math.floor((toMs - fromMs) / GRID_MS);
  if (whole <= 0) return [];
  const count = Math.min(whole, SUB_STEPS_MAX);
  return Array.from({ length: count }, (_, i) => fromMs + GRID_MS * Math.floor(((i + 1) * whole) / count));
}
