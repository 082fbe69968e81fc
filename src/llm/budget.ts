/**
 * The arithmetic of the purse. A charge is a reservation until it is settled; nothing else ends it. What fits is judged
 * against the running budget day and against any 24 hours, which holds for every reading of "day". Pure: time is told.
 * Faults L2, L3, L12, C2, C4; invariants I19, I20.
 */
import { type Decimal, maxDecimal, sumDecimals, ZERO } from "../core/decimal.ts";
import { invariant } from "../core/invariant.ts";
import { DAY_MS } from "../core/time.ts";

/** Wall time, and monotonic time where the charge was made by this very process (null after a restart). */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicMs: number | null;
}

/** Money that is set aside or booked for one attempt. */
export interface Charge {
  readonly amountUsd: Decimal;
  /** The instant whose budget day it belongs to: the latest that was known at the reservation. */
  readonly dayMs: number;
  readonly open: boolean;
  /** Booked at its bound, because nothing is known of its cost. */
  readonly unknown: boolean;
  /** When it was last known to grow or end: the 24 hours count from here. */
  readonly at: Instant;
}

/** The limit holds for the running day and for any 24 hours alike. */
export interface BudgetRules {
  readonly limitUsd: Decimal;
  /** Milliseconds after midnight UTC at which a budget day begins. */
  readonly boundaryMs: number;
}

/** Changed in place by the functions of this file; charges are kept by attempt id. */
export interface Budget {
  rules: BudgetRules;
  readonly charges: Map<string, Charge>;
  /** The latest wall instant seen: a clock that steps back does not open a closed day again. */
  latestMs: number;
  /** What was booked from this wall instant on is remembered, however old: `spentSince` is asked for it. */
  keptFromMs: number;
}

/** In USD; what is open counts with its bound. */
export interface Used {
  readonly dayUsd: Decimal;
  readonly rollingUsd: Decimal;
  readonly openUsd: Decimal;
  /** Part of `dayUsd` that is booked, not merely reserved. */
  readonly bookedTodayUsd: Decimal;
  /** Never below zero. */
  readonly leftUsd: Decimal;
}

/** `latestMs` is -Infinity until a time is told, and nothing is kept beyond its time. */
export const newBudget = (rules: BudgetRules): Budget => ({
  rules,
  charges: new Map(),
  latestMs: -Infinity,
  keptFromMs: Infinity,
});

const dayAt = ({ boundaryMs }: BudgetRules, wallMs: number): number => Math.floor((wallMs - boundaryMs) / DAY_MS);
const runningDay = ({ rules, latestMs }: Budget): number => dayAt(rules, latestMs);

/** Moves the budget to the present; a later day than any before becomes the running one. */
export function advance(budget: Budget, now: Instant): void {
  budget.latestMs = Math.max(budget.latestMs, now.wallMs);
  for (const [id, charge] of budget.charges) {
    // A day more than needed: the boundary may move by less than a day.
    const over = dayAt(budget.rules, charge.dayMs) < runningDay(budget) - 1;
    const kept = charge.open || charge.at.wallMs >= budget.keptFromMs;
    if (!kept && over && !inWindow(charge.at, now)) budget.charges.delete(id);
  }
}

/** Days begin at another hour from now on; what is charged stays charged, and the 24 hours know no boundary. */
export function moveBoundary(budget: Budget, boundaryMs: number): void {
  budget.rules = { ...budget.rules, boundaryMs };
}

/** Start of the running budget day, epoch ms. */
export const dayStartMs = (budget: Budget): number => runningDay(budget) * DAY_MS + budget.rules.boundaryMs;

/**
 * Both clocks must agree that 24 hours are over: the wall clock may have been stepped forward, the monotonic one may have
 * slept with the machine. A charge in the wall clock's future counts.
 */
function inWindow(at: Instant, now: Instant): boolean {
  const byWall = now.wallMs - at.wallMs < DAY_MS;
  const both = at.monotonicMs !== null && now.monotonicMs !== null;
  return byWall || (both && (now.monotonicMs ?? 0) - (at.monotonicMs ?? 0) < DAY_MS);
}

