/** Why the desk refused. `faces/` maps the kinds to the status words and codes of document 3. */

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
  /** The state changed between the review and the moment before the wire. */
  | "rechecked"
  /** The desk's own count of the money limits disagrees with the review. */
  | "wire-limits"
  /** A read that the preview needs failed. */
  | "unreadable"
  /** The journal accepted no row, so nothing may be sent. */
  | "not-recorded";

/** No write reached the venue. `details` are figures and codes for display. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** One sentence for a person; names what was found and what is required. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const refuse = (kind: RefusalKind, message: string, details?: Readonly<Record<string, unknown>>): Refusal => ({
  kind,
  message,
  ...(details && { details }),
});
