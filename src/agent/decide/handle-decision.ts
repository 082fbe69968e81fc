/** One decision from trigger to targets: snapshot, strategy or model, and the fallback if neither decides. */
import type { Snapshot } from "../../context/snapshot.ts";
import { formatSpan } from "../../core/time.ts";
import { askStrategy, interpretReplies, replyOf, type StrategyFault } from "../../strategy/guarded.ts";
import type { ArmedStrategy, StrategyAnswer } from "../../strategy/strategy.ts";
import type { DecisionTrigger } from "../state/cadence.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { carryOut } from "../execute/carry-out.ts";
import { noteDecided } from "./own-decisions.ts";
import { keepPage } from "./keep-page.ts";
import { type AgentState, nextId, type PendingDecision } from "../state/state.ts";
import { shadowsDecide } from "./shadows.ts";
import { snapshotOf } from "./decision-snapshot.ts";
import { summarize } from "./summary.ts";
import { begunRow, decisionRow, targetAim } from "../../rows/decision.ts";
import { questionRow } from "../../rows/question.ts";
import { counted } from "../../core/words.ts";

/** The trading strategy first; then the shadows, with the same snapshot. */
export function decide(state: AgentState, trigger: DecisionTrigger, at: At): void {
  const snapshot = snapshotOf(state, at.nowMs);
  decideOn(state, trigger, snapshot, at);
  shadowsDecide(state, snapshot, at);
}

function decideOn(state: AgentState, trigger: DecisionTrigger, snapshot: Snapshot, { nowMs, out }: At): void {
  const decisionId = nextId(state, "d");
  const { chosen } = state.strategies;
  out.log("info", "decision.triggered", trigger.reasons.join("; "), {
    decision: decisionId,
    strategy: chosen.strategy.name,
  });
  out.record(
    begunRow({ trigger: trigger.reasons, strategy: chosen.strategy.name }, () => summarize(snapshot)),
    decisionId,
  );
  const suspended = state.quarantine.suspension(nowMs);
  if (suspended) {
    const reason = `it is suspended ${restText(suspended.untilMs, nowMs)}: ${suspended.reason}`;
    return failed(state, { decisionId, snapshot, reason }, { nowMs, out });
  }
  const asked = askStrategy(chosen, snapshot);
  keepPage(out, decisionId, { call: "decide", by: chosen, snapshot, answer: asked });
  if (!asked.ok) return faulted(state, { decisionId, snapshot, fault: asked.error }, { nowMs, out });
  const round = { decisionId, startedAtMs: nowMs, round: 1, firstPart: 0, urgent: trigger.urgent };
  proceed(state, { snapshot, answer: asked.value, round }, { nowMs, out });
}

type Round = Omit<PendingDecision, "replies" | "carry" | "uses">;

/** Targets are carried out; questions are asked in parallel, each with its own row under the one decision id. */
function proceed(
  state: AgentState,
  { snapshot, answer, round }: { snapshot: Snapshot; answer: StrategyAnswer; round: Round },
  { nowMs, out }: At,
): void {
  const { decisionId } = round;
  if (answer.kind !== "ask") {
    state.quarantine.recordAnswer();
    return conclude(state, { decisionId, snapshot, answer, by: state.strategies.chosen }, { nowMs, out });
  }
  const uses = answer.questions.map(({ use }) => use ?? null);
  state.pending = { ...round, replies: answer.questions.map(() => null), uses, carry: answer.carry ?? null };
  answer.questions.forEach((question, index) => {
    const part = round.firstPart + index;
    const { prompt, fingerprint, tier = "strong" } = question;
    out.record(questionRow({ prompt, fingerprint, part, round: round.round, tier }), decisionId);
    out.ask({ kind: "ask-model", decisionId, part, question, urgent: round.urgent });
  });
}

/**
 * One answer of a round. When all have come, the strategy reads them: prices have moved meanwhile, so everything is judged
 * on the present snapshot. A round without any answer is a failed decision.
 */
export function onModel(
  state: AgentState,
  event: Pick<Extract<AgentEvent, { kind: "model" }>, "decisionId" | "part" | "outcome">,
  { nowMs, out }: At,
): void {
  const { pending } = state;
  const index = (event.part ?? 0) - (pending?.firstPart ?? 0);
  if (pending?.decisionId !== event.decisionId || pending.replies[index] !== null) return;
  const replies = pending.replies.map((reply, at) => (at === index ? replyOf(event.outcome) : reply));
  const known = replies.filter((reply) => reply !== null);
  state.pending = known.length < replies.length ? { ...pending, replies } : null;
  if (state.pending) return;
  const { decisionId, round, carry, uses } = pending;
  const { chosen } = state.strategies;
  for (const [at, use] of uses.entries())
    if (use !== null && known[at]?.kind === "answered") state.deciding.bought.set(use, nowMs);
  const snapshot = snapshotOf(state, nowMs);
  const plain = known.filter((_reply, at) => uses[at] === null);
  const reasons = plain.flatMap((reply) => (reply.kind === "failed" ? [reply.reason] : []));
  if (plain.length > 0 && reasons.length === plain.length) {
    const reason = `the model failed: ${[...new Set(reasons)].join("; ")}`;
    return failed(state, { decisionId, snapshot, reason }, { nowMs, out });
  }
  const reported = { round, replies: known, carry };
  const read = interpretReplies(chosen, reported, snapshot);
  keepPage(out, decisionId, { call: "interpret", by: chosen, snapshot, replies: reported, answer: read });
  if (!read.ok) return faulted(state, { decisionId, snapshot, fault: read.error }, { nowMs, out });
  // A decision that has begun is finished: the pacing of its first round does not delay a later one.
  const next = {
    ...pending,
    startedAtMs: nowMs,
    round: round + 1,
    firstPart: pending.firstPart + known.length,
    urgent: true,
  };
  proceed(state, { snapshot, answer: read.value, round: next }, { nowMs, out });
}

