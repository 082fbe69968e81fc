/**
 * What a strategy is. It judges a snapshot and answers wishes, or a question for the model and, later, wishes from the
 * reply. It neither sizes nor orders; it cannot reach the venue, the clock, a file or the network.
 */
import type { z } from "zod";
import type { Snapshot } from "../context/snapshot.ts";

/**
 * A target, not an event: "want this much on this symbol and leg". What is held is subtracted, so the same wish ten
 * times is one position. Legs that no wish names stay as they are.
 */
export interface Wish {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** 0 (flat) to 1 (the largest position that settings and limits allow for one symbol). */
  readonly size: number;
  /** Distance of the protective stop from the entry, fraction of price, for example 0.02. */
  readonly stopDistance: number;
  /** Distance of the target from the entry, fraction of price; null for none. */
  readonly targetDistance: number | null;
  /** `take` crosses the spread at once; `rest` waits at the best price as post-only. */
  readonly urgency: "take" | "rest";
  /** For a person to read, at most 300 characters. */
  readonly reason: string;
  /** Keys of news items or names of figures that the wish rests on. */
  readonly evidence: readonly string[];
}

/** A question for the model. `variables` fill the prompt of that name; the reply must pass `replySchema`. */
export interface ModelQuestion {
  readonly prompt: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly replySchema: z.ZodType;
  readonly replySchemaName: string;
  readonly maxOutputTokens: number;
  /** Equal fingerprints within five minutes share one answer. */
  readonly fingerprint: string;
}

export type StrategyAnswer =
  | { readonly kind: "wishes"; readonly wishes: readonly Wish[]; readonly note: string }
  | { readonly kind: "ask"; readonly question: ModelQuestion }
  /** It cannot judge (too little is known); the fallback may. */
  | { readonly kind: "abstain"; readonly note: string };

export interface Strategy<Settings = unknown> {
  readonly name: string;
  /** One or two sentences for `--help` and the docs. */
  readonly description: string;
  /** Strict; every member has a default and a description with its unit. */
  readonly settings: z.ZodType<Settings>;
  /** True when it cannot decide without a model; then a failed model call leads to the fallback strategy. */
  readonly needsModel: boolean;
  decide(snapshot: Snapshot, settings: Settings): StrategyAnswer;
  /** Wishes from a reply that has passed the question's schema. Only for strategies that ask. */
  interpret?(reply: unknown, snapshot: Snapshot, settings: Settings): StrategyAnswer;
}

/** Keeps the settings type while the strategy is written, and forgets it at the door. */
export const defineStrategy = <Settings>(strategy: Strategy<Settings>): Strategy => strategy as unknown as Strategy;
