/** Whether a history belongs to the market that is traded now. */
import { MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";

/** A price may always have moved this far, and beyond that by this many of its typical steps. */
const JUMP_MIN = 0.05;
const JUMP_STEPS = 8;
/** The newest bars, from which the typical move is taken. */
const BARS_JUDGED = 240;

/** Whether bars of `stepMs` can lead to this price in the time since. */
export function continues(bars: readonly Candle[], price: number, atMs: number, stepMs: number = MINUTE_MS): boolean {
  const last = bars.at(-1);
  if (!last) return false;
  const moves = bars.slice(-BARS_JUDGED).map((bar) => Math.log(bar.close / bar.open));
  const usual = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length);
  const steps = Math.max(1, (atMs - last.openMs) / stepMs);
  return Math.abs(Math.log(price / last.close)) <= Math.max(JUMP_MIN, JUMP_STEPS * usual * Math.sqrt(steps));
}
