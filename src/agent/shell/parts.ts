/** What the loop and its writer are assembled from. */
import type { Env } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import type { Desk } from "../../desk/desk.ts";
import type { VenueLimits } from "../../domain/venue.ts";
import type { VenuePort } from "../../domain/venue-calls.ts";
import type { Agent } from "./agent.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { ConsentPort, JournalPort, ModelPort } from "../contract/ports.ts";

/** Assembled by `main/`. `venue` is for reads; every write goes through `desk`. */
export interface LoopParts {
  readonly env: Env;
  readonly log: Log;
  readonly agent: Agent;
  readonly venue: VenuePort;
  readonly desk: Desk;
  readonly model: ModelPort;
  readonly journal: JournalPort;
  readonly consent: ConsentPort;
  /** Resolves when such a write could be sent at once: its data must not grow old in a queue. Fault R6. */
  readonly slotReady?: VenueLimits["ready"];
  /** Answers a command of the operator that waits; absent where none can come. */
  readonly answer?: (request: string, body: unknown) => void;
  /** Called when a part throws what it must not: the process ends, and the next start recovers. */
  readonly onFatal: (cause: unknown) => void;
}

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;
/** An event to which the loop gives its time. */
export type Untimed = DistributiveOmit<AgentEvent, "atMs">;

/** What reads and writes know of the loop that began them. */
export interface Link {
  feed(event: Untimed): void;
  closed(): boolean;
}
