/**
 * The most that a sudden move may cost: what is held and what rests in its way, times the move, and what it takes to get
 * out at the far end. Linear, so it can be said of gaps that nobody insured as well. docs/evidence/MARKET-DAYS.md derives it.
 */
import type { Holding } from "../../src/lab/fast/holdings.ts";

/** Fee and slippage of getting out, fraction of the value that is closed: `exitCost` of the risk settings. */
export const EXIT_COST = 0.002;
/** What the venue takes of a forced close, fraction of its value. Records §9.1. */
export const LIQUIDATION_FEE = 0.03;

/** The book is at least a tick wide on either side of the mark, and what it does not fill at the best price takes the next. */
const TICKS = 3;

export interface Stake {
  readonly held: readonly Holding[];
  readonly resting: readonly Holding[];
}

/**
 * The most that the declared gaps may cost: of each coin the larger side moves by its gap and the smaller one by what is
 * declared for two symbols of a coin.
 */
export function mostLostAtGaps(
  { held, resting }: Stake,
  declared: { readonly gap: (of: Holding) => number; readonly apart: number },
): number {
  const coins = new Map<string, { LONG: number; SHORT: number; gap: number }>();
  let lost = 0;
  for (const one of [...held, ...resting]) {
    const coin = one.symbol.split("_").at(-2) ?? one.symbol;
    const sides = coins.get(coin) ?? { LONG: 0, SHORT: 0, gap: declared.gap(one) };
    coins.set(coin, sides);
    sides[one.leg] += one.notionalUsdt;
    lost += one.notionalUsdt * (1 + sides.gap) * EXIT_COST + TICKS * one.tickUsdt;
  }
  for (const { LONG, SHORT, gap } of coins.values())
    lost += Math.max(LONG, SHORT) * gap + Math.min(LONG, SHORT) * declared.apart;
  return lost;
}

/** `move` is the signed change of its symbol's price as a fraction. `forced` when the venue liquidated. */
export function mostLost({ held, resting }: Stake, move: (of: Holding) => number, forced: boolean): number {
  let lost = 0;
  for (const one of [...held, ...resting]) {
    const { leg: positionSide, notionalUsdt, tickUsdt } = one;
    const by = move(one);
    if (by === 0) continue;
    const against = positionSide === "LONG" ? -by : by;
    const out = notionalUsdt * (1 + by) * (EXIT_COST + (forced ? LIQUIDATION_FEE : 0));
    // What moves for us is not set against what moves against us: it may have been closed by its target before.
    lost += Math.max(0, notionalUsdt * against) + out + TICKS * tickUsdt;
  }
  return lost;
}
