/**
 * What the rest of the house sees of the model gateway: one question in, one outcome out, and the state of the purse.
 * Knows no HTTP and no prompt text.
 */
import type { z } from "zod";
import type { Decimal } from "../core/decimal.ts";
import type { ModelOutcome } from "../core/model-outcome.ts";
import type { Result } from "../core/result.ts";
import type { RowValue, WrittenRow } from "../rows/row.ts";

/** One question; the gateway renders the prompt, and an answer must pass `replySchema`. */
export interface AskRequest {
  readonly decisionId: string;
  /** Why it is asked: "decision", "review" or a word of the caller's; part of the ledger rows. */
  readonly purpose: string;
  /** Name of a file in `prompts/`. */
  readonly prompt: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly replySchema: z.ZodType;
  readonly replySchemaName: string;
  readonly maxOutputTokens: number;
  /** Equal fingerprints within the cache time share one answer. */
  readonly fingerprint: string;
  /** `strong` (when absent) asks the models as listed; `cheap` begins with the least expensive one. */
  readonly tier?: "strong" | "cheap";
}

/** What was put to the model, as it was rendered, for the record. */
export interface AskedText {
  readonly prompt: string;
  readonly version: string;
  /** SHA-256 of the prompt file. */
  readonly promptHash: string;
  readonly system: string;
  readonly user: string;
  /** The two words that were new in this question. */
  readonly fence: string;
  readonly echo: string;
}

/** What the gateway answers: the outcome, with what was put to the model. */
export type GatewayAnswer = ModelOutcome & {
  /** Null when it came to no rendered question. */
  readonly asked: AskedText | null;
};

/** Asked by the clock, or because something happened: only the latter may use the share kept back. */
export type Urgency = "cadence" | "happening";

/** The purse at this instant. All money in USD. */
export interface BudgetView {
  readonly limitUsd: Decimal;
  /** Settled and reserved in the running budget day. */
  readonly usedUsd: Decimal;
  /** The same in the last 24 hours. */
  readonly rollingUsd: Decimal;
  /** Part of it that is only reserved. */
  readonly openUsd: Decimal;
  /** Part of today's that is booked at bounds, because nothing is known of the calls' outcome. */
  readonly unknownUsd: Decimal;
  /** What the next question may cost at most. */
  readonly leftUsd: Decimal;
  readonly dayStartMs: number;
  readonly dayEndMs: number;
  /** The gateway's own figure when it was last read; null before. */
  readonly reportedUsd: Decimal | null;
  readonly reportedAtMs: number | null;
  /** Where the day ends at today's pace. */
  readonly forecastUsd: Decimal;
  /** True when the forecast stays under `floorUsd`. */
  readonly underFloor: boolean;
  readonly floorUsd: Decimal | null;
  /** What a paid question cost on average in the running day; null before the first. */
  readonly meanCallUsd: Decimal | null;
  /** When the gateway zeroes its own counter next, where it says so; null before it was read. */
  readonly gatewayResetAtMs: number | null;
  /** Questions of this process by what became of them. */
  readonly outcomes: Readonly<Record<ModelOutcome["kind"] | "cached", number>>;
  /** Whether pacing lets a question of this urgency go now. Advice for the cadence; `ask` holds the hard limit alone. */
  readonly mayAsk: Readonly<Record<Urgency, boolean>>;
  readonly models: readonly ModelState[];
}

/** From the address to the answer: what went wrong, and where. */
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

/** What keeps a model from answering; `trouble.ts` makes it. */
export interface ModelTrouble {
  readonly kind: TroubleKind;
  /** Names the cause: "the gateway does not know the model "model-1" (404)". */
  readonly sentence: string;
  /** What a person does about it. */
  readonly next: string;
  /** True where it stays until somebody changes a setting, a key or an account; else it may pass by itself. */
  readonly lasting: boolean;
}

/** How one of the configured models does. */
export interface ModelState {
  readonly name: string;
  readonly state: "ready" | "resting";
  readonly untilMs: number;
  /** Since when and how often in a row it has given no usable answer; null where the last question was answered. */
  readonly failing: { readonly sinceMs: number; readonly inARow: number } | null;
  /** Its last trouble, kept after it was over; null before the first. */
  readonly lastError: (ModelTrouble & { readonly atMs: number }) | null;
}

/**
 * The durable side of the purse; the journal implements it. `append` returns once the row is on the disk and throws
 * when it is not.
 */
export interface SpendLedgerStore {
  append(row: RowValue<"model-reserve" | "model-settle">, decisionId?: string): unknown;
  /** Rows written at or after `sinceMs`, and the newest `atLeast` whatever the clock says, oldest first. */
  rowsSince(sinceMs: number, atLeast: number): readonly WrittenRow[];
}

/** The only way to a model; what goes wrong comes back as an outcome. */
export interface ModelGateway {
  /** Never throws. */
  ask(request: AskRequest): Promise<GatewayAnswer>;
  budget(): BudgetView;
  /** Reads the gateway's own figure and adopts it where it is higher. A failure is logged and changes nothing. */
  reconcile(): Promise<void>;
  /** Whether asking can work at all: prices known, settings in range. For the start; touches no network. */
  check(): Result<void, string>;
  /** Breaks off what is under way. */
  close(): void;
}
