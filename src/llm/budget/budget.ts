/**
 * The arithmetic of the budget. A charge is a reservation until it is settled. A new one must fit into the running
 * budget day and into any 24 hours, which satisfies every reading of "day". Pure: time is an argument. Faults L2, L3,
 * L12, C2, C4; invariants I19, I20.
 */
import { type Decimal, dec, maxDecimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { invariant } from "../../core/invariant.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { Urgency } from "../contract/port.ts";

/** Wall time, and monotonic time if this process made the charge (null after a restart). */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicMs: number | null;
}

/** Money reserved or booked for one call. */
export interface BudgetCharge {
  readonly amountUsd: Decimal;
  /** The instant that determines the budget day: the latest known at the reservation. */
  readonly dayMs: number;
  readonly open: boolean;
  /** Booked at its bound, because the cost is unknown. */
  readonly unknown: boolean;
  /** When it was last known to grow or end: the 24 hours count from here. */
  readonly at: Instant;
}

/** The limit applies to the running day and to any 24 hours. */
export interface BudgetRules {
  readonly limitUsd: Decimal;
  /** Start of a budget day, milliseconds after midnight UTC. */
  readonly boundaryMs: number;
}

/** Mutated by the functions of this file; charges by attempt id. */
export interface Budget {
  rules: BudgetRules;
  readonly charges: Map<string, BudgetCharge>;
  /** The latest wall time seen: a clock that steps back does not reopen a closed day. */
  latestMs: number;
  /** Charges from this wall time on are kept regardless of age, because `spentSince` needs them. */
  keptFromMs: number;
}

/** USD; an open reservation counts with its bound. */
export interface Used {
  readonly dayUsd: Decimal;
  readonly rollingUsd: Decimal;
  readonly openUsd: Decimal;
  /** The booked part of `dayUsd`, without reservations. */
  readonly bookedTodayUsd: Decimal;
  /** Never below zero. */
  readonly leftUsd: Decimal;
  /** Wall time of the day's first charge; Infinity without one. */
  readonly sinceMs: number;
}

/** `latestMs` is -Infinity until the first time arrives; nothing is kept longer than needed. */
export const newBudget = (rules: BudgetRules): Budget => ({
  rules,
  charges: new Map(),
  latestMs: -Infinity,
  keptFromMs: Infinity,
});

const dayAt = ({ boundaryMs }: BudgetRules, wallMs: number): number => Math.floor((wallMs - boundaryMs) / DAY_MS);
const runningDay = ({ rules, latestMs }: Budget): number => dayAt(rules, latestMs);

/** Advances the budget to now; a later day than before becomes the running one. */
export function advance(budget: Budget, now: Instant): void {
  budget.latestMs = Math.max(budget.latestMs, now.wallMs);
  for (const [id, charge] of budget.charges) {
    // One day longer than necessary, because the boundary may move by less than a day.
    const over = dayAt(budget.rules, charge.dayMs) < runningDay(budget) - 1;
    const kept = charge.open || charge.at.wallMs >= budget.keptFromMs;
    if (!kept && over && !inWindow(charge.at, now)) budget.charges.delete(id);
  }
}

/** Days begin at another hour from now on; charges stay, and the 24 hours have no boundary. */
export function moveBoundary(budget: Budget, boundaryMs: number): void {
  budget.rules = { ...budget.rules, boundaryMs };
}

/** Start of the running budget day, epoch ms. */
export const dayStartMs = (budget: Budget): number => runningDay(budget) * DAY_MS + budget.rules.boundaryMs;

/**
 * Both clocks must agree that 24 hours are over: the wall clock may have been set forward, and the monotonic clock
 * may have stopped while the machine slept. A charge in the wall clock's future counts.
 */
function inWindow(at: Instant, now: Instant): boolean {
  const byWall = now.wallMs - at.wallMs < DAY_MS;
  const both = at.monotonicMs !== null && now.monotonicMs !== null;
  return byWall || (both && (now.monotonicMs ?? 0) - (at.monotonicMs ?? 0) < DAY_MS);
}

/** Whether a charge still uses money of the running day or of the 24 hours. */
export function counts(budget: Budget, attemptId: string, now: Instant): boolean {
  advance(budget, now);
  const charge = budget.charges.get(attemptId);
  if (!charge) return false;
  return charge.open || dayAt(budget.rules, charge.dayMs) === runningDay(budget) || inWindow(charge.at, now);
}

