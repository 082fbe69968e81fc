/** One log line for the outcome of a question. */
import { toWire } from "../../core/decimal.ts";
import type { Log } from "../../core/log.ts";
import type { ModelOutcome } from "../../core/model-outcome.ts";
import type { AskRequest } from "../contract/port.ts";
import { shownUsd } from "../budget/entries.ts";

/** The outcome of a question, and the preferred model. */
export interface QuestionEnd {
  readonly outcome: ModelOutcome;
  /** The preferred model; an answer by another one is marked as degraded. */
  readonly preferred: string | undefined;
}

/** An answer is logged as info, everything else as a warning. */
export function logOutcome(log: Log, request: AskRequest, { outcome, preferred }: QuestionEnd): void {
  const base = { decision: request.decisionId, purpose: request.purpose, prompt: request.prompt };
  if (outcome.kind === "answered") {
    const { model, latencyMs, promptTokens, completionTokens, cachedTokens, attempt } = outcome;
    const fields = { ...base, model, latencyMs, promptTokens, completionTokens, cachedTokens, attempt };
    const evt = outcome.cached ? "model.cached" : "model.answered";
    const tokens = `${promptTokens} tokens in (${cachedTokens} cached), ${completionTokens} out`;
    const what = outcome.cached
      ? `The answer of ${model} came from the cache: ${shownUsd(outcome.costUsd)} USD.`
      : `${model} answered in ${(latencyMs / 1_000).toFixed(1)} s: ${tokens}, ${shownUsd(outcome.costUsd)} USD.`;
    const costUsd = toWire(outcome.costUsd);
    return log.event("info", evt, what, { ...fields, costUsd, degraded: model !== preferred });
  }
  if (outcome.kind === "over-budget") {
    const fields = { ...base, reason: outcome.reason, leftUsd: toWire(outcome.leftUsd) };
    return log.event(
      "warn",
      "budget.refused",
      `A question did not fit the budget, ${shownUsd(outcome.leftUsd)} USD is left: ${outcome.reason}`,
      fields,
    );
  }
  const costUsd = toWire(outcome.costUsd);
  const fields = { ...base, kind: outcome.kind, reason: outcome.reason, costUsd };
  log.event(
    "warn",
    "model.failed",
    `No usable answer (${outcome.kind}): ${outcome.reason}; ${costUsd} USD booked`,
    fields,
  );
}
