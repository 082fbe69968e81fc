/**
 * The outcome of a request to an external service. "Unknown" means that it was sent and no trustworthy answer came: it may have
 * happened. The caller must look it up and never send it again.
 */
export type Outcome<T> = Done<T> | Failed;

export interface Done<T> {
  readonly kind: "done";
  readonly value: T;
  /** The service's whole answer, unchanged. Only from a client that keeps answers. */
  readonly answer?: unknown;
  /** When the request left, our time: it may have waited for its turn. Only from a client that counts requests. */
  readonly sentAtMs?: number;
}

/** The meaning of a refusal, independent of the service's code. */
export type RefusalReason =
  /** The service knows no such order, algo order or record. */
  | "not-found"
  /** HTTP 404 without a body of the service: a proxy may have answered, so it proves nothing about the order. */
  | "not-served"
  /** The order had ended before the request came. */
  | "already-ended"
  /** There is no position to close or reduce. */
  | "nothing-to-close"
  /** An order with this client order id exists already. */
  | "duplicate-id"
  /** Up-to-date reference data or leverage would have shown that the order cannot be taken. */
  | "stale-rules"
  /** The key or its permissions. No request with it succeeds until an operator acts. */
  | "unauthorized"
  /** The caller's clock is wrong. */
  | "clock"
  | "other";

/** The service refused, with its code. Nothing happened. */
export interface Rejected {
  readonly kind: "rejected";
  readonly reason: RefusalReason;
  readonly code: string;
  readonly message: string;
}

/** Every outcome that is not "done". */
export type Failed =
  | Rejected
  /** The service or our own limiter asked to wait. Nothing happened. */
  | { readonly kind: "rate-limited"; readonly retryAtMs: number; readonly message: string }
  /** It provably never left this machine. */
  | { readonly kind: "not-sent"; readonly message: string }
  /** It was sent, and its outcome is unknown. */
  | { readonly kind: "unknown"; readonly message: string };

/** Carries every kind but "done" through unchanged. */
export function mapOutcome<T, U>(outcome: Outcome<T>, change: (value: T) => U): Outcome<U> {
  return outcome.kind === "done" ? { ...outcome, value: change(outcome.value) } : outcome;
}

/** One line for a log or a person. */
export function describeOutcome(outcome: Outcome<unknown>): string {
  if (outcome.kind === "done") return "done";
  if (outcome.kind === "rejected") return `rejected ${outcome.code}: ${outcome.message}`;
  return `${outcome.kind}: ${outcome.message}`;
}
