/** Records the outcome of a write in the journal and the log. */
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import { type DeskParts, recorded } from "./context.ts";
import { inWords, levelOf } from "./outcome-words.ts";
import type { Wire } from "./wire.ts";
import type { Seen } from "../rows/seen.ts";
import { type VenueReply, wireInRow } from "../rows/wire-in.ts";

/** `outcome` is the kind of an `Outcome`; `reply` is the venue's answer to an accepted write, else null. */
export interface WriteOutcome {
  readonly outcome: string;
  readonly message: string;
  readonly reply?: VenueReply;
  /** Facts of the last check, made after rows that may have taken seconds to become durable. */
  readonly seen?: Seen | null;
}

/** Writes the outcome's row. */
export function note(
  parts: DeskParts,
  wire: Wire,
  { outcome, message, reply = null, seen = null }: WriteOutcome,
): void {
  const row = wireInRow({
    previewId: wire.previewId,
    action: wire.action,
    clientOrderId: wire.clientOrderId,
    outcome,
    message,
    reply,
    seen,
  });
  const written = recorded(parts, row, wire.decisionId);
  // The write has been sent or dropped already, so the caller must get the outcome even if the disk failed; log the
  // gap.
  if (!written.ok) parts.log.event("error", "journal.damaged", written.error.message, { previewId: wire.previewId });
}

const OUTCOME_EVENT = {
  done: "order.accepted",
  rejected: "order.rejected",
  "rate-limited": "venue.limited",
  "not-sent": "order.dropped",
  unknown: "order.unknown",
} as const;

/** Writes the outcome's log line. */
export function report(parts: DeskParts, wire: Wire, outcome: Outcome<unknown>): void {
  const { previewId, action, clientOrderId, decisionId } = wire;
  const level = outcome.kind === "done" ? levelOf(action) : "warn";
  const fields = { previewId, action, clientOrderId, decisionId, outcome: outcome.kind };
  parts.log.event(
    level,
    OUTCOME_EVENT[outcome.kind],
    outcome.kind === "done"
      ? inWords(action, wire.params)
      : `${inWords(action, wire.params)}: ${describeOutcome(outcome)}`,
    fields,
  );
}
