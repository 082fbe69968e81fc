/** Questions to models from the journal: their sums by any name, and the models that answered for each decision. */
import { type Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { readDecision } from "../../rows/decision.ts";
import { type AnsweredQuestion, readQuestion } from "../../rows/question.ts";
import type { JournalRow } from "../../rows/row.ts";
import type { PricedModel } from "./config.ts";
import type { JournalReader } from "../../journal/reader.ts";

/** `savedUsd` was saved by the answer cache, `prefixSavedUsd` by the provider's prefix cache at the configured prices. */
export interface PricedQuestion {
  readonly atMs: number;
  readonly decisionId: string;
  /** The strategy that asked, or another purpose: a shadow, a review. */
  readonly strategy: string;
  readonly prompt: string;
  /** `decision`, a use of the spend plan, `review`, or which shadow asked. */
  readonly purpose: string;
  /** answered, unreadable, failed, over-budget, unavailable, paced. */
  readonly kind: string;
  readonly model: string | null;
  readonly cached: boolean;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly costUsd: Decimal;
  readonly savedUsd: Decimal;
  readonly prefixSavedUsd: Decimal;
}

/** Every question that has ended, oldest first. */
export function pricedQuestions(
  rows: readonly JournalRow[],
  models: readonly PricedModel[],
): readonly PricedQuestion[] {
  const strategies = new Map<string, string>();
  for (const row of rows) {
    const begun = row.kind === "decision" ? readDecision(row) : null;
    if (row.decisionId !== null && begun !== null && "trigger" in begun) strategies.set(row.decisionId, begun.strategy);
  }
  return rows.flatMap((row) => {
    const question = row.kind === "question" ? readQuestion(row) : null;
    return question && "outcome" in question ? [pricedQuestion(row, question, { strategies, models })] : [];
  });
}

interface Known {
  readonly strategies: ReadonlyMap<string, string>;
  readonly models: readonly PricedModel[];
}

function pricedQuestion(
  { atMs, decisionId }: JournalRow,
  { purpose, prompt, outcome }: AnsweredQuestion,
  { strategies, models }: Known,
): PricedQuestion {
  const { kind, model = null, cached = false, cachedTokens = 0 } = outcome;
  const price = models.find(({ name }) => name === model);
  const prefixSaved = price && !cached ? price.input.sub(price.cached).mul(cachedTokens).div(1_000_000) : ZERO;
  return {
    atMs,
    decisionId: decisionId ?? "",
    strategy: purpose === "decision" ? (strategies.get(decisionId ?? "") ?? purpose) : purpose,
    prompt,
    purpose,
    kind,
    model,
    cached,
    promptTokens: outcome.promptTokens ?? 0,
    cachedTokens,
    completionTokens: outcome.completionTokens ?? 0,
    costUsd: outcome.costUsd ?? ZERO,
    savedUsd: outcome.savedUsd ?? ZERO,
    prefixSavedUsd: prefixSaved,
  };
}

/** Sums over the questions of one name; `decisions` counts each id once. */
export interface QuestionTally {
  readonly name: string;
  readonly decisions: number;
  /** Questions that actually went to a model. */
  readonly calls: number;
  /** Answers taken from the cache. */
  readonly cached: number;
  /** Questions without a usable answer. */
  readonly failed: number;
  /** Tokens of the calls; cached answers cost none. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly costUsd: Decimal;
  readonly savedUsd: Decimal;
}

const NOT_ASKED = new Set(["over-budget", "unavailable", "paced"]);

/** Sums by a name, the most expensive first. */
export function tallies(
  questions: readonly PricedQuestion[],
  nameOf: (question: PricedQuestion) => string,
): readonly QuestionTally[] {
  const groups = new Map<string, PricedQuestion[]>();
  for (const question of questions) {
    const group = groups.get(nameOf(question));
    if (group) group.push(question);
    else groups.set(nameOf(question), [question]);
  }
  return [...groups].map(([name, group]) => tally(name, group)).sort((a, b) => b.costUsd.cmp(a.costUsd));
}

function tally(name: string, group: readonly PricedQuestion[]): QuestionTally {
  const paid = group.filter((question) => !question.cached && !NOT_ASKED.has(question.kind));
  const sum = (of: (question: PricedQuestion) => number): number =>
    paid.reduce((total, question) => total + of(question), 0);
  return {
    name,
    decisions: new Set(group.map((question) => question.decisionId)).size,
    calls: paid.length,
    cached: group.filter((question) => question.cached).length,
    failed: group.filter((question) => question.kind !== "answered").length,
    promptTokens: sum((question) => question.promptTokens),
    cachedTokens: sum((question) => question.cachedTokens),
    completionTokens: sum((question) => question.completionTokens),
    costUsd: sumDecimals(group.map((question) => question.costUsd)),
    savedUsd: sumDecimals(group.map((question) => question.savedUsd)),
  };
}

/** The three outcomes of a decision: targets, no change, or no decision by the chosen strategy. */
export interface Outcomes {
  readonly decided: number;
  readonly held: number;
  /** The fallback decided instead; never counted under the other two. */
  readonly failed: number;
}

/** From the decision rows; those without an id are left out. */
export function outcomesOf(rows: readonly JournalRow[]): Outcomes {
  const decisions = rows.flatMap((row) =>
    row.kind === "decision" && row.decisionId !== null ? [{ id: row.decisionId, row: readDecision(row) }] : [],
  );
  const failed = new Set(decisions.flatMap(({ id, row }) => ("failed" in row ? [id] : [])));
  const own = decisions.flatMap(({ id, row }) => ("by" in row && !failed.has(id) ? [row] : []));
  const decided = own.filter(({ wishes: targets }) => targets.length > 0).length;
  return { decided, held: own.length - decided, failed: failed.size };
}

/**
 * By decision id, several names separated by commas; a decision without an answer is absent. Answers to shadows and reviews
 * are not counted.
 */
export type ModelsByDecision = ReadonlyMap<string, string>;

/** Of the decision that opened a trade; null if no model answered it, or the decision is not known. */
export const modelIn =
  (models: ModelsByDecision) =>
  ({ decisionId }: { readonly decisionId: string | null }): string | null =>
    decisionId === null ? null : (models.get(decisionId) ?? null);

export function modelsByDecision(reader: Pick<JournalReader, "rows">): ModelsByDecision {
  const named = new Map<string, string>();
  for (const row of reader.rows({ kinds: ["question"] })) {
    const question = readQuestion(row);
    if (row.decisionId === null || !("outcome" in question) || question.purpose !== "decision") continue;
    const { model } = question.outcome;
    const before = named.get(row.decisionId)?.split(", ") ?? [];
    if (model !== undefined && !before.includes(model)) named.set(row.decisionId, [...before, model].sort().join(", "));
  }
  return named;
}
