/**
 * Books a question's cost, first as a row and then in the budget. A failed row is retried, and until then the
 * reservation stays charged at its bound. Faults L1-L4; invariants I19, I20.
 */
import { type Decimal, maxDecimal, ZERO } from "../core/decimal.ts";
import type { Stop } from "../core/clock.ts";
import type { Env } from "../core/env.ts";
import type { Log } from "../core/log.ts";
import * as purse from "./budget.ts";
import type { SpendLedgerStore } from "./port.ts";
import type { Booking } from "./purse.ts";
import { modelSettleRow } from "../rows/model-settle.ts";
import { bookedUsd, shownUsd, usdText } from "./spend-rows.ts";

/** Wait before a failed row is retried. */
const AGAIN_MS = 5_000;

/** The budget and its rows. */
export interface Books {
  readonly env: Env;
  readonly log: Log;
  readonly store: SpendLedgerStore;
  readonly budget: purse.Budget;
  /** The model and decision of each reservation, for the log line of its booking. */
  readonly models: Map<string, { readonly model: string; readonly decisionId: string }>;
  /** Bookings that the disk refused: retried soon, before the next reservation, and at the end. */
  readonly unwritten: Map<string, { readonly costUsd: Decimal | null; readonly how: Booking }>;
  again: Stop | null;
}

/** Now, by wall clock and monotonic clock. */
export const instant = ({ env }: Books): purse.Instant => ({
  wallMs: env.clock.nowMs(),
  monotonicMs: env.clock.monotonicMs(),
});

const BECAUSE: Readonly<Record<Booking, string>> = {
  actual: " (actual)",
  nothing: " (nothing)",
  estimated: ", counted by our tokenizer because the gateway stated no usage",
  bound: ", its upper bound: the outcome is unknown",
  crash: ", its upper bound: the process ended during the call",
};

/** A row that cannot be written leaves the reservation open, which charges its bound: never too little. */
export function writeSettle(
  state: Books,
  attemptId: string,
  booking: { readonly costUsd: Decimal | null; readonly how: Booking },
): Decimal {
  const { budget, store, log, env } = state;
  const bound = budget.charges.get(attemptId)?.amountUsd ?? ZERO;
  const costUsd = booking.costUsd ?? bound;
  try {
    const { how } = booking;
    store.append(modelSettleRow({ attemptId, atMs: env.clock.nowMs(), costUsd: bookedUsd(costUsd), how }));
  } catch (error) {
    state.unwritten.set(attemptId, booking);
    writeAgainSoon(state);
    log.event(
      "error",
      "budget.spent",
      `A model bill could not be written (${String(error)}); its bound stays charged.`,
      {
        error: String(error),
      },
    );
    return maxDecimal(bound, costUsd);
  }
  state.unwritten.delete(attemptId);
  purse.settle(budget, attemptId, booking.costUsd, instant(state));
  const decision = state.models.get(attemptId)?.decisionId;
  state.models.delete(attemptId);
  const { dayUsd, leftUsd } = purse.used(budget, instant(state));
  const today = `${shownUsd(dayUsd)} USD used today, ${shownUsd(leftUsd)} USD left`;
  log.event("info", "budget.spent", `Booked ${shownUsd(costUsd)} USD${BECAUSE[booking.how]}; ${today}.`, {
    decision,
    attemptId,
    how: booking.how,
    costUsd: usdText(costUsd),
    usedTodayUsd: usdText(dayUsd),
    leftUsd: usdText(leftUsd),
  });
  return costUsd;
}

/** Retries the bookings that wait for the disk. */
export function writeWaiting(state: Books): void {
  for (const [attemptId, booking] of [...state.unwritten]) writeSettle(state, attemptId, booking);
}

/** Without a further question the reservation would stay open until the next start, which books it at its bound. */
function writeAgainSoon(state: Books): void {
  state.again ??= state.env.clock.after(AGAIN_MS, () => {
    state.again = null;
    writeWaiting(state);
  });
}
