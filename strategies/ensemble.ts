/**
 * Weighted votes of other strategies. A member's weight is its setting times a bounded factor from the results of the
 * trades it voted for. Members may ask a model; their questions are asked side by side. A member that throws, hangs
 * or returns an invalid answer has no vote in that decision.
 */
import type { Snapshot } from "../src/context/snapshot.ts";
import { reportMiscited } from "../src/strategy/citations.ts";
import { askStrategy, interpretReplies, type StrategyFault } from "../src/strategy/guarded.ts";
import { countMemberVotes, type MemberVote } from "../src/strategy/member-votes.ts";
import { memberFactor } from "../src/strategy/record-weight.ts";
import {
  type ArmedStrategy,
  defineComposite,
  type Miscited,
  type ModelQuestion,
  type Replies,
  type Strategy,
  type StrategyAnswer,
  type TargetPosition,
} from "../src/strategy/strategy.ts";
import type { Result } from "../src/core/result.ts";
import { Settings } from "./settings/ensemble.ts";

const NAME = "ensemble";
const DESCRIPTION = "Weighted votes of other strategies, with weights from their own past record, within bounds.";

/** State of one member during a decision. Plain data, because it is the carry of the questions. */
type MemberState =
  | {
      readonly name: string;
      readonly state: "said";
      readonly targets: readonly TargetPosition[];
      readonly miscited: readonly Miscited[];
    }
  | { readonly name: string; readonly state: "silent"; readonly why: string }
  | { readonly name: string; readonly state: "asking"; readonly questions: number; readonly carry: unknown };

interface Heard {
  readonly states: readonly MemberState[];
  readonly questions: readonly ModelQuestion[];
}

export default defineComposite<Settings>({
  name: NAME,
  description: DESCRIPTION,
  settings: Settings,
  members: ({ members }) => Object.fromEntries(Object.entries(members).map(([name, { settings }]) => [name, settings])),
  compose: (members): Strategy<Settings> => {
    const needsModel = members.some(({ strategy }) => strategy.needsModel);
    const decide = (snapshot: Snapshot, settings: Settings): StrategyAnswer => {
      const heard = members.map((member) => heardFrom(member, askStrategy(member, snapshot)));
      return goOn(merge(heard), snapshot, settings);
    };
    const interpret = (replies: Replies, snapshot: Snapshot, settings: Settings): StrategyAnswer =>
      goOn(merge(nextRound(members, replies, snapshot)), snapshot, settings);
    return { name: NAME, description: DESCRIPTION, settings: Settings, needsModel, decide, interpret };
  },
});

const merge = (heard: readonly Heard[]): Heard => ({
  states: heard.flatMap(({ states }) => states),
  questions: heard.flatMap(({ questions }) => questions),
});

function heardFrom({ strategy: { name } }: ArmedStrategy, answer: Result<StrategyAnswer, StrategyFault>): Heard {
  if (!answer.ok) return { states: [{ name, state: "silent", why: answer.error.reason }], questions: [] };
  const { value } = answer;
  if (value.kind === "targets") {
    const { targets, miscited = [] } = value;
    return { states: [{ name, state: "said", targets, miscited }], questions: [] };
  }
  if (value.kind === "abstain") return { states: [{ name, state: "silent", why: value.note }], questions: [] };
  const { questions, carry = null } = value;
  return { states: [{ name, state: "asking", questions: questions.length, carry }], questions };
}

/** Passes each asking member its own replies; the others keep their answers. */
function nextRound(members: readonly ArmedStrategy[], { round, replies, carry }: Replies, snapshot: Snapshot): Heard[] {
  let from = 0;
  return (carry as readonly MemberState[]).map((state) => {
    if (state.state !== "asking") return { states: [state], questions: [] };
    const own = replies.slice(from, from + state.questions);
    from += state.questions;
    const member = members.find(({ strategy }) => strategy.name === state.name);
    if (!member || own.every((reply) => reply.kind === "failed"))
      return { states: [{ name: state.name, state: "silent", why: "the model failed" }], questions: [] };
    return heardFrom(member, interpretReplies(member, { round, replies: own, carry: state.carry }, snapshot));
  });
}

/** Asks the open questions, otherwise counts the votes. */
function goOn({ states, questions }: Heard, snapshot: Snapshot, settings: Settings): StrategyAnswer {
  if (questions.length > 0) return { kind: "ask", questions, carry: states };
  const bounds = { priorTrades: settings.recordTrades, power: settings.recordPower };
  const votes = states.map((member): MemberVote => {
    const own = settings.members[member.name]?.weight ?? 0;
    const factor = memberFactor(member.name, snapshot, bounds);
    return { name: member.name, weight: own * factor, targets: member.state === "said" ? member.targets : null };
  });
  const silent = states.flatMap((member) => (member.state === "silent" ? [`${member.name}: ${member.why}`] : []));
  if (silent.length === states.length) return { kind: "abstain", note: `no member could judge: ${silent.join("; ")}` };
  const targets = countMemberVotes(votes, snapshot, settings);
  const weights = votes.map(({ name, weight }) => `${name} ${weight.toFixed(2)}`).join(", ");
  const tail = silent.length > 0 ? ` (silent: ${silent.join("; ").slice(0, 400)})` : "";
  const miscited = states.flatMap((member) => (member.state === "said" ? member.miscited : []));
  const note = `weights ${weights}; ${targets.length} targets${tail}`;
  return { kind: "targets", targets, note, ...reportMiscited(miscited) };
}