/** Used and remaining money at this instant. */
export function used(budget: Budget, now: Instant): Used {
  advance(budget, now);
  const today = runningDay(budget);
  const sums = { day: ZERO, dayOpen: ZERO, rolling: ZERO, open: ZERO };
  let sinceMs = Infinity;
  for (const charge of budget.charges.values()) {
    const { open, amountUsd } = charge;
    const isToday = dayAt(budget.rules, charge.dayMs) === today;
    if (isToday) {
      sums.day = sums.day.add(amountUsd);
      sinceMs = Math.min(sinceMs, charge.at.wallMs);
    }
    if (isToday && open) sums.dayOpen = sums.dayOpen.add(amountUsd);
    if (open) sums.open = sums.open.add(amountUsd);
    if (open || inWindow(charge.at, now)) sums.rolling = sums.rolling.add(amountUsd);
  }
  const leftUsd = maxDecimal(ZERO, budget.rules.limitUsd.sub(maxDecimal(sums.day, sums.rolling)));
  return {
    dayUsd: sums.day,
    rollingUsd: sums.rolling,
    openUsd: sums.open,
    bookedTodayUsd: sums.day.sub(sums.dayOpen),
    leftUsd,
    sinceMs,
  };
}

/** Reserves money, or refuses. Nothing else may open a charge for a call. */
export function reserve(budget: Budget, attemptId: string, amountUsd: Decimal, now: Instant): boolean {
  if (amountUsd.lt(0) || !amountUsd.isFinite() || budget.charges.has(attemptId)) return false;
  if (amountUsd.gt(used(budget, now).leftUsd)) return false;
  budget.charges.set(attemptId, { amountUsd, dayMs: budget.latestMs, open: true, unknown: false, at: now });
  return true;
}

/** Drops a reservation whose row could not be written: no row, no call, no charge. */
export const withdraw = (budget: Budget, attemptId: string): void => void budget.charges.delete(attemptId);

/**
 * Settles a reservation on the day it was made. A null `amountUsd` means that the cost is unknown and books the
 * bound. Returns the booked amount.
 */
export function settle(budget: Budget, attemptId: string, amountUsd: Decimal | null, now: Instant): Decimal {
  const charge = budget.charges.get(attemptId);
  invariant(charge?.open, `settled ${attemptId}, which is not an open reservation`);
  const booked = amountUsd ?? charge.amountUsd;
  // The wall clock may have stepped back since: the later of the two instants keeps the charge in its day.
  const at = { ...now, wallMs: Math.max(now.wallMs, charge.at.wallMs) };
  budget.charges.set(attemptId, {
    amountUsd: booked,
    dayMs: charge.dayMs,
    open: false,
    unknown: amountUsd === null,
    at,
  });
  return booked;
}

/** Books spend without a reservation: the gateway's figure is higher, or a row is restored. */
export function book(budget: Budget, id: string, amountUsd: Decimal, now: Instant): void {
  advance(budget, now);
  budget.charges.set(id, { amountUsd, dayMs: budget.latestMs, open: false, unknown: false, at: now });
}

/** Restores a reservation from the journal, whether or not it would fit today. */
export function restoreReservation(budget: Budget, attemptId: string, amountUsd: Decimal, atMs: number): void {
  const at = { wallMs: atMs, monotonicMs: null };
  advance(budget, at);
  budget.charges.set(attemptId, { amountUsd, dayMs: budget.latestMs, open: true, unknown: false, at });
}

/** Lowers a charge that was booked at its bound; it stays in its day and its 24 hours. */
export function correct(budget: Budget, attemptId: string, amountUsd: Decimal): void {
  const charge = budget.charges.get(attemptId);
  if (charge) budget.charges.set(attemptId, { ...charge, amountUsd });
}

/** Amount booked at bounds in the running day. */
export const unknownToday = (budget: Budget): Decimal =>
  sumDecimals(
    [...budget.charges.values()]
      .filter((charge) => charge.unknown && dayAt(budget.rules, charge.dayMs) === runningDay(budget))
      .map(({ amountUsd }) => amountUsd),
  );

