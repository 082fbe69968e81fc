/** The model gateway as other rooms see it: one question in, one outcome out, and the state of the budget. */
import type { z } from "zod";
import type { Decimal } from "../../core/decimal.ts";
import type { ModelOutcome } from "../../core/model-outcome.ts";
import type { Result } from "../../core/result.ts";
import type { RowValue, WrittenRow } from "../../rows/row.ts";

/** One question; the gateway renders the prompt, and the answer must pass `replySchema`. */
export interface AskRequest {
  readonly decisionId: string;
  /** The purpose: "decision", "review" or a word of the caller; part of the ledger rows. */
  readonly purpose: string;
  /** Name of a file in `prompts/`. */
  readonly prompt: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly replySchema: z.ZodType;
  readonly replySchemaName: string;
  readonly maxOutputTokens: number;
  /** Equal fingerprints within the cache time share one answer. */
  readonly fingerprint: string;
  /** `strong` (default) asks the models in order; `cheap` starts with the least expensive one. */
  readonly tier?: "strong" | "cheap";
}

/** The rendered question, for the record. */
export interface QuestionText {
  readonly prompt: string;
  readonly version: string;
  /** SHA-256 of the prompt file. */
  readonly promptHash: string;
  readonly system: string;
  readonly user: string;
  /** The two words that are new in each question. */
  readonly fence: string;
  readonly echo: string;
}

/** The gateway's answer: the outcome, and what was sent to the model. */
export type GatewayAnswer = ModelOutcome & {
  /** Null if no question was rendered. */
  readonly asked: QuestionText | null;
};

/** Asked by the clock, or because of an event: only the latter may use the reserved share. */
export type Urgency = "cadence" | "event";

/** The budget at this instant. All money in USD. */
export interface BudgetView {
  readonly limitUsd: Decimal;
  /** Settled and reserved in the running budget day. */
  readonly usedUsd: Decimal;
  /** The same in the last 24 hours. */
  readonly rollingUsd: Decimal;
  /** The part that is only reserved. */
  readonly openUsd: Decimal;
  /** The part of today that is booked at bounds, because the calls' outcome is unknown. */
  readonly unknownUsd: Decimal;
  /** Upper bound for the next question. */
  readonly leftUsd: Decimal;
  readonly dayStartMs: number;
  readonly dayEndMs: number;
  /** The gateway's own figure as last read; null before. */
  readonly reportedUsd: Decimal | null;
  readonly reportedAtMs: number | null;
  /** The day's total at today's pace. */
  readonly forecastUsd: Decimal;
  /** True if the forecast is below `floorUsd`. */
  readonly underFloor: boolean;
  readonly floorUsd: Decimal | null;
  readonly targetUsd: Decimal | null;
  /** Average cost of a paid question in the running day; null before the first. */
  readonly meanCallUsd: Decimal | null;
  /** When the gateway next resets its counter; null if unknown. */
  readonly gatewayResetAtMs: number | null;
  /** This process's questions by outcome. */
  readonly outcomes: Readonly<Record<ModelOutcome["kind"] | "cached", number>>;
  /**
   * Whether pacing allows a question of this urgency now. Advice for the cadence; `ask` enforces only the hard limit.
   */
  readonly mayAsk: Readonly<Record<Urgency, boolean>>;
  /**
   * How far one more question would run ahead of the straight line to the day's target, milliseconds; negative behind it, null
   * if no money is planned for one. What a caller may ask beyond the plain decisions depends on it.
   */
  readonly aheadOfTargetMs: number | null;
  readonly models: readonly ModelState[];
}

/** Kinds of failure, from the address to the answer. */
export type TroubleKind =
  | "unreachable"
  | "redirect"
  | "path"
  | "key"
  | "quota"
  | "rate-limit"
  | "model"
  | "format"
  | "request"
  | "server"
  | "timeout"
  | "broken"
  | "no-completion"
  | "empty"
  | "cut"
  | "declined"
  | "schema";

/** Why a model does not answer; created by `trouble.ts`. */
export interface ModelTrouble {
  readonly kind: TroubleKind;
  /** Names the cause: "the gateway does not know the model "model-1" (404)". */
  readonly sentence: string;
  /** What a person should do about it. */
  readonly next: string;
  /** True if it stays until somebody changes a setting, a key or an account; otherwise it may pass by itself. */
  readonly lasting: boolean;
}

/** The state of one configured model. */
export interface ModelState {
  readonly name: string;
  readonly state: "ready" | "resting";
  readonly untilMs: number;
  /** Since when and how often in a row it has failed; null if the last question was answered. */
  readonly failing: { readonly sinceMs: number; readonly inARow: number } | null;
  /** When it last answered; null before its first answer to this process. */
  readonly answeredAtMs: number | null;
  /** Its last trouble, kept after it ended; null before the first. */
  readonly lastError: (ModelTrouble & { readonly atMs: number }) | null;
}

/**
 * The durable side of the budget; the journal implements it. `append` returns once the row is on disk, and throws
 * otherwise.
 */
export interface SpendLedgerStore {
  append(row: RowValue<"model-reserve" | "model-settle">, decisionId?: string): unknown;
  /** Rows written at or after `sinceMs`, and at least the newest `atLeast` regardless of the clock, oldest first. */
  rowsSince(sinceMs: number, atLeast: number): readonly WrittenRow[];
}

/** The only path to a model; failures are outcomes. */
export interface ModelGateway {
  /** Never throws. */
  ask(request: AskRequest): Promise<GatewayAnswer>;
  budget(): BudgetView;
  /** Reads the gateway's own figure and adopts it if it is higher. A failure is logged and changes nothing. */
  reconcile(): Promise<void>;
  /** Whether asking can work at all: prices known, settings in range. For the start; uses no network. */
  check(): Result<void, string>;
  /** Aborts running questions. */
  close(): void;
}
