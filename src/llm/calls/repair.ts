/** One more request after an answer that cannot be read: the model is shown the answer and what is wrong with it. */
import type { Decimal } from "../../core/decimal.ts";
import { ok, type Result } from "../../core/result.ts";
import {
  type CallDeps,
  type CallRequest,
  type ChatExchange,
  exchange,
  mostUsd,
  promptTokens,
  type Text,
} from "./exchange.ts";
import { newWords, type Question, withSchema } from "./question.ts";

/** Length of the broken answer that a repair request quotes. */
const REPAIR_CHARS_MAX = 12_000;
/** The same for what is wrong with it. */
export const PROBLEM_CHARS_MAX = 400;

interface Broken {
  readonly answer: string;
  readonly problem: string;
  readonly requestId: string;
  /** Remainder of the reservation; the repair may not exceed it. */
  readonly leftUsd: Decimal;
}

/** Null if nothing can be repaired, or if money or time is used up. */
export async function repair(
  deps: CallDeps,
  call: CallRequest,
  broken: Broken,
): Promise<{ readonly exchange: ChatExchange; readonly question: Text } | null> {
  if (broken.answer.trim() === "" || call.leftMs() <= 0) return null;
  const text = renderRepair(deps, call.question, broken);
  if (!text.ok) return null;
  const worst = mostUsd(deps, call, await promptTokens(text.value));
  if (worst.gt(broken.leftUsd)) return null;
  return {
    exchange: await exchange(deps, call, { text: text.value, requestId: broken.requestId }),
    question: text.value,
  };
}

/** The text of a repair request; an error if the prompt cannot be rendered. */
export function renderRepair(
  deps: CallDeps,
  question: Question,
  broken: Pick<Broken, "answer" | "problem">,
): Result<Text, string> {
  // The echo word stays; the fence is new, because the old one may appear in the answer.
  const words = { echo: question.words.echo, fence: newWords(deps.env.entropy).fence };
  const rendered = deps.prompts.render(
    "repair",
    { answer: broken.answer.slice(0, REPAIR_CHARS_MAX), problem: broken.problem.slice(0, PROBLEM_CHARS_MAX) },
    words,
  );
  if (!rendered.ok) return rendered;
  const system = withSchema(rendered.value.system, question.schema);
  return ok({ system, user: rendered.value.user, schema: question.schema, words });
}
