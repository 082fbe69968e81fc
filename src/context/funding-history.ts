/** What funding has been settled at: the rates of the past weeks, and what holding the coin cost or paid a day. */
import { DAY_MS, HOUR_MS } from "../core/time.ts";

/** Three weeks of hourly settlements, the shortest interval in use. */
const SETTLEMENTS_MAX = 512;
/** The longest interval between two settlements in use, and an hour for the reading. */
const INTERVAL_MAX_MS = 9 * HOUR_MS;

/** `rate` is a fraction of value; above zero longs paid shorts. */
export interface FundingSettlement {
  readonly atMs: number;
  readonly rate: number;
}

export const FUNDING_SPANS = ["1d", "3d", "7d", "21d"] as const;
export type FundingSpan = (typeof FUNDING_SPANS)[number];
const DAYS: Readonly<Record<FundingSpan, number>> = { "1d": 1, "3d": 3, "7d": 7, "21d": 21 };

/** One symbol's settlements, oldest first. The rate last read before a settlement counts as settled. */
export class FundingHistory {
  #settled: readonly FundingSettlement[] = Object.freeze([]);
  #next: FundingSettlement | null = null;

  /** The rate of the next settlement as it is read now. */
  upcoming(rate: number, nextAtMs: number): void {
    if (!Number.isFinite(rate) || !(nextAtMs > 0)) return;
    if (this.#next && nextAtMs > this.#next.atMs) this.load([this.#next]);
    this.#next = { atMs: nextAtMs, rate };
  }

  /** Past settlements in any order; one that is known already stays. */
  load(settlements: readonly FundingSettlement[]): void {
    const byMinute = new Map<number, FundingSettlement>();
    const minuteOf = (atMs: number): number => Math.round(atMs / 60_000);
    for (const one of settlements) if (one.atMs > 0 && Number.isFinite(one.rate)) byMinute.set(minuteOf(one.atMs), one);
    for (const one of this.#settled) byMinute.set(minuteOf(one.atMs), one);
    this.#settled = Object.freeze([...byMinute.values()].sort((a, b) => a.atMs - b.atMs).slice(-SETTLEMENTS_MAX));
  }

  /** Those that were settled by then. */
  settled(nowMs: number): readonly FundingSettlement[] {
    const newest = this.#settled.at(-1);
    return newest && newest.atMs > nowMs ? this.#settled.filter(({ atMs }) => atMs <= nowMs) : this.#settled;
  }
}

/** Mean funding a day over each span that the settlements cover, a fraction of value. */
export function fundingPerDay(
  settled: readonly FundingSettlement[],
  nowMs: number,
): Readonly<Partial<Record<FundingSpan, number>>> {
  const oldestMs = settled[0]?.atMs ?? Infinity;
  const newestMs = settled.at(-1)?.atMs ?? -Infinity;
  const found: Partial<Record<FundingSpan, number>> = {};
  if (nowMs - newestMs > INTERVAL_MAX_MS) return found;
  let sum = 0;
  let at = settled.length - 1;
  // The spans rise: each goes on where the one before it ended.
  for (const span of FUNDING_SPANS) {
    const fromMs = nowMs - DAYS[span] * DAY_MS;
    if (oldestMs > fromMs + INTERVAL_MAX_MS) break;
    for (let one = settled[at]; one && one.atMs > fromMs; one = settled[--at]) sum += one.rate;
    found[span] = sum / DAYS[span];
  }
  return found;
}
