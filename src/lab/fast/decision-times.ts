/** The instants of recorded decisions, which a replay repeats to the millisecond. */
import { MINUTE_MS } from "../../core/time.ts";
import type { KnownPrices } from "./bar-path.ts";

/** What a recorded run shows about the time inside bars. */
export interface ReplayTimes {
  /** When the agent decides, instead of its own cadence. */
  readonly decidesAtMs: readonly number[];
  /** Prices that the recorded agent saw, by symbol. */
  readonly seen: ReadonlyMap<string, KnownPrices>;
}

export interface DecisionTimes {
  /** The instants inside the minute that opens at this time, except its first. */
  within(openMs: number): readonly number[];
  at(ms: number): boolean;
}

export function decisionTimes(given: readonly number[]): DecisionTimes {
  const byMinute = new Map<number, number[]>();
  for (const atMs of given) {
    const minute = Math.floor(atMs / MINUTE_MS);
    byMinute.set(minute, [...(byMinute.get(minute) ?? []), atMs]);
  }
  const of = (ms: number): readonly number[] => byMinute.get(Math.floor(ms / MINUTE_MS)) ?? [];
  return { within: (openMs) => of(openMs).filter((atMs) => atMs > openMs), at: (ms) => of(ms).includes(ms) };
}

/** Merges both lists in ascending order. */
export const withTimes = (some: readonly number[], others: readonly number[]): readonly number[] =>
  others.length === 0 ? some : [...new Set([...some, ...others])].sort((a, b) => a - b);
