/** What many market days amount to. */
import type { DayOutcome } from "./day.ts";

export interface Tally {
  days: number;
  failed: number;
  gaps: number;
  pairs: number;
  outages: number;
  orders: number;
  stops: number;
  lowUsdt: number;
  /** Over all days: what a gap would have left at the worst instant. */
  leastLeft: number;
  ofBound: number;
  readonly floors: Map<string, number>;
}

export const newTally = (): Tally => ({
  days: 0,
  failed: 0,
  gaps: 0,
  pairs: 0,
  outages: 0,
  orders: 0,
  stops: 0,
  lowUsdt: Infinity,
  leastLeft: Infinity,
  ofBound: 0,
  floors: new Map(),
});

export function addDay(tally: Tally, day: DayOutcome): void {
  tally.days += 1;
  tally.failed += day.violations.length > 0 ? 1 : 0;
  tally.gaps += day.gaps;
  tally.pairs += day.pairs;
  tally.outages += day.outages;
  tally.orders += day.orders;
  tally.stops += day.stops;
  tally.lowUsdt = Math.min(tally.lowUsdt, day.lowUsdt);
  tally.leastLeft = Math.min(tally.leastLeft, day.leastLeft);
  tally.ofBound = Math.max(tally.ofBound, day.ofBound);
  tally.floors.set(day.worstFloor, (tally.floors.get(day.worstFloor) ?? 0) + 1);
}

export function summary(tally: Tally, tookMs: number): string {
  const floors = [...tally.floors].map(([floor, days]) => `${floor} ${days}`).join(", ");
  return [
    `${tally.days} days in ${(tookMs / 1_000).toFixed(0)} s: ${tally.failed} failed, lowest equity ${tally.lowUsdt.toFixed(2)}`,
    `${tally.gaps} gaps${tally.pairs > 0 ? ` (${tally.pairs} while a coin was held both ways)` : ""}, ${tally.outages} outages, ${tally.orders} orders, ${tally.stops} stops`,
    `worst loss ${(tally.ofBound * 100).toFixed(1)} % of what was stated; days by worst rung: ${floors}`,
  ].join("; ");
}
