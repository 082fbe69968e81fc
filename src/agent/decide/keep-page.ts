/**
 * Everything that one call of a strategy was given and what it answered, for the record: enough to make the same call
 * again later and to see whether it answers the same.
 */
import type { Snapshot } from "../../context/snapshot.ts";
import type { Result } from "../../core/result.ts";
import type { StrategyFault } from "../../strategy/guarded.ts";
import type { ArmedStrategy, Replies, StrategyAnswer } from "../../strategy/strategy.ts";
import type { Outbox } from "../contract/effects.ts";
import { pageToKeep } from "../../rows/snapshot.ts";

/** One call and its answer, before anything is made of it. `fallback` is a `decide` of the other strategy. */
export interface StrategyCall {
  readonly call: "decide" | "interpret" | "fallback";
  readonly by: ArmedStrategy;
  readonly snapshot: Snapshot;
  /** What the model said, as it passed the reply schemas, and the strategy's own note; only for `interpret`. */
  readonly replies?: Replies;
  readonly answer: Result<StrategyAnswer, StrategyFault>;
}

/** The shell keeps the whole of it outside of the journal, and in the row its name and hash. */
export function keepPage(out: Outbox, decisionId: string, { call, by, snapshot, replies, answer }: StrategyCall): void {
  const body = { call, strategy: by.strategy.name, settings: by.settings, snapshot, answer: plain(answer) };
  out.record(pageToKeep(replies === undefined ? body : { ...body, replies }), decisionId);
}

/** A reply schema is code, made from the snapshot; it has no place in a record. */
function plain(answer: Result<StrategyAnswer, unknown>): unknown {
  const asked = answer.ok ? (answer.value as { questions?: unknown; question?: unknown }) : {};
  if (asked.question) return { ok: true, value: { ...asked, question: bare(asked.question) } };
  if (!Array.isArray(asked.questions)) return answer;
  return { ok: true, value: { ...asked, questions: asked.questions.map(bare) } };
}

const bare = (question: unknown): unknown => ({ ...(question as object), replySchema: undefined });
