/** What every part of the desk is given. */
import type { Env } from "../core/env.ts";
import type { Log } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { PreviewStore, SessionStore } from "./stores.ts";
import type { WireFacts } from "./wire-limits.ts";
import type { RowValue } from "../rows/row.ts";

/** Plugged together by `main/`, one set a runtime; stores may be shared with other processes. */
export interface DeskParts {
  readonly env: Env;
  readonly log: Log;
  readonly venue: VenuePort;
  readonly sessions: SessionStore;
  readonly previews: PreviewStore;
  /** Writes a row, durable when it returns. Throws when it cannot; then nothing goes on the wire. */
  readonly record: (row: DeskRow, decisionId?: string) => void;
  /** Previews belong to the runtime that made them: a name for the command line, the tool server, or one boot. */
  readonly runtime: string;
  /** Why this runtime may write nothing at the venue, not even a close; null, or absent, where it may. */
  readonly forbidden?: () => string | null;
  /** Whether an order of this client order id was ever sent, from the journal; the desk itself knows its own life. */
  readonly wasSent?: (clientOrderId: string) => boolean;
  /**
   * Raw figures for the limits at the wire, read at the instant of the question; null while the account is not known, and
   * then nothing is opened. Absent where a person previews and confirms each order: those limits guard against the agent.
   */
  readonly wireFacts?: (symbol: string) => WireFacts | null;
}

/** The rows that the desk writes. */
export type DeskRow = RowValue<"session" | "preview" | "wire-out" | "wire-in">;

/** Records a row or answers why nothing may follow. */
export function recorded(parts: DeskParts, row: DeskRow, decisionId: string | null): Result<void, Refusal> {
  try {
    parts.record(row, decisionId ?? undefined);
    return ok(undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(refuse("not-recorded", `no row could be written: ${reason}`));
  }
}
