/** How closely an unchanged replay reproduces its record, and whether replays can be trusted at all. */
import type { EquityPoint } from "../../domain/competition-figures.ts";

/** Shares of the equity at the start; null if the record has no equity of that time. */
export interface Fidelity {
  /** Replayed less recorded equity at the last decision. */
  readonly atEnd: number | null;
  /** Largest difference of the two at a decision. */
  readonly widest: number | null;
  /** Between the highest and the lowest recorded equity. */
  readonly range: number | null;
  /** Whether `widest` is at most a fifth of `range`. */
  readonly repeats: boolean;
}

const WIDEST_OF_RANGE = 1 / 5;

/** Compared at the decisions of the record, which the replay repeats at the same instants. */
export function fidelityOf(
  recorded: readonly EquityPoint[],
  replayed: readonly EquityPoint[],
  startUsdt: number,
): Fidelity {
  const there = new Map(replayed.map(({ atMs, equityUsdt }) => [atMs, equityUsdt]));
  const gaps = recorded.flatMap(({ atMs, equityUsdt }) => {
    const other = there.get(atMs);
    return other === undefined ? [] : [(other - equityUsdt) / startUsdt];
  });
  const atEnd = gaps.at(-1);
  if (atEnd === undefined) return { atEnd: null, widest: null, range: null, repeats: false };
  const widest = Math.max(...gaps.map(Math.abs));
  const equities = recorded.map(({ equityUsdt }) => equityUsdt);
  const range = (Math.max(...equities) - Math.min(...equities)) / startUsdt;
  return { atEnd, widest, range, repeats: widest <= range * WIDEST_OF_RANGE };
}
