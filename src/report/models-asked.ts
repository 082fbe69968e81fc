/** Which model answered the questions of each decision. Answers to shadows and reviews are not among them. */
import type { JournalReader } from "../journal/reader.ts";
import { readQuestion } from "../rows/question.ts";

/** By decision id, several names separated by commas; a decision without an answer is absent. */
export type ModelsAsked = ReadonlyMap<string, string>;

/** Of the decision that opened a trade; null if no model answered it, or the decision is not known. */
export const modelIn =
  (models: ModelsAsked) =>
  ({ decisionId }: { readonly decisionId: string | null }): string | null =>
    decisionId === null ? null : (models.get(decisionId) ?? null);

export function modelsAsked(reader: Pick<JournalReader, "rows">): ModelsAsked {
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
