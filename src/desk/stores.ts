/**
 * Where sessions and previews are kept, as the desk needs it. Contract: `update` and `take` are atomic, also against
 * other processes where a store is shared by them; all else may be read a moment old.
 */
import type { Result } from "../core/result.ts";
import type { Preview } from "./preview.ts";
import type { Refusal } from "./refusal.ts";
import type { AutomationSession } from "./session.ts";

/** By automation session id. `add` comes after the row of the start is durable. */
export interface SessionStore {
  get(id: string): Promise<AutomationSession | undefined>;
  list(): Promise<readonly AutomationSession[]>;
  add(session: AutomationSession): Promise<void>;
  /** Applies `change` to the record as it is at that instant; a refused change leaves it. Unknown: "session-unknown". */
  update(
    id: string,
    change: (session: AutomationSession) => Result<AutomationSession, Refusal>,
  ): Promise<Result<AutomationSession, Refusal>>;
}

/** By preview id. A store may forget old ones: a submit is then refused as "preview-missing". */
export interface PreviewStore {
  add(preview: Preview): Promise<void>;
  get(id: string): Promise<Preview | undefined>;
  /** Marks it as submitted. True for exactly one caller, ever. */
  take(id: string): Promise<boolean>;
}
