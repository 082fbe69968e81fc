/** What the rest of this room sees of the purse with its durable side. */
import type { Decimal } from "../core/decimal.ts";
import type { Result } from "../core/result.ts";
import type { Used } from "./budget.ts";
import type { Counted, Report } from "./key-info.ts";

/** Money set aside for a question and its repair; `attemptId` names it in the rows. */
export interface Reservation {
  readonly attemptId: string;
  readonly boundUsd: Decimal;
}

/** What the row of a reservation will tell; `boundUsd` is the worst case, a repair included. */
export interface ReserveRequest {
  readonly decisionId: string;
  readonly purpose: string;
  readonly model: string;
  readonly boundUsd: Decimal;
}

/** What a call cost: as the service stated it, or as we count where it stated nothing. */
export interface Bill {
  readonly usd: Decimal;
  readonly known: "stated" | "estimated";
}

/** How a reservation ends; `crash` is the bound of one that an ended process left open. */
export type Booking = "actual" | "estimated" | "nothing" | "bound" | "crash";

/** Such a booking says nothing of the true cost. */
export const isUnknown = (how: string): boolean => how === "bound" || how === "crash";

/** The one way to model money: nothing may be asked before the row of its reservation is on the disk. */
export interface Ledger {
  /** Refusals name the figure and leave no trace; "ledger" means that the row could not be written. */
  reserve(
    request: ReserveRequest,
  ): Result<Reservation, { readonly kind: "over-budget" | "ledger"; readonly reason: string }>;
  /** Returns what was booked: the bound where nothing is known of the cost (null). */
  settle(reservation: Reservation, costUsd: Decimal | null, known?: "stated" | "estimated"): Decimal;
  /** Books what the gateway reports beyond our own figures, and keeps the baseline of later comparisons. */
  adopt(extraUsd: Decimal, figures: { readonly report: Report; readonly baseline: Report | null }): void;
  /** Takes back what was booked at bounds where the gateway's counter proves less. */
  correct(counted: Counted): void;
  /** Booked at bounds in the running day. */
  unknownUsd(): Decimal;
  used(): Used;
  dayStartMs(): number;
  /** Budget days begin so many milliseconds after midnight UTC from now on; a row keeps it for the next start. */
  moveBoundary(boundaryMs: number): void;
  /** Settled and open since an instant; open reservations always count. */
  spentSince(sinceMs: number): Decimal;
  /** What a paid call of the running day cost on average; null before the first. */
  meanCallUsd(): Decimal | null;
  /** The gateway's figure when it was last read by this process. */
  lastReport(): Report | null;
  baseline(): Report | null;
  /** Bounds are multiplied by this: 1, or more once a bill was higher than its bound. */
  marginFor(model: string): Decimal;
  /** Bookings that the disk did not take are tried once more, and then no more. */
  close(): void;
}
