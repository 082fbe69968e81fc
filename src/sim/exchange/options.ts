/** What a venue is made of. */
import type { Entropy } from "../../core/entropy.ts";
import type { Phase } from "../../domain/competition.ts";
import type { SymbolSpec } from "./market-api.ts";
import type { Saved } from "./saved.ts";
import type { ExchangeSettings } from "./settings.ts";

/** Given to `createExchange`; the phase and some settings can be changed later by the operator's commands. */
export interface ExchangeOptions {
  /** The exchange of the first symbol is the first exchange: Phase I is open there, and initial money arrives there. */
  readonly symbols: readonly SymbolSpec[];
  readonly phase: Phase;
  /** Laid over the defaults of `settings.ts`. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Draws the spread of the asynchronous delays; without it they are exact. */
  readonly entropy?: Entropy;
  readonly startMs: number;
  /** Accounts of a venue before this one, to go on with. */
  readonly saved?: Saved;
  /** Is handed what has changed before anybody is reported it, so that what was acknowledged outlives the process. */
  readonly keep?: (saved: Saved) => void;
}
