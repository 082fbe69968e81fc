/** Why the desk did nothing. `faces/` turns the kinds into the status words and codes of document 3. */

export type RefusalKind =
  /** This runtime may write nothing at this venue. */
  | "forbidden"
  /** An action's own fields are wrong. */
  | "input"
  /** The draft is not the very object that a review approved. */
  | "not-reviewed"
  | "preview-missing"
  | "preview-expired"
  | "preview-used"
  | "preview-mismatch"
  | "other-runtime"
  | "token-missing"
  | "token-wrong"
  | "consent-text"
  | "session-input"
  | "session-unknown"
  | "session-not-active"
  | "session-ambiguous"
  | "session-scope"
  | "session-cap"
  | "above-max-notional"
  | "duplicate-client-order-id"
  | "order-not-found"
  | "order-not-open"
  | "no-position"
  /** The state the review relied on has changed by the instant before the wire. */
  | "rechecked"
  /** The desk's own count of the money limits does not agree, whatever the review said. */
  | "wire-limits"
  /** A read that the preview needs did not succeed. */
  | "unreadable"
  /** The journal took no row, so nothing may go on the wire. */
  | "not-recorded";

/** No write reached the venue. `details` are figures and codes for a face to show. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** One sentence for a person; names what was found and what is needed. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const refuse = (kind: RefusalKind, message: string, details?: Readonly<Record<string, unknown>>): Refusal => ({
  kind,
  message,
  ...(details && { details }),
});
