/** The dependencies of every part of the desk. */
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { WireFacts } from "./wire-limits.ts";
import type { RowValue } from "../rows/row.ts";
import type { Preview } from "./preview.ts";
import type { AutomationSession } from "./session.ts";

/** Assembled once per runtime; stores may be shared with other processes. */
export interface DeskParts {
  readonly env: Env;
  readonly log: Log;
  readonly venue: VenuePort;
  readonly sessions: SessionStore;
  readonly previews: PreviewStore;
  /** Writes a row that is durable on return. Throws on failure; then nothing may be sent. */
  readonly record: (row: DeskRow, decisionId?: string) => void;
  /**
   * Previews belong to the runtime that made them: a name for the command line, the tool server, or one run of the
   * daemon.
   */
  readonly runtime: string;
  /** Why this runtime may write nothing at the venue, not even a close; null or absent if it may. */
  readonly forbidden?: () => string | null;
  /**
   * Whether the journal shows that an order with this client order id was sent; the desk itself knows only its own
   * process.
   */
  readonly wasSent?: (clientOrderId: string) => boolean;
  /**
   * Raw figures for the wire limits, read at the moment of the call; null while the account is unknown, which blocks
   * openings. Absent where a person previews and confirms each order: these limits guard against the agent.
   */
  readonly wireFacts?: (symbol: string) => WireFacts | null;
}

/** The rows that the desk writes. */
export type DeskRow = RowValue<"session" | "preview" | "wire-out" | "wire-in">;

/** Writes a row, or returns the refusal that must stop the action. */
export function recorded(parts: DeskParts, row: DeskRow, decisionId: string | null): Result<void, Refusal> {
  try {
    parts.record(row, decisionId ?? undefined);
    return ok(undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(refuse("not-recorded", `no row could be written: ${reason}`));
  }
}

/** By automation session id. `add` is called after the start's row is durable. */
export interface SessionStore {
  get(id: string): Promise<AutomationSession | undefined>;
  list(): Promise<readonly AutomationSession[]>;
  add(session: AutomationSession): Promise<void>;
  /** Applies `change` to the current record; a refused change leaves it as it is. Unknown id: "session-unknown". */
  update(
    id: string,
    change: (session: AutomationSession) => Result<AutomationSession, Refusal>,
  ): Promise<Result<AutomationSession, Refusal>>;
}

/** By preview id. A store may drop old previews; a submit is then refused as "preview-missing". */
export interface PreviewStore {
  add(preview: Preview): Promise<void>;
  get(id: string): Promise<Preview | undefined>;
  /** Marks the preview as submitted. True for exactly one caller. */
  take(id: string): Promise<boolean>;
}