/** What is used and left at this instant. */
export function used(budget: Budget, now: Instant): Used {
  advance(budget, now);
  const today = runningDay(budget);
  const sums = { day: ZERO, dayOpen: ZERO, rolling: ZERO, open: ZERO };
  for (const charge of budget.charges.values()) {
    const { open, amountUsd } = charge;
    const isToday = dayAt(budget.rules, charge.dayMs) === today;
    if (isToday) sums.day = sums.day.add(amountUsd);
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
  };
}

/** Sets money aside, or says no. Nothing else may open a charge for a call. */
export function reserve(budget: Budget, attemptId: string, amountUsd: Decimal, now: Instant): boolean {
  if (amountUsd.lt(0) || !amountUsd.isFinite() || budget.charges.has(attemptId)) return false;
  if (amountUsd.gt(used(budget, now).leftUsd)) return false;
  budget.charges.set(attemptId, { amountUsd, dayMs: budget.latestMs, open: true, unknown: false, at: now });
  return true;
}

/** Forgets a reservation whose row could not be written: no row, no call, no charge. */
export const withdraw = (budget: Budget, attemptId: string): void => void budget.charges.delete(attemptId);

/**
 * Ends a reservation in a booking, on the day it was made. `amountUsd` null means that nothing is known of its cost and books
 * the bound. Returns what was booked.
 */
export function settle(budget: Budget, attemptId: string, amountUsd: Decimal | null, now: Instant): Decimal {
  const charge = budget.charges.get(attemptId);
  invariant(charge?.open, `settled ${attemptId}, which is not an open reservation`);
  const booked = amountUsd ?? charge.amountUsd;
  // The wall clock may have been stepped back since: the later of the two instants keeps the charge in its day.
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

/** Books what was spent without a reservation of ours: the gateway's figure is higher, or a row is read back. */
export function book(budget: Budget, id: string, amountUsd: Decimal, now: Instant): void {
  advance(budget, now);
  budget.charges.set(id, { amountUsd, dayMs: budget.latestMs, open: false, unknown: false, at: now });
}

/** A reservation read back from the journal: it was made, whether or not it would fit today. */
export function restoreReservation(budget: Budget, attemptId: string, amountUsd: Decimal, atMs: number): void {
  const at = { wallMs: atMs, monotonicMs: null };
  advance(budget, at);
  budget.charges.set(attemptId, { amountUsd, dayMs: budget.latestMs, open: true, unknown: false, at });
}

/** Less is known to be true of a charge that was booked at its bound; it stays in its day and its 24 hours. */
export function correct(budget: Budget, attemptId: string, amountUsd: Decimal): void {
  const charge = budget.charges.get(attemptId);
  if (charge) budget.charges.set(attemptId, { ...charge, amountUsd });
}

/** Booked at their bounds in the running day. */
export const unknownToday = (budget: Budget): Decimal =>
  sumDecimals(
    [...budget.charges.values()]
      .filter((charge) => charge.unknown && dayAt(budget.rules, charge.dayMs) === runningDay(budget))
      .map(({ amountUsd }) => amountUsd),
  );

/** Reservations without a booking; at a start these are what a crash left behind. */
export const openAttempts = (budget: Budget): readonly string[] =>
  [...budget.charges].filter(([, charge]) => charge.open).map(([id]) => id);

/** Booked and reserved since an instant, by the time of the booking; reservations always count. */
export const spentSince = (budget: Budget, sinceMs: number): Decimal =>
  sumDecimals([...budget.charges.values()].filter((c) => c.open || c.at.wallMs >= sinceMs).map((c) => c.amountUsd));

/** What a paid call cost on average in the running day; null before the first. `isCall` tells calls from adoptions. */
export function meanCallUsd(budget: Budget, isCall: (id: string) => boolean): Decimal | null {
  const today = [...budget.charges].filter(([id, charge]) => {
    return (
      isCall(id) && !charge.open && charge.amountUsd.gt(0) && dayAt(budget.rules, charge.dayMs) === runningDay(budget)
    );
  });
  return today.length === 0 ? null : sumDecimals(today.map(([, charge]) => charge.amountUsd)).div(today.length);
}
