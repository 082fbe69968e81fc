/** Trade flow: quote value of taker buys and sells over the last five minutes, in buckets of ten seconds. */
import { Ring } from "./ring.ts";

const BUCKET_MS = 10_000;
const WINDOW_MS = 300_000;
const START = 0;
const BUY = 1;
const SELL = 2;

/** Updated with each trade at our time of arrival; values are price times base quantity. */
export class Flow {
  readonly #ring = new Ring(3, WINDOW_MS / BUCKET_MS + 1);

  get size(): number {
    return this.#ring.size;
  }

  get capacity(): number {
    return this.#ring.capacity;
  }

  trade(takerBuys: boolean, value: number, atMs: number): void {
    const start = Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
    const newest = this.#ring.at(0, START);
    if (!(start <= newest)) {
      this.#ring.advance();
      this.#ring.set(0, START, start);
    }
    const column = takerBuys ? BUY : SELL;
    this.#ring.set(0, column, this.#ring.at(0, column) + value);
  }

  /** (buys - sells) / (buys + sells), -1 to 1; null without trades. */
  balance(nowMs: number): number | null {
    const buy = this.#sum(BUY, nowMs);
    const sell = this.#sum(SELL, nowMs);
    return buy + sell > 0 ? (buy - sell) / (buy + sell) : null;
  }

  /** Value traded in the window. */
  traded(nowMs: number): number {
    return this.#sum(BUY, nowMs) + this.#sum(SELL, nowMs);
  }

  #sum(column: number, nowMs: number): number {
    let sum = 0;
    for (let age = 0; age < this.#ring.size && nowMs - this.#ring.at(age, START) <= WINDOW_MS; age++)
      sum += this.#ring.at(age, column);
    return sum;
  }
}
