/** All inputs of a verification. A missing input is null, and invariants that need it are reported as not judged. */
import type { Charge, Frame } from "./outside.ts";
import type { VenueFact } from "./venue-facts.ts";
import type { Row } from "./rows.ts";

/** The journal's tail mark, from the file beside it. "missing" and "unreadable" are observations, not defaults. */
export type Tail =
  | { readonly state: "read"; readonly seq: number; readonly hash: string }
  | { readonly state: "missing" | "unreadable" };

/** A text that the run wrote: a log, a page, a tool server's output. `name` is the file's name. */
export interface Sink {
  readonly name: string;
  readonly content: string;
}

/** One run to verify; views of it are computed once and cached by this object. */
export interface History {
  /** By seq, as found. */
  readonly rows: readonly Row[];
  /** Null: there was nothing to check, as for an in-memory journal. */
  readonly tail: Tail | null;
  /** Writes that reached the venue, by arrival. */
  readonly wire: readonly Frame[] | null;
  /** The venue's own facts, in order. */
  readonly venue: readonly VenueFact[] | null;
  /** The actual charges of the model gateway. */
  readonly charges: readonly Charge[] | null;
  readonly sinks: readonly Sink[] | null;
  /** Texts that no sink may contain. */
  readonly secrets: readonly string[] | null;
  /** The rows of a run with the same seed and arbitrary news. */
  readonly twin: readonly Row[] | null;
  /** The rows of a run with the same seed, build and configuration. */
  readonly same: readonly Row[] | null;
  /** SHA-256 of every strategy and prompt file that the owner has approved. */
  readonly hashes: readonly string[] | null;
  /** When Phase II begins, by whoever judges, epoch ms; null: the configuration's own time counts. */
  readonly phaseTwoMs: number | null;
  /** Maximum clock difference of agent and venue, ms. Zero in one process. */
  readonly skewMs: number;
}

/** Inputs that may be missing, in the words of the report; `verify.ts` maps them to options. */
export type Input =
  | "wire log"
  | "venue ledger"
  | "model ledger"
  | "sinks"
  | "secrets"
  | "hashes"
  | "journal of a twin run"
  | "journal of an equal run";

/** One violation. */
export interface Finding {
  /** The row it concerns; null for a violation outside the journal. */
  readonly seq: number | null;
  /** A sentence with the figures. */
  readonly what: string;
}

/** Findings, empty if the invariant held; or why it could not be judged. */
export type Judgement = readonly Finding[] | { readonly notJudged: string };

/** One rule with its check; a file each in `invariants/`, listed in `all-invariants.ts`. */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  /** The rule as this verifier reads it. */
  readonly rule: string;
  /** Without these it is not judged. */
  readonly needs: readonly Input[];
  /** Optional inputs that extend the check. */
  readonly more: readonly Input[];
  /** What this verifier cannot check even with all inputs; empty if nothing. */
  readonly unseen: string;
  judge(history: History): Judgement;
}

/** `seq` is null if no row of the journal is concerned. */
export const finding = (seq: number | null, what: string): Finding => ({ seq, what });
