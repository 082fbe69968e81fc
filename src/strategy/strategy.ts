/**
 * The interface of a strategy. It judges a snapshot and answers with targets, or with questions for the model and
 * later with targets (or further questions) from the replies. It places no orders and cannot reach the venue, the
 * clock, a file or the network.
 */
import type { z } from "zod";
import type { Snapshot } from "../context/snapshot.ts";
import type { ModelAnswer, ModelFailure } from "../core/model-outcome.ts";

/**
 * A target, not an event: "hold this much of this symbol and side". The current position is subtracted, so the same
 * target ten times is one position. Positions that no target names stay as they are.
 */
export interface TargetPosition {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** 0 (flat) to 1 (the whole share of equity that one symbol may take); the limits may leave less of it. */
  readonly size: number;
  /** Distance of the protective stop from the entry, fraction of price, for example 0.02. */
  readonly stopDistance: number;
  /** Distance of the target from the entry, fraction of price; null for none. */
  readonly targetDistance: number | null;
  /**
   * How the stop follows the price; absent, the configuration decides (`protection`). Distances are fractions of
   * price.
   */
  readonly trail?: {
    /** Gain at which the stop moves to the entry plus the fees of both sides; 0 for never. */
    readonly breakEvenAfter: number;
    /** Gain from which the stop follows the best price at `distance`; 0 distance for never. */
    readonly activation: number;
    readonly distance: number;
  };
  /** `take` crosses the spread at once; `rest` waits at the best price as post-only. */
  readonly urgency: "take" | "rest";
  /** For people, at most 300 characters. */
  readonly reason: string;
  /** Keys of news items or names of figures that support the target. */
  readonly evidence: readonly string[];
}

/** `strong` is the configured order of preference; `cheap` starts with the least expensive model. */
export type ModelTier = "strong" | "cheap";

/** Uses of the budget between ordinary decisions and `model.targetUsd`, in order of spending; `daemon/model-port.ts` applies the order. */
export const EXTRA_USES = [
  "second-opinion",
  "deep-answer",
  "debate",
  "post-mortem",
  "symbol-analyst",
  "shadow-prompt",
] as const;
export type ExtraUse = (typeof EXTRA_USES)[number];

/** A question for the model. `variables` fill the prompt of that name; the reply must pass `replySchema`. */
export interface ModelQuestion {
  readonly prompt: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly replySchema: z.ZodType;
  readonly replySchemaName: string;
  readonly maxOutputTokens: number;
  /** Equal fingerprints within five minutes share one answer; samples of one question must differ in theirs. */
  readonly fingerprint: string;
  /** `strong` when absent. */
  readonly tier?: ModelTier;
  /**
   * The purpose of a question beyond the ordinary decision. It is asked only while the day's spend plan has money for it
   * (`model.targetUsd`); `interpret` also receives a round in which every such question was refused.
   */
  readonly use?: ExtraUse;
}

/** Answers of one use that entered a decision, and the targets that the decision would have had without them. */
export interface Bought {
  readonly use: ExtraUse;
  readonly changed: boolean;
  readonly without: readonly Pick<TargetPosition, "symbol" | "leg" | "size">[];
}

/** A name that a model cited as evidence for a symbol although its question did not show it. */
export interface Miscited {
  readonly symbol: string;
  readonly name: string;
}

/** `guarded.ts` validates the whole answer before any of it is used. `note` is for people. */
export type StrategyAnswer =
  | {
      readonly kind: "targets";
      readonly targets: readonly TargetPosition[];
      readonly note: string;
      /** What each use of the spend plan did to the targets; for the journal. */
      readonly bought?: readonly Bought[];
      /** Evidence that was dropped because it was not shown; for the journal. */
      readonly miscited?: readonly Miscited[];
    }
  /** All questions are asked side by side within the budget; `carry` comes back unchanged with the replies. */
  | { readonly kind: "ask"; readonly questions: readonly ModelQuestion[]; readonly carry?: unknown }
  /** It cannot judge, because too little is known; the fallback may. */
  | { readonly kind: "abstain"; readonly note: string };

/** An outcome as a strategy sees it. The value has passed the question's schema. */
export type Reply =
  | Pick<ModelAnswer, "kind" | "value" | "model">
  | ({ readonly kind: "failed" } & Pick<ModelFailure, "reason">);

/** One answered round of questions. A strategy never sees a round in which every question failed. */
export interface Replies {
  /** 1 for the questions of `decide`, plus one for each later round. */
  readonly round: number;
  /** In the order of the questions. */
  readonly replies: readonly Reply[];
  /** The value that the strategy passed along with the questions. */
  readonly carry: unknown;
}

/** Called only through `guarded.ts`, synchronously and with a time limit, with settings that passed its schema. */
export interface Strategy<Settings = unknown> {
  readonly name: string;
  /** One or two sentences for `--help` and the docs. */
  readonly description: string;
  /** Strict; every member has a default and a description with its unit. */
  readonly settings: z.ZodType<Settings>;
  /** True if it cannot decide without a model; a failed model call then leads to the fallback strategy. */
  readonly needsModel: boolean;
  decide(snapshot: Snapshot, settings: Settings): StrategyAnswer;
  /**
   * Targets from the replies, or another round of questions (three rounds at most). Only for strategies that ask. The
   * snapshot is the current one: prices have moved since the question.
   */
  interpret?(replies: Replies, snapshot: Snapshot, settings: Settings): StrategyAnswer;
}

/**
 * A strategy composed of others. `members` names them with their configuration; the registry loads them and `compose`
 * builds the strategy.
 */
export interface Composite<Settings = unknown> {
  readonly name: string;
  readonly description: string;
  readonly settings: z.ZodType<Settings>;
  members(settings: Settings): Readonly<Record<string, unknown>>;
  compose(members: readonly ArmedStrategy[]): Strategy<Settings>;
}

/** A strategy with its validated settings. */
export interface ArmedStrategy {
  readonly strategy: Strategy;
  readonly settings: unknown;
  /** Tells the owner's code from what it was before an edit, members included; absent for the program's own. */
  readonly code?: string;
  /**
   * Real time limit of an answer; `DECIDE_MS_MAX` by default, and for a member at most its share of the remainder.
   * Infinity on virtual time, where no real clock counts.
   */
  readonly msMax?: number;
}

/** Checks the settings type where the strategy is written, and erases it for the loader. */
export const defineStrategy = <Settings>(strategy: Strategy<Settings>): Strategy => strategy as unknown as Strategy;

/** The same for a composite strategy. */
export const defineComposite = <Settings>(composite: Composite<Settings>): Composite =>
  composite as unknown as Composite;
