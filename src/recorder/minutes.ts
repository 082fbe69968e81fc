/**
 * Which minute bars are final. The stream reports the running bar repeatedly; a later one means that the previous is
 * over. A bar during which the stream was down is final only if it was reported again afterwards; otherwise it is left
 * out: a visible gap is better than an incomplete bar.
 */
import { MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";

interface Running {
  openMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  incomplete: boolean;
}

/** Called once for each final bar, on the market path: must be fast and must not throw. */
export type OnFinal = (symbol: string, bar: Candle) => void;

/** Receives every report of a running bar; symbols other than the given ones are ignored. */
export class Minutes {
  readonly #running = new Map<string, Running>();
  readonly #onFinal: OnFinal;
  /** Bars left out because the stream was down at their end, or because they were invalid. */
  leftOut = 0;

  constructor(symbols: readonly string[], onFinal: OnFinal) {
    for (const symbol of symbols)
      this.#running.set(symbol, { openMs: NaN, open: 0, high: 0, low: 0, close: 0, volume: 0, incomplete: true });
    this.#onFinal = onFinal;
  }

  bar(symbol: string, openMs: number, open: number, high: number, low: number, close: number, volume: number): void {
    const running = this.#running.get(symbol);
    if (!running || openMs < running.openMs || openMs % MINUTE_MS !== 0) return;
    if (openMs > running.openMs) this.#end(symbol, running);
    running.openMs = openMs;
    running.open = open;
    running.high = high;
    running.low = low;
    running.close = close;
    running.volume = volume;
    running.incomplete = false;
  }

  /** The stream was down: running bars may have changed meanwhile. */
  gap(): void {
    for (const running of this.#running.values()) running.incomplete = true;
  }

  #end(symbol: string, running: Running): void {
    if (Number.isNaN(running.openMs)) return;
    if (running.incomplete || !isSound(running)) this.leftOut++;
    else {
      const { openMs, open, high, low, close, volume } = running;
      this.#onFinal(symbol, { openMs, open, high, low, close, volume });
    }
  }
}

function isSound({ openMs, open, high, low, close, volume }: Candle): boolean {
  const known = [openMs, open, high, low, close, volume].every(Number.isFinite);
  return known && low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close) && volume >= 0;
}
