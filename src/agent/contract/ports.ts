/** What the agent's loop needs from the outside, in its own words. `main/` plugs in what fits. */
import type { ModelOutcome } from "../../core/model-outcome.ts";
import type { SessionView } from "../../risk/view.ts";
import type { RowValue } from "../../rows/row.ts";
import type { ModelQuestion } from "../../strategy/strategy.ts";
import type { Renewed } from "./events.ts";

/** The model gateway. Budget, cache and time-outs are its own; a failure is an answer with a reason. */
export interface ModelPort {
  /**
   * Never throws: every failure is a result. `purpose` is for the ledger: `decision`, a further use of it, or which
   * shadow asks.
   */
  ask(decisionId: string, question: ModelQuestion, urgent: boolean, purpose: string): Promise<ModelOutcome>;
}

/** A row that could not be written, with the reason. The request that it announces must not be sent. */
export interface RowLost {
  readonly lost: string;
}

/** Asked for every row of a step, before anything that follows the row is carried out. */
export interface JournalPort {
  /** Durable when it returns nothing. Throws only where the process must not go on. */
  append(row: RowValue, decisionId: string | null): RowLost | undefined;
}

/** The operator's consent, kept alive as an automation session. */
export interface ConsentPort {
  /** The running session, a new one if it has ended and the consent allows one, or the reason why there is none. */
  renew(): Promise<Renewed>;
  /** The present figures of the running session; null when there is none. */
  view(): Promise<SessionView | null>;
}
