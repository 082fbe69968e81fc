/**
 * The outcome of one question to a model: the gateway creates it, the agent acts on it, the journal stores it, and a strategy
 * sees its `Reply`. A failure never counts as a hold: only "answered" carries a value.
 */
import { type Decimal, ZERO } from "./decimal.ts";

/** The value has passed the question's reply schema. Money in USD, tokens summed over a repair. */
export interface ModelAnswer {
  readonly kind: "answered";
  readonly value: unknown;
  readonly model: string;
  /** True when nothing was asked: an equal question was answered shortly before, or is being answered. */
  readonly cached: boolean;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** Booked for this answer; zero when cached. */
  readonly costUsd: Decimal;
  /** The cost of the original answer if cached; otherwise zero. */
  readonly savedUsd: Decimal;
  readonly latencyMs: number;
  readonly replyText: string;
  /** SHA-256 of the prompt file. */
  readonly promptHash: string;
  /** Id of the reservation in the ledger that paid for it. */
  readonly attempt: string;
  /** Hash of everything that a shared answer must have in common, the model's name aside. */
  readonly key: string;
}

interface NoAnswer {
  readonly reason: string;
  /** The bound of the call if it may have been charged. */
  readonly costUsd: Decimal;
}

/**
 * There is no usable answer. "over-budget": the budget is too small for the next model to be asked. "unreadable": the schema refuses the
 * reply, even after one repair. "failed": not sent, refused, interrupted or too late. "unavailable": not tried, because of
 * pacing, paused models, too many pending questions, or a disk that cannot record the reservation.
 */
export type ModelFailure =
  | (NoAnswer & { readonly kind: "over-budget"; readonly leftUsd: Decimal })
  | (NoAnswer & { readonly kind: "unreadable"; readonly replyText: string })
  | (NoAnswer & { readonly kind: "failed" | "unavailable" });

export type ModelOutcome = ModelAnswer | ModelFailure;

/** Nothing was sent and nothing is paid. */
export const notAsked = (reason: string): ModelFailure => ({ kind: "unavailable", reason, costUsd: ZERO });

/** The budget is too small to ask; `costUsd` is what models that failed before have cost. */
export const notAfforded = (reason: string, leftUsd: Decimal, costUsd = ZERO): ModelFailure => ({
  kind: "over-budget",
  reason,
  leftUsd,
  costUsd,
});
