/** Everything that a verification is given. What was not given is null, and what needs it is reported as not judged. */
import type { Charge, Frame, VenueFact } from "./outside.ts";
import type { Row } from "./rows.ts";

/** The witness of the journal's end, from the file beside it. "missing" and "unreadable" are found, not assumed. */
export type Tail =
  | { readonly state: "read"; readonly seq: number; readonly hash: string }
  | { readonly state: "missing" | "unreadable" };

/** A text that the run put out: a log, a page, a tool server's output. `name` is its file's. */
export interface Sink {
  readonly name: string;
  readonly content: string;
}

/** One run as it is judged; views of it are made once and kept under this very object. */
export interface History {
  /** By seq, as found. */
  readonly rows: readonly Row[];
  /** Null: there was no place to look, as with a journal made in memory. */
  readonly tail: Tail | null;
  /** Writes that reached the venue, by arrival. */
  readonly wire: readonly Frame[] | null;
  /** The venue's own facts, in order. */
  readonly venue: readonly VenueFact[] | null;
  /** What the model gateway truly charged. */
  readonly charges: readonly Charge[] | null;
  readonly sinks: readonly Sink[] | null;
  /** Texts that must stand in no sink. */
  readonly secrets: readonly string[] | null;
  /** The rows of a run of the same seed whose news was replaced by arbitrary text. */
  readonly twin: readonly Row[] | null;
  /** The rows of a run of the same seed, build and configuration. */
  readonly same: readonly Row[] | null;
  /** SHA-256 of every strategy and prompt file that the owner has approved. */
  readonly hashes: readonly string[] | null;
  /** How far the clocks of agent and venue may be apart, ms. Zero in one process. */
  readonly skewMs: number;
}

/** What may be missing, in the words of a report; `verify.ts` knows the option for each. */
export type Input =
  | "wire log"
  | "venue ledger"
  | "model ledger"
  | "sinks"
  | "secrets"
  | "hashes"
  | "journal of a twin run"
  | "journal of an equal run";

/** One thing that is wrong. */
export interface Finding {
  /** The row it is about; null where it is about something outside. */
  readonly seq: number | null;
  /** A sentence with the figures. */
  readonly what: string;
}

/** Findings, none when it held; or why it could not be judged. */
export type Judgement = readonly Finding[] | { readonly notJudged: string };

/** One rule with its judge; a file each in `invariants/`, listed in `all-invariants.ts`. */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  /** The rule as this verifier reads it. */
  readonly rule: string;
  /** Without these it is not judged. */
  readonly needs: readonly Input[];
  /** These widen what is judged. */
  readonly more: readonly Input[];
  /** What this verifier cannot see of it even with all inputs; empty when nothing. */
  readonly unseen: string;
  judge(history: History): Judgement;
}

/** `seq` is null for what no row of the journal is about. */
export const finding = (seq: number | null, what: string): Finding => ({ seq, what });
