/**
 * Rejects implausible prices: zero, negative, not a number, or far from the symbol's other figures. A rejected price
 * is not stored, and the symbol is held for a while. A real change of level is accepted after enough consecutive
 * reports, or once the other figures have followed; but never while the venue's own valuation of a position
 * contradicts it. Fault M9.
 */

/** Maximum relative difference between a price and the reference. */
const BAND = 0.3;
const HOLD_MS = 60_000;
/** This many consecutive rejected prices that agree within a tenth are a new level. */
const AGREEING_REFUSALS = 20;

/** Symmetric, as a fraction of `b`: a fall within the insured gap must not be rejected as implausible. */
export const nearPrice = (a: number, b: number): boolean => near(a, b, BAND);
const near = (a: number, b: number, band: number): boolean => Math.abs(a / b - 1) < band;

/** One per symbol, checked before a price is stored; times are ours. While held, its quotes count as infinitely old. */
export class Sanity {
  /** Our time until which the symbol is held. */
  heldUntilMs = -Infinity;
  /** Prices refused since the start. */
  refused = 0;
  #lastRefused = NaN;
  #agreeing = 0;

  /**
   * True if `price` may be stored. `reference` is the best other figure of the symbol (mark, index, last, or its
   * previous value), NaN if none is known yet: then only impossible values are rejected. A `vouched` reference comes
   * from outside the stream, so repetition by the stream cannot override it.
   */
  accepts(price: number, reference: number, atMs: number, vouched = false): boolean {
    const possible = price > 0 && Number.isFinite(price);
    if (possible && (Number.isNaN(reference) || near(price, reference, BAND))) {
      this.#agreeing = 0;
      return true;
    }
    this.refused++;
    this.hold(atMs);
    if (!possible) return false;
    this.#agreeing = near(price, this.#lastRefused, 0.1) ? this.#agreeing + 1 : 0;
    this.#lastRefused = price;
    return this.#agreeing >= AGREEING_REFUSALS && !vouched;
  }

  hold(atMs: number): void {
    this.heldUntilMs = atMs + HOLD_MS;
  }

  held(nowMs: number): boolean {
    return nowMs < this.heldUntilMs;
  }
}
