/** What a cause is, and what causes are derived from. */
import type { AgentStatus } from "../agent/decide/status.ts";
import type { BudgetView } from "../llm/port.ts";
import type { ClockOffset, MarketStreamHealth, TightenedLimit, VenueTrouble } from "../domain/venue.ts";

/** The part of the whole that the cause lies in. */
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
  | "agent";

/**
 * `alarm`: somebody must look. `degraded`: it does less than it could, by itself or by choice. `notice`: worth knowing, and
 * all is well.
 */
export type Severity = "alarm" | "degraded" | "notice";

export interface Cause {
  readonly part: CausePart;
  readonly severity: Severity;
  /** One sentence without a full stop that names the cause. */
  readonly sentence: string;
  /** What a person does about it; empty where there is nothing to do. */
  readonly next: string;
  readonly sinceMs: number;
}

/** A cause before its beginning is known; `key` gives it from others, whatever figures its sentence holds. */
export interface Found extends Omit<Cause, "sinceMs"> {
  readonly key: string;
  /** Where the fact itself knows it. */
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
}

/** What client and streams say of themselves. */
export interface VenueFacts {
  readonly trouble: VenueTrouble | null;
  /** Venue's time less ours; null where the venue keeps a time of its own, as practice does. */
  readonly clock: Pick<ClockOffset, "offsetMs" | "uncertaintyMs"> | null;
  /** Why a stream is not up; empty where it is, or does not say. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Subscriptions that the venue has refused. */
  readonly refused: MarketStreamHealth["refused"];
  readonly tightened: readonly TightenedLimit[];
}

/** What the gateway says of itself. */
export interface ModelFacts extends Pick<
  BudgetView,
  "models" | "limitUsd" | "usedUsd" | "rollingUsd" | "leftUsd" | "dayEndMs" | "mayAsk" | "underFloor" | "unknownUsd"
> {
  /** Why no question can be asked with these settings; null where one can. */
  readonly refused: string | null;
}

/** An account that was not read for longer is not watched. */
export const ACCOUNT_MS = 60_000;
