/** What the rest of this room sees of the purse with its durable side. */
import type { Decimal } from "../core/decimal.ts";
import type { Result } from "../core/result.ts";
import type { Used } from "./budget.ts";
import type { Report } from "./key-info.ts";

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

/** How a reservation ends: the actual cost, the bound (null) where it is not known. */
export type Booking = "actual" | "bound" | "nothing";

/** The one way to model money: nothing may be asked before the row of its reservation is on the disk. */
export interface Ledger {
  /** Refusals name the figure and leave no trace; "ledger" means that the row could not be written. */
  reserve(
    request: ReserveRequest,
  ): Result<Reservation, { readonly kind: "over-budget" | "ledger"; readonly reason: string }>;
  /** Returns what was booked. */
  settle(reservation: Reservation, costUsd: Decimal | null): Decimal;
  /** Books what the gateway reports beyond our own figures, and keeps the baseline of later comparisons. */
  adopt(extraUsd: Decimal, figures: { readonly report: Report; readonly baseline: Report | null }): void;
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
