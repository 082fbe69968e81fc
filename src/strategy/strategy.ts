/**
 * What a strategy is. It judges a snapshot and answers targets, or questions for the model and, later, targets (or further
 * questions) from the replies. It orders nothing; it cannot reach the venue, the clock, a file or the network.
 */
import type { z } from "zod";
import type { Snapshot } from "../context/snapshot.ts";
import type { ModelAnswer, ModelFailure } from "../core/model-outcome.ts";

/**
 * A target, not an event: "want this much on this symbol and position". What is held is subtracted, so the same target ten
 * times is one position. Positions that no target names stay as they are.
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
  /** How the stop follows the price; left out, the configuration says it (`protection`). Distances are fractions of price. */
  readonly trail?: {
    /** So far in favour, the stop goes to the entry plus the fees of both sides; 0 for never. */
    readonly breakEvenAfter: number;
    /** So far in favour, the stop begins to follow, `distance` behind the best price; 0 distance for never. */
    readonly activation: number;
    readonly distance: number;
  };
  /** `take` crosses the spread at once; `rest` waits at the best price as post-only. */
  readonly urgency: "take" | "rest";
  /** For a person to read, at most 300 characters. */
  readonly reason: string;
  /** Keys of news items or names of figures that the target rests on. */
  readonly evidence: readonly string[];
}

/** `strong` is the configured order of preference; `cheap` begins with the least expensive of the configured models. */
export type ModelTier = "strong" | "cheap";

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
}

/** Checked whole by `guarded.ts` before any of it is used. `note` is for a person to read. */
export type StrategyAnswer =
  | { readonly kind: "targets"; readonly targets: readonly TargetPosition[]; readonly note: string }
  /** All of them are asked side by side, each inside the budget; `carry` comes back with the replies, untouched. */
  | { readonly kind: "ask"; readonly questions: readonly ModelQuestion[]; readonly carry?: unknown }
  /** It cannot judge (too little is known); the fallback may. */
  | { readonly kind: "abstain"; readonly note: string };

/** What a strategy sees of an outcome. The value has passed the question's schema. */
export type Reply =
  Pick<ModelAnswer, "kind" | "value" | "model"> | ({ readonly kind: "failed" } & Pick<ModelFailure, "reason">);

/** One round of questions, answered. A round in which every question failed never reaches a strategy. */
export interface Replies {
  /** 1 for the questions of `decide`, one more for each round after it. */
  readonly round: number;
  /** In the order of the questions. */
  readonly replies: readonly Reply[];
  /** What the strategy gave along with the questions. */
  readonly carry: unknown;
}

/** Called through `guarded.ts` only, synchronously and for so long, with settings that its schema has passed. */
export interface Strategy<Settings = unknown> {
  readonly name: string;
  /** One or two sentences for `--help` and the docs. */
  readonly description: string;
  /** Strict; every member has a default and a description with its unit. */
  readonly settings: z.ZodType<Settings>;
  /** True when it cannot decide without a model; then a failed model call leads to the fallback strategy. */
  readonly needsModel: boolean;
  decide(snapshot: Snapshot, settings: Settings): StrategyAnswer;
  /**
   * Targets from the replies, or another round of questions (three rounds at most). Only for strategies that ask. The
   * snapshot is the present one: prices have moved since the question.
   */
  interpret?(replies: Replies, snapshot: Snapshot, settings: Settings): StrategyAnswer;
}

/**
 * A strategy made of others. `members` names them with what the configuration says of each; the registry loads them and
 * `compose` makes the strategy.
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
  /**
   * Real time that an answer may take; `DECIDE_MS_MAX` when absent, and for a member at most its share of what is left.
   * Infinity on virtual time, where no real clock counts.
   */
  readonly msMax?: number;
}

/** Keeps the settings type while the strategy is written, and forgets it at the door. */
export const defineStrategy = <Settings>(strategy: Strategy<Settings>): Strategy => strategy as unknown as Strategy;

/** The same for a strategy of strategies. */
export const defineComposite = <Settings>(composite: Composite<Settings>): Composite =>
  composite as unknown as Composite;
