/** Strategies loaded by name and asked, with their answers unwrapped. */
import type { Snapshot } from "../../src/context/snapshot.ts";
import { type ArmedStrategy, askStrategy, interpretReplies } from "../../src/strategy/guarded.ts";
import { loadStrategy } from "../../src/strategy/registry.ts";
import type { ModelQuestion, Replies, Reply, StrategyAnswer, TargetPosition } from "../../src/strategy/strategy.ts";

export async function armed(name: string, settings: unknown = {}): Promise<ArmedStrategy> {
  const loaded = await loadStrategy(name, settings);
  if (!loaded.ok) throw new Error(loaded.error);
  return loaded.value;
}

export function sound(result: ReturnType<typeof askStrategy>): StrategyAnswer {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
}

export const decided = async (name: string, snapshot: Snapshot, settings: unknown = {}): Promise<StrategyAnswer> =>
  sound(askStrategy(await armed(name, settings), snapshot));

export const targetsOf = (answer: StrategyAnswer): readonly TargetPosition[] =>
  answer.kind === "targets" ? answer.targets : [];

export function questionsOf(answer: StrategyAnswer): readonly ModelQuestion[] {
  if (answer.kind !== "ask") throw new Error(`no question: ${JSON.stringify(answer)}`);
  return answer.questions;
}

export const said = (value: unknown): Reply => ({ kind: "answered", value, model: "m" });
export const lost: Reply = { kind: "failed", reason: "HTTP 529" };

/** What a strategy makes of replies to what it just asked. */
export const reported = (strategy: ArmedStrategy, replies: Partial<Replies>, snapshot: Snapshot): StrategyAnswer =>
  sound(interpretReplies(strategy, { round: 1, replies: [], carry: null, ...replies }, snapshot));
