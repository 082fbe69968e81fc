/**
 * The answers bought beyond the deciding one, and what they do to the targets. Further samples vote with the first; a deep
 * answer and an analyst vote on their symbols; an opening to which bull and bear together give less than an even chance is
 * dropped. Each use is also taken away once, to record what it changed.
 */
import type { Snapshot } from "../context/snapshot.ts";
import { decided, type DecidedBy } from "./deciding.ts";
import {
  type About,
  CaseReply,
  debates,
  type FurtherQuestion,
  questionsBeside,
  secondOpinions,
} from "./further-questions.ts";
import { QUESTIONS_MAX } from "./guarded.ts";
import { AnyStances } from "./stances.ts";
import {
  type Bought,
  EXTRA_USES,
  type ExtraUse,
  type Replies,
  type Reply,
  type StrategyAnswer,
  type TargetPosition,
} from "./strategy.ts";
import { deciding } from "./trader-question.ts";
import type { PlanSettings, TraderSettings } from "./trader-settings.ts";

/** A reply with what it is about. */
interface Given {
  readonly about: About;
  readonly reply: Reply;
}

/** What is passed from round to round: earlier answers, what the open questions are about, and whether more may follow. */
interface Carry {
  readonly given: readonly Given[];
  readonly asked: readonly About[];
  readonly last: boolean;
}

interface Asking extends DecidedBy {
  readonly settings: TraderSettings & PlanSettings;
}

const isCarry = (value: unknown): value is Carry =>
  typeof value === "object" && value !== null && Array.isArray((value as Partial<Carry>).asked);

const PLAIN: About = { use: null };
const EVEN_CHANCE = 0.5;

/** The deciding question, with those that need not wait for its answer; null if no symbol can be shown. */
export function firstQuestions(snapshot: Snapshot, settings: Asking["settings"]): StrategyAnswer | null {
  const plain = deciding(snapshot, settings);
  if (!plain) return null;
  const first = plain.map((question) => ({ question, about: PLAIN }));
  const beside = questionsBeside(snapshot, settings).slice(0, QUESTIONS_MAX - first.length);
  return asking([...first, ...beside], { given: [], last: false });
}

function asking(further: readonly FurtherQuestion[], carry: Omit<Carry, "asked">): StrategyAnswer {
  const asked = further.map(({ about }) => about);
  return {
    kind: "ask",
    questions: further.map(({ question }) => question),
    carry: { ...carry, asked } satisfies Carry,
  };
}

/** The targets of all answers, or a further round. */
export function withFurtherAnswers({ replies, carry }: Pick<Replies, "replies" | "carry">, by: Asking): StrategyAnswer {
  const before = isCarry(carry) ? carry : null;
  const given = [
    ...(before?.given ?? []),
    ...replies.map((reply, at): Given => ({ about: before?.asked[at] ?? PLAIN, reply })),
  ];
  const further = before?.last === true ? [] : furtherOn(given, by);
  return further.length > 0 ? asking(further, { given, last: true }) : concluded(given, by);
}

/** Questions that depend on the answers: samples and advocates, where something would be opened or the samples disagree. */
function furtherOn(given: readonly Given[], by: Asking): readonly FurtherQuestion[] {
  const { snapshot, settings } = by;
  const plain = repliesOf(given, null);
  const openings = openingsOf(answerOf(given, by), snapshot);
  const samples = openings.length > 0 || differ(plain) ? secondOpinions(snapshot, settings, plain.length) : [];
  return [...samples, ...debates(openings, snapshot, settings)];
}

const repliesOf = (given: readonly Given[], use: ExtraUse | null): readonly Reply[] =>
  given.filter(({ about }) => about.use === use).map(({ reply }) => reply);

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

/** Targets on positions that are not held. Closes need no further answer. */
function openingsOf(answer: StrategyAnswer, { account }: Snapshot): readonly TargetPosition[] {
  if (answer.kind !== "targets") return [];
  const held = new Set(account?.positions.map(({ position }) => `${position.symbol} ${position.side}`));
  return answer.targets.filter(({ symbol, leg, size }) => size > 0 && !held.has(`${symbol} ${leg}`));
}

/** The targets of these answers. One that the budget refused is no vote; a failed sample of the first round is one. */
function answerOf(given: readonly Given[], by: Asking): StrategyAnswer {
  const further = repliesOf(given, "second-opinion").filter(({ kind }) => kind === "answered");
  const partial = given.flatMap(({ about, reply }) =>
    about.use === "deep-answer" || about.use === "symbol-analyst" ? [{ reply, symbols: about.symbols }] : [],
  );
  const answer = decided([...repliesOf(given, null), ...further], by, partial);
  if (answer.kind !== "targets") return answer;
  const openings = new Set(openingsOf(answer, by.snapshot));
  const lost = answer.targets.filter((target) => openings.has(target) && isLost(target, given));
  if (lost.length === 0) return answer;
  const names = lost.map(({ symbol }) => symbol).join(", ");
  const targets = answer.targets.filter((target) => !lost.includes(target));
  return { ...answer, targets, note: `${answer.note} (bull and bear give less than an even chance: ${names})` };
}

/** Whether both advocates answered, and give the opening less than an even chance on average. */
function isLost({ symbol, leg }: TargetPosition, given: readonly Given[]): boolean {
  const chances = given.flatMap(({ about, reply }) =>
    about.use === "debate" && about.symbol === symbol && about.leg === leg && reply.kind === "answered"
      ? [CaseReply.parse(reply.value).chance]
      : [],
  );
  return chances.length === 2 && chances.reduce((sum, chance) => sum + chance, 0) / 2 < EVEN_CHANCE;
}

function concluded(given: readonly Given[], by: Asking): StrategyAnswer {
  const whole = answerOf(given, by);
  if (whole.kind !== "targets") return whole;
  const bought = EXTRA_USES.flatMap((use): readonly Bought[] => {
    const answered = repliesOf(given, use).some(({ kind }) => kind === "answered");
    if (!answered || use === "post-mortem") return [];
    const without = answerOf(
      given.filter(({ about }) => about.use !== use),
      by,
    );
    const targets = without.kind === "targets" ? without.targets : [];
    const changed = shapeOf(targets) !== shapeOf(whole.targets);
    return [{ use, changed, without: targets.map(({ symbol, leg, size }) => ({ symbol, leg, size })) }];
  });
  if (bought.length === 0) return whole;
  const words = bought.map(({ use, changed }) => `${use} ${changed ? "changed it" : "kept it"}`).join(", ");
  return { ...whole, note: `[${words}] ${whole.note}`, bought };
}

const shapeOf = (targets: readonly TargetPosition[]): string =>
  targets
    .map(({ symbol, leg, size }) => `${symbol} ${leg} ${size.toFixed(2)}`)
    .sort()
    .join();
