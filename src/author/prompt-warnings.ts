/** What a prompt lacks although it renders: the fence around text of strangers, the echo word, and room in the day's budget. */
import { readFileSync } from "node:fs";
import type { PromptFacts } from "./prompt-check.ts";

const FENCE = String.raw`\{\{-?\s*gateway\.fence\s*-?\}\}`;
const FENCED = new RegExp(`<<<${FENCE}[\\s\\S]*?${FENCE}>>>`, "g");
/** The variables that `promptTables` and the shipped strategies fill with text of strangers. */
const STRANGE = /(?:\{\{-?|\bin)\s*(news|facts|views)\b/;
const ECHO = /\{\{-?\s*gateway\.echo\b/;

/** `file` is the prompt's own. */
export function promptWarnings(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  // Only the line breaks are kept, so that the lines have their numbers.
  const open = text.replace(FENCED, (fenced) => fenced.replace(/[^\n]/g, "")).split("\n");
  const unfenced = open.flatMap((line, at) => {
    const [, variable] = STRANGE.exec(line) ?? [];
    if (variable === undefined) return [];
    return [
      `${file}:${at + 1}: ${variable} stands outside a fence, so the model may obey what a stranger wrote; write the line <<<{{ gateway.fence }} before it and the line {{ gateway.fence }}>>> after it`,
    ];
  });
  if (ECHO.test(text)) return unfenced;
  return [
    ...unfenced,
    `${file}: the line Echo: {{ gateway.echo }} is missing, so no answer can prove that it belongs to the question; write it below === user ===, and give the reply schema a member echo`,
  ];
}

/** Only for the model that is asked first. */
export function costWarnings({
  costs: [first],
  dayLimitUsd,
}: Pick<PromptFacts, "costs" | "dayLimitUsd">): readonly string[] {
  if (first === undefined || Number(first.dayUsd) <= Number(dayLimitUsd)) return [];
  return [
    `${first.model} may cost ${first.dayUsd} USD a day at this cadence, above model.dayLimitUsd (${dayLimitUsd}): the budget will refuse part of its questions; ask less often (cadence.every), or shorten the prompt or the answer (maxOutputTokens)`,
  ];
}