/** The answers are overdue, so nothing waits for them any longer: a failed decision like any other. */
export function giveUp(state: AgentState, at: At): void {
  if (!state.pending) return;
  const { decisionId } = state.pending;
  state.pending = null;
  failed(state, { decisionId, snapshot: snapshotOf(state, at.nowMs), reason: "its answers did not come in time" }, at);
}

const restText = (untilMs: number, nowMs: number): string =>
  untilMs === Infinity ? "until the configuration changes" : `for ${formatSpan(untilMs - nowMs)}`;

const faultText = (fault: StrategyFault, isBenched: boolean): string =>
  isBenched || fault.kind !== "cut-off"
    ? fault.reason
    : `${fault.reason}: the machine is busy and it ran only for ${(fault.usedShare * 100).toFixed(0)}% of that`;

/** The strategy gave nothing usable, and no model was to blame: the fallback decides, for as long as the quarantine lasts. */
function faulted(
  state: AgentState,
  { decisionId, snapshot, fault }: { decisionId: string; snapshot: Snapshot; fault: StrategyFault },
  { nowMs, out }: At,
): void {
  const { chosen, fallback } = state.strategies;
  const untilMs = state.quarantine.suspend(nowMs, fault);
  if (untilMs !== null)
    out.log(
      "error",
      "strategy.failed",
      `${chosen.strategy.name} is suspended ${restText(untilMs, nowMs)}: ${fault.reason}; ${fallback.strategy.name} takes over`,
      { decision: decisionId, strategy: chosen.strategy.name },
    );
  failed(state, { decisionId, snapshot, reason: faultText(fault, untilMs !== null) }, { nowMs, out });
}

/** The chosen strategy gave no decision. The failure is counted and shown; the fallback decides and says so. */
function failed(
  state: AgentState,
  why: { decisionId: string; snapshot: Snapshot; reason: string },
  { nowMs, out }: At,
): void {
  const { decisionId, snapshot, reason } = why;
  const { chosen, fallback } = state.strategies;
  state.failures += 1;
  const { inARow, sinceMs } = state.failing ?? { inARow: 0, sinceMs: nowMs };
  state.failing = { inARow: inARow + 1, sinceMs, reason };
  out.log(
    "warn",
    "decision.failed",
    `${chosen.strategy.name} gave no decision (${reason}); ${fallback.strategy.name} decides`,
    { decision: decisionId },
  );
  out.record(decisionRow({ failed: chosen.strategy.name, reason }), decisionId);
  const asked = askStrategy(fallback, snapshot);
  keepPage(out, decisionId, { call: "fallback", by: fallback, snapshot, answer: asked });
  if (asked.ok && asked.value.kind !== "ask")
    return conclude(state, { decisionId, snapshot, answer: asked.value, by: fallback }, { nowMs, out });
  const because = asked.ok ? "it asks a model" : asked.error.reason;
  out.log(
    "error",
    "strategy.failed",
    `the fallback ${fallback.strategy.name} failed too: ${because}; nothing changes`,
    {
      decision: decisionId,
      strategy: fallback.strategy.name,
    },
  );
}

interface Concluded {
  readonly decisionId: string;
  readonly snapshot: Snapshot;
  readonly answer: Exclude<StrategyAnswer, { kind: "ask" }>;
  readonly by: ArmedStrategy;
}

function conclude(state: AgentState, made: Concluded, { nowMs, out }: At): void {
  const { decisionId, answer, by } = made;
  const targetPositions = answer.kind === "targets" ? answer.targets : [];
  const result =
    targetPositions.length === 0 ? answer.note || "nothing to do" : targetPositions.map(targetAim).join(", ");
  if (by === state.strategies.chosen) state.failing = null;
  state.lastDecision = { decisionId, atMs: nowMs, strategy: by.strategy.name, result };
  out.record(
    decisionRow({
      by: by.strategy.name,
      kind: answer.kind === "targets" ? "wishes" : answer.kind,
      note: answer.note,
      wishes: targetPositions,
      ...(answer.kind === "targets" && answer.bought ? { bought: answer.bought } : {}),
      ...(answer.kind === "targets" && answer.miscited ? { miscited: answer.miscited } : {}),
    }),
    decisionId,
  );
  const targets = targetPositions.length === 0 ? "" : `${counted(targetPositions.length, "target")}: `;
  out.log("info", "decision.made", `${targets}${result}`, {
    decision: decisionId,
    strategy: by.strategy.name,
    targets: targetPositions.length,
  });
  noteDecided(state, decisionId, targetPositions, nowMs);
  if (targetPositions.length > 0) carryOut(state, decisionId, targetPositions, { nowMs, out });
}
