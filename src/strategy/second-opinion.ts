/**
 * Asks for further samples if they can change something: the first answers would open or reverse a position, or disagree. An
 * answer that changes nothing needs none. The samples vote together with the first ones.
 */
import type { Snapshot } from "../context/snapshot.ts";
import { decided, type DecidedBy } from "./deciding.ts";
import { AnyStances } from "./stances.ts";
import type { ModelQuestion, Replies, Reply, StrategyAnswer } from "./strategy.ts";
import { deciding, type TraderAsk } from "./trader-question.ts";

/** The state passed from the first round to the second. */
interface Carry {
  readonly first: readonly Reply[];
}

const isCarry = (value: unknown): value is Carry =>
  typeof value === "object" && value !== null && Array.isArray((value as Partial<Carry>).first);

/** The targets of a round of samples, or a further round. `asking` contains the options of the first question. */
export function withSecondOpinions(
  { replies, carry }: Pick<Replies, "replies" | "carry">,
  by: DecidedBy,
  asking: TraderAsk = {},
): StrategyAnswer {
  const { snapshot, settings } = by;
  if (isCarry(carry)) {
    // A sample that the budget refused is not counted as a vote.
    const further = replies.filter((reply) => reply.kind === "answered");
    const plain = decided(carry.first, by);
    if (further.length === 0) return plain;
    const both = decided([...carry.first, ...further], by);
    const word = sameTargets(plain, both) ? "kept" : "changed";
    return both.kind === "targets" ? { ...both, note: `[second-opinion: ${word}] ${both.note}` } : both;
  }
  const plain = decided(replies, by);
  if (settings.secondOpinions === 0 || !(differ(replies) || isWorthMore(plain, snapshot))) return plain;
  const questions = furtherSamples(by, replies.length, asking);
  return questions.length === 0 ? plain : { kind: "ask", questions, carry: { first: replies } satisfies Carry };
}

/** Whether answered samples name different sides. */
function differ(replies: readonly Reply[]): boolean {
  const sides = replies.flatMap((reply) => {
    const read = reply.kind === "answered" ? AnyStances.safeParse(reply.value) : null;
    if (!read?.success) return [];
    const named = read.data.stances.map(({ symbol, stance }) => `${symbol} ${stance}`);
    return [named.sort().join()];
  });
  return new Set(sides).size > 1;
}

/** Whether the answer would open a position. Closes need no second opinion. */
function isWorthMore(answer: StrategyAnswer, { account }: Snapshot): boolean {
  if (answer.kind !== "targets") return false;
  const held = new Set(account?.positions.map(({ position }) => `${position.symbol} ${position.side}`));
  return answer.targets.some(({ symbol, leg, size }) => size > 0 && !held.has(`${symbol} ${leg}`));
}

function furtherSamples({ snapshot, settings }: DecidedBy, asked: number, asking: TraderAsk): readonly ModelQuestion[] {
  const all = deciding(snapshot, { ...settings, samples: asked + settings.secondOpinions }, asking) ?? [];
  return all.slice(asked).map((question) => ({ ...question, use: "second-opinion" }));
}

const shapeOf = (answer: StrategyAnswer): string =>
  answer.kind === "targets"
    ? answer.targets
        .map(({ symbol, leg, size }) => `${symbol} ${leg} ${size.toFixed(2)}`)
        .sort()
        .join()
    : answer.kind;

const sameTargets = (a: StrategyAnswer, b: StrategyAnswer): boolean => shapeOf(a) === shapeOf(b);
