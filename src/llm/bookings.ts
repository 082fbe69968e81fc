/**
 * What a question cost, as a row first and then in the budget. A disk that takes no row is asked again, and until then the
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

/** A disk that took no booking is tried again after this. */
const AGAIN_MS = 5_000;

/** The budget with the rows behind it. */
export interface Books {
  readonly env: Env;
  readonly log: Log;
  readonly store: SpendLedgerStore;
  readonly budget: purse.Budget;
  /** Who is behind a reservation, for its booking's line. */
  readonly models: Map<string, { readonly model: string; readonly decisionId: string }>;
  /** Bookings that the disk did not take: tried again soon, before the next reservation, and at the end. */
  readonly unwritten: Map<string, { readonly costUsd: Decimal | null; readonly how: Booking }>;
  again: Stop | null;
}

/** Now, by both of our clocks. */
export const instant = ({ env }: Books): purse.Instant => ({
  wallMs: env.clock.nowMs(),
  monotonicMs: env.clock.monotonicMs(),
});

const BECAUSE: Readonly<Record<Booking, string>> = {
  actual: " (actual)",
  nothing: " (nothing)",
  estimated: ", counted by our tokenizer because the gateway stated no usage",
  bound: ", the most it can have cost: its outcome is not known",
  crash: ", the most it can have cost: the process ended while it was under way",
};

/** A row that cannot be written leaves the reservation open for now, which charges the bound: never too little. */
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

/** What waits for the disk, tried once more. */
export function writeWaiting(state: Books): void {
  for (const [attemptId, booking] of [...state.unwritten]) writeSettle(state, attemptId, booking);
}

/** Who asks no more would else keep the reservation open until the next start, which books it at its bound. */
function writeAgainSoon(state: Books): void {
  state.again ??= state.env.clock.after(AGAIN_MS, () => {
    state.again = null;
    writeWaiting(state);
  });
}
