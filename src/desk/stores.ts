/**
 * The stores that the desk needs for sessions and previews. `update` and `take` must be atomic, also across processes
 * that share a store; other reads may be slightly out of date.
 */
import type { Result } from "../core/result.ts";
import type { Preview } from "./preview.ts";
import type { Refusal } from "./refusal.ts";
import type { AutomationSession } from "./session.ts";

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
