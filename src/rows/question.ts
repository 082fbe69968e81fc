/** `question` rows: a question to a model, and its outcome. */
import { z } from "zod";
import type { ModelOutcome } from "../core/model-outcome.ts";
import { decimal, flag, number, span, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line, shown } from "./words.ts";

const asked = z
  .object({
    prompt: text("Name of the prompt."),
    fingerprint: text("Equal fingerprints within five minutes share one answer."),
    part: number("Number of the question inside its decision, from 0.").default(0),
    round: number("Round of questions, from 1.").default(1),
    tier: text("`strong` or `cheap`.").default("strong"),
  })
  .readonly();

const outcome = z
  .object({
    kind: text("answered, unreadable, failed, over-budget or unavailable."),
    reason: text("Why there is no usable answer.").optional(),
    model: text("The model that answered.").optional(),
    cached: flag("Whether the answer came from an earlier, equal question.").optional(),
    promptTokens: number("Tokens read.").optional(),
    cachedTokens: number("Tokens that the provider read from its prefix cache.").optional(),
    completionTokens: number("Tokens written.").optional(),
    latencyMs: span("From question to answer.").optional(),
    costUsd: decimal("What it cost, USD.").optional(),
    savedUsd: decimal("What the answer cache saved, USD.").optional(),
    leftUsd: decimal("What was left of the budget, USD.").optional(),
    promptHash: text("Hash of the prompt's file.").optional(),
    attempt: text("Id of the call, as in `model-reserve` and at the gateway.").nullish(),
    key: text("Hash of everything that questions with a shared answer have in common.").optional(),
    replyText: text("The reply, 8,000 characters at most.").nullish(),
  })
  .readonly();

const cameBack = z
  .object({
    prompt: text("Name of the prompt."),
    fingerprint: text("As when it was asked."),
    purpose: text("`decision`, a further use of it such as `second-opinion`, or which shadow or review asked.").default(
      "decision",
    ),
    outcome: outcome.meta({
      description: "The result; if answered, with model, tokens, cost (USD) and reply.",
      is: "object",
    }),
  })
  .readonly();

export const QUESTION = rowForm(
  "question",
  {
    written: "When a strategy asks a model, and when the question has ended, however it did.",
    readBy: "`ballast explain`, `why`, `reasons`, `budget` and the verifier.",
  },
  z.union([cameBack, asked]),
);

/** A question that has ended. */
export type AnsweredQuestion = z.output<typeof cameBack>;
export type QuestionRow = z.output<typeof QUESTION.body>;
/** The outcome of a question; members that nobody reported are absent. */
export type QuestionOutcome = z.output<typeof outcome>;
export const questionRow = QUESTION.write;

/** Replies are kept up to this length. */
const REPLY_CHARS = 8_000;

/** An outcome as its row stores it. */
export function outcomeOf(outcome: ModelOutcome): QuestionOutcome {
  if (outcome.kind !== "answered") {
    const { kind, reason, costUsd } = outcome;
    return { kind, reason, costUsd, ...(kind === "over-budget" ? { leftUsd: outcome.leftUsd } : {}) };
  }
  const { kind, model, cached, promptTokens, cachedTokens, completionTokens, latencyMs } = outcome;
  const { costUsd, savedUsd, promptHash, attempt, key, replyText } = outcome;
  return {
    ...{ kind, model, cached, promptTokens, cachedTokens, completionTokens, latencyMs: Math.round(latencyMs) },
    ...{ costUsd, savedUsd, promptHash, attempt, key, replyText: replyText.slice(0, REPLY_CHARS) },
  };
}

export const readQuestion = QUESTION.read;

function outcomeText(outcome: QuestionOutcome): string {
  const { kind, model, cached, latencyMs, costUsd, promptTokens, cachedTokens, completionTokens } = outcome;
  if (kind !== "answered") return `${kind}: ${shown(outcome.reason)}, ${shown(costUsd)} USD`;
  const where = cached === true ? "from the cache" : `in ${shown(latencyMs)} ms for ${shown(costUsd)} USD`;
  return `${shown(model)} answered ${where}: ${shown(promptTokens)} tokens read (${shown(cachedTokens)} from the prefix cache), ${shown(completionTokens)} written`;
}

export const questionText = (row: QuestionRow): string =>
  line(
    "outcome" in row
      ? outcomeText(row.outcome)
      : `asks with ${row.prompt}, fingerprint ${row.fingerprint.slice(0, 12)}`,
  );
