/** The middle price about once a second over the last 15 minutes: price history before any bar has closed. */
import { Ring } from "./ring.ts";

const SPAN_MS = 900_000;
const AT = 0;
const PRICE = 1;

/** 900 samples by our time of arrival, from the BBO, or from the book until a BBO arrives. */
export class Seconds {
  readonly #ring = new Ring(2, SPAN_MS / 1_000);

  get size(): number {
    return this.#ring.size;
  }

  get capacity(): number {
    return this.#ring.capacity;
  }

  sample(price: number, atMs: number): void {
    if (atMs - this.#ring.at(0, AT) < 1_000) return;
    this.#ring.advance();
    this.#ring.set(0, AT, atMs);
    this.#ring.set(0, PRICE, price);
  }

  /** The last sample at or before an instant, at most `slackMs` older; null if there is none. */
  priceAt(atMs: number, slackMs: number): number | null {
    for (let age = 0; age < this.#ring.size; age++) {
      const sampledMs = this.#ring.at(age, AT);
      if (sampledMs <= atMs) return atMs - sampledMs <= slackMs ? this.#ring.at(age, PRICE) : null;
    }
    return null;
  }

  /** Prices `stepMs` apart back from now, oldest first, until a sample is missing. */
  stepsBack(nowMs: number, stepMs: number): number[] {
    const prices: number[] = [];
    let age = 0;
    for (let wantedMs = nowMs; ; wantedMs -= stepMs) {
      while (this.#ring.at(age, AT) > wantedMs) age++;
      const sampledMs = this.#ring.at(age, AT);
      if (!(wantedMs - sampledMs <= stepMs)) break;
      prices.push(this.#ring.at(age, PRICE));
    }
    return prices.reverse();
  }
}
