/** The market between events: it walks, or stands still until the worst moment of a kind has come. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/time.ts";
import { baseOf, type Day, firstOf, isSecond, nudge, over } from "./begin.ts";
import type { Moment } from "./plan.ts";
import { atRest, LOOK_MS, move, settle, stakeUsdt, step } from "./watch.ts";

/** Between two looks the market walks no further than costs this much, nor than this fraction: an agent looks 4 times a second. */
const WALK_USDT = 5;
const WALK_MAX = 0.01;
/** The second symbol of a coin is no further than this from the first. */
const BASIS_MAX = 0.002;
const STRIDE_MS = HOUR_MS;
const IDLE_STRIDE_MS = 4 * HOUR_MS;
/** Decisions are asked for after so many of the strides of a quiet market. */
const NUDGE_SHARE = 0.1;
/** Two moves within this time are one move, which must be within the declared size as a whole. */
export const GAPS_APART_MS = 60 * SECOND_MS;
const MOMENT_PATIENCE_MS = 3 * MINUTE_MS;

/** The market walks to that time; where the agent begins to act, it is given the time for it. */
export function walkTo(day: Day, atMs: number): void {
  const { loop, venue } = day;
  for (let nowMs = loop.clock.nowMs(); nowMs < atMs && !over(day); nowMs = loop.clock.nowMs()) {
    settle(day, 90 * SECOND_MS);
    const stake = stakeUsdt(day);
    const strideMs = Math.min(stake > 0 ? STRIDE_MS : IDLE_STRIDE_MS, atMs - nowMs);
    const goals = walk(day, strideMs);
    const widest = Math.max(...[...goals].map(([symbol, goal]) => Math.abs(Math.log(goal / venue.price(symbol)))));
    const most = stake > 0 ? Math.min(WALK_MAX, WALK_USDT / stake) : 1;
    const steps = Math.max(1, Math.ceil(widest / most));
    const from = new Map([...goals.keys()].map((symbol) => [symbol, venue.price(symbol)]));
    for (let each = 1; each <= steps && !over(day); each++) {
      const part = each / steps;
      loop.pass(strideMs / steps);
      move(day, new Map([...goals].map(([symbol, goal]) => [symbol, between(from.get(symbol) ?? goal, goal, part)])));
      step(day, 0);
      settle(day, 90 * SECOND_MS);
    }
    if (over(day) || !day.entropy.chance("walk:nudge", NUDGE_SHARE) || !mayGrow(day)) continue;
    nudge(day);
    settle(day, 90 * SECOND_MS);
  }
}

export const between = (from: number, to: number, part: number): number => from * Math.exp(Math.log(to / from) * part);

function walk(day: Day, ms: number): Map<string, number> {
  const { venue, scene, entropy } = day;
  const common = entropy.normal("walk:all");
  const goals = new Map<string, number>();
  for (const symbol of venue.symbols) {
    if (isSecond(symbol)) continue;
    const own = 0.8 * common + 0.6 * entropy.normal("walk:own");
    const by = scene.unrest(baseOf(symbol)) * Math.sqrt(ms / DAY_MS) * Math.max(-3, Math.min(3, own));
    goals.set(symbol, venue.price(symbol) * Math.exp(by));
  }
  for (const symbol of venue.symbols.filter(isSecond)) {
    const beside = 1 + BASIS_MAX * (2 * entropy.next("walk:basis") - 1);
    goals.set(symbol, (goals.get(firstOf(symbol)) ?? venue.price(symbol)) * beside);
  }
  return goals;
}

/** The least time until the next move may begin. */
export function apart(day: Day): void {
  const untilMs = day.loop.clock.nowMs() + GAPS_APART_MS;
  while (day.loop.clock.nowMs() < untilMs && !over(day)) {
    settle(day, GAPS_APART_MS);
    step(day, GAPS_APART_MS / 2);
  }
}

/** Asks for decisions until the moment has come, or nothing more comes of them. The market stands still meanwhile. */
export function worstMoment(day: Day, moment: Moment): void {
  if (moment.kind === "any" || !mayGrow(day)) return;
  const untilMs = day.loop.clock.nowMs() + MOMENT_PATIENCE_MS;
  step(day, LOOK_MS);
  for (let grown = true; grown && day.loop.clock.nowMs() < untilMs && !over(day);) {
    const before = stakeUsdt(day);
    nudge(day);
    if (moment.kind === "fresh") {
      grown = untilFill(day, 20 * SECOND_MS);
      if (grown && stakeUsdt(day) > 0.5 * day.fullest) return step(day, moment.afterMs);
    } else {
      settle(day, 30 * SECOND_MS);
      grown = stakeUsdt(day) > 1.02 * before;
    }
  }
}

/** Where nothing may be opened any more there is no fuller moment to wait for. */
const mayGrow = ({ loop }: Day): boolean =>
  ["NORMAL", "WARN"].includes(loop.agent.status(loop.clock.nowMs()).floorState);

function untilFill(day: Day, patienceMs: number): boolean {
  const { loop } = day;
  const untilMs = loop.clock.nowMs() + patienceMs;
  const before = stakeUsdt(day);
  while (loop.clock.nowMs() < untilMs && !over(day)) {
    step(day, LOOK_MS);
    if (stakeUsdt(day) > 1.02 * before) return true;
    if (atRest(day)) return false;
  }
  return false;
}
