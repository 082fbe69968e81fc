/** The candidate of a trial under observation: what it answers, how long that takes, and where it fails. */
import { systemClock } from "../core/clock.ts";
import { DECIDE_MS_MAX } from "../core/time-box.ts";
import { askStrategy, interpretReplies } from "../strategy/guarded.ts";
import type { ArmedStrategy, ModelQuestion, Strategy, StrategyAnswer } from "../strategy/strategy.ts";

/** One kind of fault: its count, and where it occurred first. */
export interface TrialFault {
  readonly call: "decide" | "interpret";
  readonly reason: string;
  /** `my-idea.ts:12`; null if the answer itself is wrong. */
  readonly line: string | null;
  readonly count: number;
}

/** How often one thing was said. */
export interface CountedReason {
  readonly reason: string;
  readonly count: number;
}

/** What the answers of a trial came to, so far. Times are of one call, real ms. */
export interface Tally {
  readonly ms: number[];
  readonly answers: { targets: number; ask: number; abstain: number; failed: number };
  readonly faults: Map<string, TrialFault>;
  /** The note of each abstention, of `decide` or after the replies of a model. */
  readonly abstentions: string[];
  /** Answers that state targets, of either call, were they empty. */
  decided: number;
  snapshots: number;
  targets: number;
  repliesRead: number;
  question: ModelQuestion | null;
}

export const emptyTally = (): Tally => ({
  ...{ ms: [], answers: { targets: 0, ask: 0, abstain: 0, failed: 0 }, faults: new Map(), abstentions: [] },
  ...{ decided: 0, snapshots: 0, targets: 0, repliesRead: 0, question: null },
});

/** Replaces the candidate and calls it as the agent would, with its usual time limit. */
export function probe({ strategy, settings }: ArmedStrategy, tally: Tally, most: number): ArmedStrategy {
  let line: string | null = null;
  const { monotonicMs } = systemClock();
  const watched = <Args extends unknown[]>(run: (...args: Args) => StrategyAnswer) => {
    return (...args: Args): StrategyAnswer => {
      line = null;
      const beganMs = monotonicMs();
      try {
        return run(...args);
      } catch (error) {
        line = faultLine(error, strategy.name);
        throw error;
      } finally {
        tally.ms.push(monotonicMs() - beganMs);
      }
    };
  };
  const { interpret } = strategy;
  const observed: Strategy = {
    ...strategy,
    decide: watched((snapshot, given) => strategy.decide(snapshot, given)),
    ...(interpret
      ? { interpret: watched((replies, snapshot, given) => interpret.call(strategy, replies, snapshot, given)) }
      : {}),
  };
  const armed: ArmedStrategy = { strategy: observed, settings, msMax: DECIDE_MS_MAX };
  const taken = (call: TrialFault["call"], answer: ReturnType<typeof askStrategy>): StrategyAnswer => {
    if (!answer.ok) {
      const { reason } = answer.error;
      const key = `${call}|${reason}|${line ?? ""}`;
      tally.faults.set(key, { call, reason, line, count: (tally.faults.get(key)?.count ?? 0) + 1 });
      return { kind: "targets", targets: [], note: reason };
    }
    if (answer.value.kind === "abstain") tally.abstentions.push(answer.value.note);
    if (answer.value.kind === "targets") {
      tally.decided += 1;
      tally.targets += answer.value.targets.length;
    }
    if (answer.value.kind === "ask") tally.question ??= answer.value.questions[0] ?? null;
    return answer.value;
  };
  return {
    settings,
    strategy: {
      ...strategy,
      decide: (snapshot) => {
        if (tally.snapshots >= most) return { kind: "targets", targets: [], note: "the trial is over" };
        tally.snapshots += 1;
        const asked = askStrategy(armed, snapshot);
        tally.answers[asked.ok ? asked.value.kind : "failed"] += 1;
        return taken("decide", asked);
      },
      interpret: (replies, snapshot) => {
        tally.repliesRead += replies.replies.filter(({ kind }) => kind === "answered").length;
        return taken("interpret", interpretReplies(armed, replies, snapshot));
      },
    },
  };
}

/** The first stack frame in the author's own file, as `my-idea.ts:12:7`; null without one. */
export function faultLine(error: unknown, name: string): string | null {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const found = new RegExp(`(?:^|[\\s(/])(${name}\\.(?:ts|js|mjs):\\d+(?::\\d+)?)`, "m").exec(stack);
  return found?.[1] ?? null;
}