/** Reservations without an entry that ends them; at a start, those that a crash left open. */
export const openAttempts = (budget: Budget): readonly string[] =>
  [...budget.charges].filter(([, charge]) => charge.open).map(([id]) => id);

/** Booked and reserved since an instant, by the time of the entry; open reservations always count. */
export const spentSince = (budget: Budget, sinceMs: number): Decimal =>
  sumDecimals([...budget.charges.values()].filter((c) => c.open || c.at.wallMs >= sinceMs).map((c) => c.amountUsd));

/** Average cost of a paid call in the running day; null before the first. `isCall` excludes adoptions. */
export function meanCallUsd(budget: Budget, isCall: (id: string) => boolean): Decimal | null {
  const today = [...budget.charges].filter(([id, charge]) => {
    return (
      isCall(id) && !charge.open && charge.amountUsd.gt(0) && dayAt(budget.rules, charge.dayMs) === runningDay(budget)
    );
  });
  return today.length === 0 ? null : sumDecimals(today.map(([, charge]) => charge.amountUsd)).div(today.length);
}

/** The day's plan; `reserveForHappenings` is 0 to 1, `dayStartMs` epoch ms. */
export interface Pace {
  readonly limitUsd: Decimal;
  /** Share of the limit reserved for event triggers. */
  readonly reserveForEvents: number;
  readonly dayStartMs: number;
}

/** Spend of the running day, in USD. */
export interface Spending {
  readonly usedTodayUsd: Decimal;
  readonly leftUsd: Decimal;
  /** Likely cost of the next question; zero before the first. */
  readonly nextUsd: Decimal;
}

/** A scheduled question may run this far ahead of the line, so that the first hours have money. */
const AHEAD_MS = 2 * HOUR_MS;

const share = (ms: number): Decimal => dec(Math.round(Math.min(Math.max(ms, 0), DAY_MS))).div(DAY_MS);

/** What scheduled questions may have used by now. */
export const allowanceUsd = (pace: Pace, nowMs: number): Decimal =>
  pace.limitUsd.mul(dec(1).sub(dec(pace.reserveForEvents))).mul(share(nowMs - pace.dayStartMs + AHEAD_MS));

/** False without money for the next question; a scheduled one must also stay under the line of the day. */
export function mayAsk(urgency: Urgency, nowMs: number, pace: Pace, spending: Spending): boolean {
  const { leftUsd, nextUsd, usedTodayUsd } = spending;
  if (leftUsd.lte(0) || nextUsd.gt(leftUsd)) return false;
  return urgency === "event" || usedTodayUsd.add(nextUsd).lte(allowanceUsd(pace, nowMs));
}

/**
 * How far the day's spend would run ahead of the straight line to its target with one more question, milliseconds; negative
 * behind it. Null if the question is not in the plan: without a target, beyond it, or without money.
 */
export function aheadOfTargetMs(
  targetUsd: Decimal | undefined,
  nowMs: number,
  pace: Pace,
  spending: Spending,
): number | null {
  const { leftUsd, nextUsd } = spending;
  const usedUsd = spending.usedTodayUsd.add(nextUsd);
  if (targetUsd === undefined || leftUsd.lte(0) || nextUsd.gt(leftUsd) || usedUsd.gt(targetUsd)) return null;
  return usedUsd.div(targetUsd).mul(DAY_MS).toNumber() - Math.min(nowMs - pace.dayStartMs, DAY_MS);
}

/**
 * The day's total at the pace since its first charge, which an agent that started at noon makes at noon; the amount used during the
 * first quarter of an hour from then.
 */
export function forecastUsd({ dayStartMs }: Pace, nowMs: number, usedTodayUsd: Decimal, sinceMs = dayStartMs): Decimal {
  const atMs = Math.min(nowMs, dayStartMs + DAY_MS);
  const elapsedMs = atMs - Math.max(sinceMs, dayStartMs);
  if (!(elapsedMs >= HOUR_MS / 4)) return maxDecimal(ZERO, usedTodayUsd);
  const leftMs = dayStartMs + DAY_MS - atMs;
  return usedTodayUsd.add(usedTodayUsd.mul(dec(Math.round(leftMs))).div(dec(Math.round(elapsedMs))));
}
