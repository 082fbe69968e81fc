/** The durable budget as the rest of this room sees it. */
import type { Decimal } from "../core/decimal.ts";
import type { Result } from "../core/result.ts";
import type { Used } from "./budget.ts";
import type { Counted, Report } from "./key-info.ts";

/** Money reserved for a question and its repair; `attemptId` names it in the rows. */
export interface Reservation {
  readonly attemptId: string;
  readonly boundUsd: Decimal;
}

/** Content of a reservation's row; `boundUsd` is the worst case, a repair included. */
export interface ReserveRequest {
  readonly decisionId: string;
  readonly purpose: string;
  readonly model: string;
  readonly boundUsd: Decimal;
}

/** The cost of a call: as the service stated it, or our own count if it stated nothing. */
export interface Invoice {
  readonly usd: Decimal;
  readonly known: "stated" | "estimated";
}

/** How a reservation ends; `crash` is the bound of one that an ended process left open. */
export type Booking = "actual" | "estimated" | "nothing" | "bound" | "crash";

/** Whether a booking says nothing about the true cost. */
export const isUnknown = (how: string): boolean => how === "bound" || how === "crash";

/** The one path to model money: nothing may be asked before the reservation's row is on disk. */
export interface Ledger {
  /** A refusal names the figure and leaves no trace; "ledger" means that the row could not be written. */
  reserve(
    request: ReserveRequest,
  ): Result<Reservation, { readonly kind: "over-budget" | "ledger"; readonly reason: string }>;
  /** Returns the booked amount: the bound if the cost is unknown (null). */
  settle(reservation: Reservation, costUsd: Decimal | null, known?: "stated" | "estimated"): Decimal;
  /** Books what the gateway reports beyond our own figures, and stores the baseline of later comparisons. */
  adopt(extraUsd: Decimal, figures: { readonly report: Report; readonly baseline: Report | null }): void;
  /** Lowers charges booked at bounds if the gateway's counter proves a lower cost. */
  correct(counted: Counted): void;
  /** Amount booked at bounds in the running day. */
  unknownUsd(): Decimal;
  used(): Used;
  dayStartMs(): number;
  /** Start of a budget day from now on, milliseconds after midnight UTC; a row keeps it for the next start. */
  moveBoundary(boundaryMs: number): void;
  /** Settled and open since an instant; open reservations always count. */
  spentSince(sinceMs: number): Decimal;
  /** Average cost of a paid call in the running day; null before the first. */
  meanCallUsd(): Decimal | null;
  /** The gateway's figure as last read by this process. */
  lastReport(): Report | null;
  baseline(): Report | null;
  /** Factor for bounds: 1, or more after a bill above its bound. */
  marginFor(model: string): Decimal;
  /** Retries pending bookings one last time. */
  close(): void;
}
