/**
 * Everything that one call of a strategy was given and what it answered, for the record: enough to make the same call
 * again later and to see whether it answers the same.
 */
import type { Snapshot } from "../context/snapshot.ts";
import type { Result } from "../core/result.ts";
import type { StrategyAnswer } from "../strategy/strategy.ts";
import type { Armed, Outbox } from "./events.ts";

export interface StrategyCall {
  readonly call: "decide" | "interpret" | "fallback";
  readonly by: Armed;
  readonly snapshot: Snapshot;
  /** What the model said, as it passed the reply schema; only for `interpret`. */
  readonly reply?: unknown;
  readonly answer: Result<StrategyAnswer, string>;
}

/** The shell keeps the whole of it outside of the journal, and in the row its name and hash. */
export function keepPage(out: Outbox, decisionId: string, { call, by, snapshot, reply, answer }: StrategyCall): void {
  const body = { call, strategy: by.strategy.name, settings: by.settings, snapshot, answer: plain(answer) };
  out.record("snapshot", reply === undefined ? body : { ...body, reply }, decisionId);
}

/** A reply schema is code, made from the snapshot; it has no place in a record. */
function plain(answer: Result<StrategyAnswer, string>): unknown {
  if (!answer.ok || answer.value.kind !== "ask") return answer;
  return { ok: true, value: { kind: "ask", question: { ...answer.value.question, replySchema: undefined } } };
}
