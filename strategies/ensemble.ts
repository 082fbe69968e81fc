/**
 * Weighted votes of other strategies. A member's weight is its setting times a bounded factor from the results of the
 * trades it voted for. Members may ask a model; their questions are asked side by side. A member that throws, hangs
 * or returns an invalid answer has no vote in that decision.
 */
import type { Snapshot } from "../src/context/snapshot.ts";
import { reportMiscited } from "../src/strategy/citations.ts";
import { askStrategy, interpretReplies, type StrategyFault } from "../src/strategy/guarded.ts";
import { countOpinions, type MemberVote } from "../src/strategy/member-votes.ts";
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
type Seat =
  | {
      readonly name: string;
      readonly state: "said";
      readonly targets: readonly TargetPosition[];
      readonly miscited: readonly Miscited[];
    }
  | { readonly name: string; readonly state: "silent"; readonly why: string }
  | { readonly name: string; readonly state: "asking"; readonly questions: number; readonly carry: unknown };

interface Heard {
  readonly seats: readonly Seat[];
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
  seats: heard.flatMap(({ seats }) => seats),
  questions: heard.flatMap(({ questions }) => questions),
});

function heardFrom({ strategy: { name } }: ArmedStrategy, answer: Result<StrategyAnswer, StrategyFault>): Heard {
  if (!answer.ok) return { seats: [{ name, state: "silent", why: answer.error.reason }], questions: [] };
  const { value } = answer;
  if (value.kind === "targets") {
    const { targets, miscited = [] } = value;
    return { seats: [{ name, state: "said", targets, miscited }], questions: [] };
  }
  if (value.kind === "abstain") return { seats: [{ name, state: "silent", why: value.note }], questions: [] };
  const { questions, carry = null } = value;
  return { seats: [{ name, state: "asking", questions: questions.length, carry }], questions };
}

/** Passes each asking member its own replies; the others keep their answers. */
function nextRound(members: readonly ArmedStrategy[], { round, replies, carry }: Replies, snapshot: Snapshot): Heard[] {
  let from = 0;
  return (carry as readonly Seat[]).map((seat) => {
    if (seat.state !== "asking") return { seats: [seat], questions: [] };
    const own = replies.slice(from, from + seat.questions);
    from += seat.questions;
    const member = members.find(({ strategy }) => strategy.name === seat.name);
    if (!member || own.every((reply) => reply.kind === "failed"))
      return { seats: [{ name: seat.name, state: "silent", why: "the model failed" }], questions: [] };
    return heardFrom(member, interpretReplies(member, { round, replies: own, carry: seat.carry }, snapshot));
  });
}

/** Asks the open questions, otherwise counts the votes. */
function goOn({ seats, questions }: Heard, snapshot: Snapshot, settings: Settings): StrategyAnswer {
  if (questions.length > 0) return { kind: "ask", questions, carry: seats };
  const bounds = { priorTrades: settings.recordTrades, power: settings.recordPower };
  const opinions = seats.map((seat): MemberVote => {
    const own = settings.members[seat.name]?.weight ?? 0;
    const factor = memberFactor(seat.name, snapshot, bounds);
    return { name: seat.name, weight: own * factor, targets: seat.state === "said" ? seat.targets : null };
  });
  const silent = seats.flatMap((seat) => (seat.state === "silent" ? [`${seat.name}: ${seat.why}`] : []));
  if (silent.length === seats.length) return { kind: "abstain", note: `no member could judge: ${silent.join("; ")}` };
  const targets = countOpinions(opinions, snapshot, settings);
  const weights = opinions.map(({ name, weight }) => `${name} ${weight.toFixed(2)}`).join(", ");
  const tail = silent.length > 0 ? ` (silent: ${silent.join("; ").slice(0, 400)})` : "";
  const miscited = seats.flatMap((seat) => (seat.state === "said" ? seat.miscited : []));
  const note = `weights ${weights}; ${targets.length} targets${tail}`;
  return { kind: "targets", targets, note, ...reportMiscited(miscited) };
}
