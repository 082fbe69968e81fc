/**
 * What became of a request to an outside service. "Unknown" means it left this machine and no trustworthy answer came:
 * it may have happened. That is answered by asking, never by sending again.
 */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  /** The service said no, with its code. Nothing happened. */
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /** The service, or our own limiter, said not now. Nothing happened. */
  | { readonly kind: "rate-limited"; readonly retryAtMs: number; readonly message: string }
  /** It provably never left this machine. */
  | { readonly kind: "not-sent"; readonly message: string }
  /** It left, and its fate is not known. */
  | { readonly kind: "unknown"; readonly message: string };

/** Carries every kind but "done" through unchanged. */
export function mapOutcome<T, U>(outcome: Outcome<T>, change: (value: T) => U): Outcome<U> {
  return outcome.kind === "done" ? { kind: "done", value: change(outcome.value) } : outcome;
}

/** One line for a log or a person. */
export function describeOutcome(outcome: Outcome<unknown>): string {
  if (outcome.kind === "done") return "done";
  if (outcome.kind === "rejected") return `rejected ${outcome.code}: ${outcome.message}`;
  return `${outcome.kind}: ${outcome.message}`;
}
