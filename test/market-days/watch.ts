/** Time passes, the agent looks, and equity is watched: as it stands, and as the declared gap would leave it. */
import { toFloat } from "../../src/core/decimal.ts";
import { SECOND_MS } from "../../src/core/time.ts";
import { type Day, FLOOR_USDT } from "./begin.ts";
import { mostLostAtGaps } from "./bound.ts";
import type { Holding } from "../../src/lab/fast/holdings.ts";

export const LOOK_MS = SECOND_MS;
/** A trim is judged again after six seconds, a close after eight: what nothing has followed in that time is at rest. */
const REST_AFTER_MS = 9 * SECOND_MS;
/** Trims every six seconds, each with its slots and its answers. */
const REACTS_WITHIN_MS = 30 * SECOND_MS;
const LOOKS_APART_MS = 3 * SECOND_MS;
/** An order that has left cannot be called back. */
const ON_ITS_WAY_MS = 3 * SECOND_MS;

/** Time passes, the agent looks, equity is judged. */
export function step(day: Day, ms: number): void {
  day.loop.pass(ms);
  day.loop.look();
  day.looks += 1;
  judge(day);
  insured(day, ms);
}

function leftAfterGap({ venue, gaps, settings }: Day): number {
  const declared = {
    gap: ({ symbol }: Holding): number => gaps.get(symbol) ?? 0,
    apart: toFloat(settings.risk.gapHedged),
  };
  return toFloat(venue.equity()) - mostLostAtGaps({ held: venue.held(), resting: venue.resting() }, declared);
}

/** An opening has arrived: with it, too, the gap must be affordable, unless one struck while it was on its way. */
export function opened(day: Day): void {
  const left = leftAfterGap(day);
  if (left >= FLOOR_USDT || day.loop.clock.nowMs() - day.struckMs < ON_ITS_WAY_MS || day.scene.beyond) return;
  day.violations.push(`opened where a gap would have left ${left.toFixed(2)}, at ${isoOf(day)}`);
}

/** What would be left if every symbol moved now by what is declared for it. Too little for long is a failure of its own. */
function insured(day: Day, ms: number): void {
  const { venue, loop } = day;
  const held = venue.held();
  const left = leftAfterGap(day);
  if (held.length > 0) day.leastLeft = Math.min(day.leastLeft, left);
  // Only time in which the agent could look counts: a day does not look as often as the daemon does.
  const fine = left >= FLOOR_USDT || held.length === 0 || loop.link.rest !== "up";
  day.bareMs = fine ? 0 : day.bareMs + Math.min(ms, LOOKS_APART_MS);
  if (day.bareMs <= REACTS_WITHIN_MS || day.scene.beyond) return;
  day.violations.push(
    `for ${Math.round(day.bareMs / SECOND_MS)} s a gap would have left ${left.toFixed(2)}, at ${isoOf(day)}`,
  );
}

function judge(day: Day): void {
  const equity = day.venue.equity();
  if (equity.gte(day.low)) return;
  day.low = equity;
  if (day.scene.beyond || day.violations.length > 0 || equity.gte(FLOOR_USDT)) return;
  day.violations.push(`equity ${equity.toFixed(4)} at ${isoOf(day)}`);
}

export const isoOf = (day: Day): string => new Date(day.loop.clock.nowMs()).toISOString().slice(11, 23);

/** Looks until nothing is on its way any more, or patience ends. */
export function settle(day: Day, patienceMs: number): void {
  const { loop } = day;
  const untilMs = loop.clock.nowMs() + patienceMs;
  while (loop.clock.nowMs() < untilMs && day.violations.length === 0) {
    // Closely after something has happened, and less so the longer it has been quiet.
    if (atRest(day)) return;
    step(day, Math.max(LOOK_MS, Math.min(LOOKS_APART_MS, loop.clock.nowMs() - loop.lastActMs())));
  }
}

export const atRest = ({ loop }: Day): boolean =>
  loop.clock.nowMs() - loop.lastActMs() > REST_AFTER_MS && loop.clock.pending() === 0;

export const stakeUsdt = (day: Day): number => day.venue.held().reduce((sum, held) => sum + held.notionalUsdt, 0);

export function move(day: Day, prices: ReadonlyMap<string, number>): void {
  const { venue, loop } = day;
  const nowMs = Math.floor(loop.clock.nowMs());
  venue.move(prices, nowMs);
  judge(day);
}
