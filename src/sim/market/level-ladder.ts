/** One side of a recorded book: the quantity at each price, in ticks and lots, and the best price. */
import type { Level } from "../exchange/contract/market-api.ts";

/** Without queues or owners: the exchange's own book has those. A level of zero lots does not exist. */
export class LevelLadder {
  readonly bid: boolean;
  readonly #lots = new Map<number, number>();
  /** Sorted with the best last. */
  readonly #ticks: number[] = [];

  constructor(bid: boolean) {
    this.bid = bid;
  }

  /** Ticks; 0 while the side is empty. */
  get best(): number {
    return this.#ticks.at(-1) ?? 0;
  }

  at(ticks: number): number {
    return this.#lots.get(ticks) ?? 0;
  }

  /** Returns the previous quantity. */
  set(ticks: number, lots: number): number {
    const before = this.at(ticks);
    if (lots > 0) this.#lots.set(ticks, lots);
    else this.#lots.delete(ticks);
    if (before === 0 && lots > 0) this.#ticks.splice(this.#placeOf(ticks), 0, ticks);
    else if (before > 0 && lots === 0) this.#ticks.splice(this.#placeOf(ticks), 1);
    return before;
  }

  clear(): void {
    this.#lots.clear();
    this.#ticks.length = 0;
  }

  /** The best levels, or all, best first. */
  levels(most = this.#ticks.length): Level[] {
    const prices = most === 0 ? [] : this.#ticks.slice(-most);
    return prices.map((ticks): Level => [ticks, this.at(ticks)]).reverse();
  }

  /** The prices that a taker meets before this one. */
  betterThan(ticks: number): number[] {
    const found: number[] = [];
    for (let i = this.#ticks.length - 1; i >= 0; i--) {
      const price = this.#ticks[i] ?? ticks;
      if (this.bid ? price <= ticks : price >= ticks) break;
      found.push(price);
    }
    return found;
  }

  #placeOf(ticks: number): number {
    let [low, high] = [0, this.#ticks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#ticks[middle] ?? 0;
      if (this.bid ? at < ticks : at > ticks) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
