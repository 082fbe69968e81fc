/** What a cause is, and which facts causes are derived from. */
import type { AgentStatus } from "../agent/decide/status.ts";
import type { BudgetView } from "../llm/contract/port.ts";
import type { ClockOffset, MarketStreamHealth, TightenedLimit, VenueTrouble } from "../domain/venue.ts";

/** The part of the system where the cause lies. */
export type CausePart =
  | "venue"
  | "clock"
  | "symbols"
  | "streams"
  | "disk"
  | "journal"
  | "drills"
  | "account"
  | "equity"
  | "floor"
  | "protection"
  | "model"
  | "budget"
  | "strategy"
  | "decisions"
  | "session"
  | "entries"
  | "pace"
  | "config"
  | "agent";

/**
 * `alarm`: somebody must look. `degraded`: the agent does less than it could, by itself or by choice. `notice`: worth
 * knowing, but nothing is wrong.
 */
export type Severity = "alarm" | "degraded" | "notice";

export interface Cause {
  readonly part: CausePart;
  readonly severity: Severity;
  /** One sentence without a full stop that names the cause. */
  readonly sentence: string;
  /** What a person should do about it; empty if nothing needs doing. */
  readonly next: string;
  readonly sinceMs: number;
}

/** A cause before its start is known; `key` distinguishes it from others; the figures in its sentence may change. */
export interface Found extends Omit<Cause, "sinceMs"> {
  readonly key: string;
  /** Set if the fact itself includes its start. */
  readonly sinceMs?: number;
}

export interface CauseFacts {
  readonly status: Pick<
    AgentStatus,
    | "atMs"
    | "stage"
    | "observing"
    | "readOnly"
    | "holds"
    | "floorState"
    | "floorReason"
    | "equityAgreed"
    | "entriesBlocked"
    | "staleRules"
    | "unprotected"
    | "strategy"
    | "fallback"
    | "failing"
    | "benched"
    | "asksModel"
    | "unlisted"
    | "accountAgeMs"
    | "streams"
  >;
  readonly venue: VenueFacts;
  readonly model: ModelFacts;
  /** Why the saved configuration file is not in force; null while it is. */
  readonly refusedConfig: string | null;
}

/** The state that client and streams report. */
export interface VenueFacts {
  readonly trouble: VenueTrouble | null;
  /** Venue's time less ours; null if the venue keeps its own time, as practice does. */
  readonly clock: Pick<ClockOffset, "offsetMs" | "uncertaintyMs"> | null;
  /** Why a stream is not up; empty if it is up, or gives no reason. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Subscriptions that the venue has refused. */
  readonly refused: MarketStreamHealth["refused"];
  readonly tightened: readonly TightenedLimit[];
}

/** The state that the gateway reports. */
export interface ModelFacts extends Pick<
  BudgetView,
  "models" | "limitUsd" | "usedUsd" | "rollingUsd" | "leftUsd" | "dayEndMs" | "mayAsk" | "underFloor" | "unknownUsd"
> {
  /** Why no question can be asked with these settings; null if one can. */
  readonly refused: string | null;
}

/** An account that has not been read for this long counts as unwatched. */
export const ACCOUNT_MS = 60_000;
