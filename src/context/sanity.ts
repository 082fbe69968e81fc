/**
 * Prices that cannot be: zero, negative, not a number, or far from what the other figures of the symbol say. Such a price
 * is not taken in and the symbol is held back for a while. A level that truly changed is accepted after it has been reported
 * again and again, or after the others have followed; while the venue's own reading of a held position vouches for another
 * level, never. Faults M9.
 */

/** Fraction by which a price may differ from its witnesses. */
const BAND = 0.3;
const HOLD_MS = 60_000;
/** So many refusals in a row that agree with each other (within a tenth) are a new level. */
const AGREEING_REFUSALS = 20;

/** Both ways alike as a fraction of `b`: a fall that is insured against must not pass for nonsense. */
export const nearPrice = (a: number, b: number): boolean => near(a, b, BAND);
const near = (a: number, b: number, band: number): boolean => Math.abs(a / b - 1) < band;

/** One a symbol, asked before a price is taken in; times are ours. While held, its quotes read as infinitely old. */
export class Sanity {
  /** Our time until which the symbol is held back. */
  heldUntilMs = -Infinity;
  /** Prices refused since the start. */
  refused = 0;
  #lastRefused = NaN;
  #agreeing = 0;

  /**
   * True when `price` may be taken in. `witness` is the best other figure of the symbol (mark, index, last, or this one
   * before), NaN when none is known yet: then only the impossible is refused. A `vouched` witness did not come by the
   * stream, which cannot outvote it by saying the same again.
   */
  accepts(price: number, witness: number, atMs: number, vouched = false): boolean {
    const possible = price > 0 && Number.isFinite(price);
    if (possible && (Number.isNaN(witness) || near(price, witness, BAND))) {
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
