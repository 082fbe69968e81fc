/**
 * Repeats a decision from its pages: with the strategy and settings, the snapshot and the prompt values of that time, and
 * the present prompt texts; the recorded reply is read by the schema. Each step says whether the result is the same.
 * Nothing is asked, sent or written.
 */
import { err, type Result } from "../../core/result.ts";
import { encodePage } from "../../journal/page-codec.ts";
import { loadPrompts, type PromptLibrary } from "../../llm/prompts/prompts.ts";
import { renderQuestion } from "../../llm/calls/question.ts";
import { readReply } from "../../llm/replies/reply.ts";
import { askStrategy, interpretReplies } from "../../strategy/guarded.ts";
import { loadStrategy } from "../../strategy/registry.ts";
import type { ArmedStrategy, ModelQuestion, StrategyAnswer } from "../../strategy/strategy.ts";
import { OWN_PROMPTS_DIR, OWN_STRATEGIES_DIR, PROMPTS_DIR } from "../../ops/paths.ts";
import { firstDifference } from "./difference.ts";
import { askedIn, type AskPage, isAsk, type ReadPage, type StrategyPage } from "./pages.ts";

/** `detail` says what is the same, or where the first difference is. */
export interface RerunStep {
  /** `decide by llm-trader`, `prompt llm-trader`, `reply`, `interpret by llm-trader`. */
  readonly what: string;
  readonly same: boolean;
  readonly detail: string;
}

/** Empty if no page of the decision is kept. */
export async function rerun(pages: readonly ReadPage[]): Promise<readonly RerunStep[]> {
  const steps: RerunStep[] = [];
  const unused = [...askedIn(pages)];
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  for (const { call, page } of pages) {
    if (!page.ok) steps.push({ what: call, same: false, detail: page.error });
    else if (!isAsk(page.value)) steps.push(...(await again(page.value, unused, prompts)));
  }
  return steps;
}

async function again(
  page: StrategyPage,
  unused: AskPage[],
  prompts: Result<PromptLibrary, string>,
): Promise<readonly RerunStep[]> {
  const what = `${page.call} by ${page.strategy}`;
  const armed = await loadStrategy(page.strategy, page.settings, OWN_STRATEGIES_DIR);
  if (!armed.ok) return [{ what, same: false, detail: armed.error }];
  const fresh = called(armed.value, page);
  const difference = firstDifference(judged(page.answer), judged(plain(fresh)));
  const step = { what, same: difference === null, detail: difference ?? summary(fresh) };
  if (!fresh.ok || fresh.value.kind !== "ask") return [step];
  return [step, ...fresh.value.questions.flatMap((question) => questionSteps(question, unused, prompts))];
}

function called(armed: ArmedStrategy, { call, replies, snapshot }: StrategyPage): Result<StrategyAnswer, unknown> {
  if (call !== "interpret") return askStrategy(armed, snapshot);
  return replies ? interpretReplies(armed, replies, snapshot) : err("the page contains no replies");
}

/** Without the reply schemas, which are code. */
function plain(answer: Result<StrategyAnswer, unknown>): unknown {
  if (!answer.ok || answer.value.kind !== "ask") return answer;
  const questions = answer.value.questions.map((question) => ({ ...question, replySchema: undefined }));
  return { ok: true, value: { ...answer.value, questions } };
}

/** How much time the machine gave a call says nothing about the strategy. */
function judged(answer: unknown): unknown {
  const { error } = answer as { error?: { kind?: unknown; reason?: unknown } };
  return error?.kind === "cut-off" ? { ok: false, error: { kind: error.kind, reason: error.reason } } : answer;
}

function summary(answer: Result<StrategyAnswer, unknown>): string {
  if (!answer.ok) return `the same fault: ${encodePage(answer.error).slice(0, 200)}`;
  if (answer.value.kind === "ask") return `the same ${answer.value.questions.length} question(s)`;
  if (answer.value.kind === "abstain") return "the same abstention";
  return `the same ${answer.value.targets.length} targets`;
}

/** The prompt of the question and the reading of its reply. A question that was never asked has neither. */
function questionSteps(
  question: ModelQuestion,
  unused: AskPage[],
  prompts: Result<PromptLibrary, string>,
): readonly RerunStep[] {
  const at = unused.findIndex(
    (page) => page.asked.prompt === question.prompt && page.fingerprint === question.fingerprint,
  );
  const [page] = at < 0 ? [] : unused.splice(at, 1);
  const what = `prompt ${question.prompt}`;
  if (!page) return [{ what, same: true, detail: "no text of it is kept: it was not put to a model" }];
  if (!prompts.ok) return [{ what, same: false, detail: prompts.error }];
  return [promptStep(what, question, { page, prompts: prompts.value }), ...replyStep(question, page)];
}

function promptStep(
  what: string,
  question: ModelQuestion,
  { page, prompts }: { readonly page: AskPage; readonly prompts: PromptLibrary },
): RerunStep {
  const { fence, echo, system, user, promptHash } = page.asked;
  const rendered = renderQuestion(prompts, { fence, echo }, question);
  if (!rendered.ok) return { what, same: false, detail: rendered.error };
  const bytes = Buffer.byteLength(system + user, "utf8");
  if (rendered.value.system === system && rendered.value.user === user) {
    return { what, same: true, detail: `the same ${bytes} bytes` };
  }
  const edited = rendered.value.promptHash === promptHash ? "" : "the prompt file was changed since; ";
  const difference = firstDifference({ system, user }, { system: rendered.value.system, user: rendered.value.user });
  return { what, same: false, detail: `${edited}${difference ?? ""}` };
}

/** A shared reply carries the echo word of another question, and is not judged by this question's word. */
function replyStep(question: ModelQuestion, page: AskPage): readonly RerunStep[] {
  const what = `reply to ${question.prompt}`;
  if (page.replyText === null) return [];
  const echo = page.cached ? echoIn(page.replyText) : page.asked.echo;
  const read = readReply(page.replyText, { schema: question.replySchema, echo, canary: page.asked.fence });
  const accepted = page.kind === "answered";
  const detail = read.ok ? "it passes its schema" : `it is refused: ${read.error}`;
  return [{ what, same: read.ok === accepted, detail: read.ok === accepted ? detail : `${detail}, unlike then` }];
}

const echoIn = (replyText: string): string => /"echo"\s*:\s*"([^"]*)"/.exec(replyText)?.[1] ?? "";
