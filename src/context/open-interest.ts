/** One symbol's open interest per minute, for its change over an hour. Writes allocate nothing. */
import { MINUTE_MS } from "../core/time.ts";
import { Ring } from "./ring.ts";

const MINUTES = 120;

/** A past reading of open interest. */
export interface InterestReading {
  readonly atMs: number;
  readonly openInterest: number;
}

/** The last two hours; a later reading in the same minute replaces the earlier one. */
export class OpenInterest {
  /** Rows of minute start and open interest. */
  readonly #minutes = new Ring(2, MINUTES);

  get size(): number {
    return this.#minutes.size;
  }

  get capacity(): number {
    return this.#minutes.capacity;
  }

  /** Records a pushed reading. */
  reported(openInterest: number, seenMs: number): void {
    const minute = Math.floor(seenMs / MINUTE_MS) * MINUTE_MS;
    if (minute <= this.#minutes.at(0, 0)) this.#minutes.set(0, 1, openInterest);
    else this.#add(minute, openInterest);
  }

  /** Past open interest, oldest first, before the pushed readings. */
  load(readings: readonly InterestReading[]): void {
    const byMinute = new Map<number, number>();
    for (const { atMs, openInterest } of readings)
      if (openInterest >= 0) byMinute.set(Math.floor(atMs / MINUTE_MS) * MINUTE_MS, openInterest);
    for (let age = this.#minutes.size - 1; age >= 0; age--)
      byMinute.set(this.#minutes.at(age, 0), this.#minutes.at(age, 1));
    this.#minutes.clear();
    for (const [minute, value] of [...byMinute].sort(([a], [b]) => a - b).slice(-MINUTES)) this.#add(minute, value);
  }

  /** Relative change against the newest reading that is 55 to 70 minutes old. */
  changeTo(now: number, nowMs: number): number | null {
    if (!(now >= 0)) return null;
    for (let age = 0; age < this.#minutes.size; age++) {
      const oldMs = nowMs - this.#minutes.at(age, 0);
      if (oldMs < 55 * MINUTE_MS) continue;
      const before = this.#minutes.at(age, 1);
      return oldMs <= 70 * MINUTE_MS && before > 0 ? now / before - 1 : null;
    }
    return null;
  }

  #add(minute: number, openInterest: number): void {
    this.#minutes.advance();
    this.#minutes.set(0, 0, minute);
    this.#minutes.set(0, 1, openInterest);
  }
}
