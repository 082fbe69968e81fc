/**
 * The record of one call of a strategy, with everything that it was given and what it answered: enough to repeat the same
 * call later and to see whether the answer is the same.
 */
import type { Snapshot } from "../../context/snapshot.ts";
import type { Result } from "../../core/result.ts";
import type { StrategyFault } from "../../strategy/guarded.ts";
import type { ArmedStrategy, Replies, StrategyAnswer } from "../../strategy/strategy.ts";
import type { Outbox } from "../contract/effects.ts";
import { pageToKeep } from "../../rows/snapshot.ts";

/** One call and its answer, before anything is derived from it. `fallback` is a `decide` of the other strategy. */
export interface StrategyCall {
  readonly call: "decide" | "interpret" | "fallback";
  readonly by: ArmedStrategy;
  readonly snapshot: Snapshot;
  /** The model's replies after the reply schemas, and the strategy's own note; only for `interpret`. */
  readonly replies?: Replies;
  readonly answer: Result<StrategyAnswer, StrategyFault>;
}

/** The shell stores the page outside the journal, and puts its name and hash into the row. */
export function keepPage(out: Outbox, decisionId: string, { call, by, snapshot, replies, answer }: StrategyCall): void {
  const body = { call, strategy: by.strategy.name, settings: by.settings, snapshot, answer: plain(answer) };
  out.record(pageToKeep(replies === undefined ? body : { ...body, replies }), decisionId);
}

/** A reply schema is code, built from the snapshot; it does not belong in a record. */
function plain(answer: Result<StrategyAnswer, unknown>): unknown {
  const asked = answer.ok ? (answer.value as { questions?: unknown; question?: unknown }) : {};
  if (asked.question) return { ok: true, value: { ...asked, question: bare(asked.question) } };
  if (!Array.isArray(asked.questions)) return answer;
  return { ok: true, value: { ...asked, questions: asked.questions.map(bare) } };
}

const bare = (question: unknown): unknown => ({ ...(question as object), replySchema: undefined });
