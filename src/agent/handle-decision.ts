/** One decision from trigger to wishes: snapshot, strategy or model, and the fallback where neither decides. */
import { Decimal } from "../core/decimal.ts";
import type { AccountView, Headroom, Snapshot } from "../context/snapshot.ts";
import { headroom } from "../risk/headroom.ts";
import type { RiskView } from "../risk/view.ts";
import { askStrategy, interpretReply } from "../strategy/guarded.ts";
import type { StrategyAnswer, Wish } from "../strategy/strategy.ts";
import type { Trigger } from "./cadence.ts";
import type { Armed, ModelAnswer, Outbox } from "./events.ts";
import { carryOut } from "./carry-out.ts";
import { keepPage } from "./keep-page.ts";
import { riskViewOf } from "./risk-view.ts";
import { type AgentState, FLOOR, nextId, totalUnrealized, zeroWhenNull } from "./state.ts";
import { summarize } from "./summary.ts";

interface At {
  readonly nowMs: number;
  readonly out: Outbox;
}

const NO_HEADROOM: Headroom = {
  mayOpen: false,
  reason: "the account has not been read yet",
  perOrderUsdt: new Decimal(0),
  totalUsdt: new Decimal(0),
  cushionMajorUsdt: new Decimal(0),
  cushionOtherUsdt: new Decimal(0),
  leverageMax: 0,
  roundTripCost: 0,
};

export function snapshotOf(state: AgentState, nowMs: number): Snapshot {
  const view = riskViewOf(state, nowMs);
  return state.context.snapshot({
    atMs: nowMs,
    account: view ? accountViewOf(state, view) : null,
    headroom: view ? headroom(view, state.settings.risk) : NO_HEADROOM,
  });
}

function accountViewOf(state: AgentState, view: RiskView): AccountView {
  const anchors = state.equity.anchors(view.nowMs, totalUnrealized(state, view.nowMs));
  return {
    equityUsdt: view.equityUsdt,
    availableMarginUsdt: state.equity.availableMargin(),
    floorUsdt: FLOOR,
    positions: state.legs.all().map((leg) => ({
      position:
        view.positions.find((position) => position.symbol === leg.symbol && position.side === leg.side) ?? leg.position,
      stopPrice: leg.standingStop ?? leg.meta.stopPrice,
      targetPrice: leg.standingTarget ?? leg.meta.targetPrice,
      openedAtMs: leg.meta.openedAtMs,
      decisionId: leg.meta.decisionId,
      strategy: leg.meta.strategy,
      thesis: leg.meta.thesis,
    })),
    openOrders: state.orders.live().map((tracked) => tracked.order),
    feesTodayUsdt: zeroWhenNull(anchors?.feesUsdt ?? null),
    realizedTodayUsdt: zeroWhenNull(anchors?.realizedUsdt ?? null),
    ageMs: view.accountAgeMs,
  };
}

export function decide(state: AgentState, trigger: Trigger, { nowMs, out }: At): void {
  const decisionId = nextId(state, "d");
  const { chosen } = state.strategies;
  const snapshot = snapshotOf(state, nowMs);
  out.log("info", "decision.triggered", trigger.reasons.join("; "), {
    decision: decisionId,
    strategy: chosen.strategy.name,
  });
  out.record(
    "decision",
    { trigger: trigger.reasons, strategy: chosen.strategy.name, snapshot: summarize(snapshot) },
    decisionId,
  );
  const asked = askStrategy(chosen, snapshot);
  keepPage(out, decisionId, { call: "decide", by: chosen, snapshot, answer: asked });
  if (!asked.ok) return failed(state, { decisionId, snapshot, reason: asked.error }, { nowMs, out });
  const answer = asked.value;
  if (answer.kind !== "ask") return conclude(state, { decisionId, snapshot, answer, by: chosen }, { nowMs, out });
  state.pending = { decisionId, startedAtMs: nowMs };
  out.record("question", { prompt: answer.question.prompt, fingerprint: answer.question.fingerprint }, decisionId);
  out.ask({ kind: "ask-model", decisionId, question: answer.question, urgent: trigger.urgent });
}

/** The model has answered, or failed to. Prices have moved meanwhile, so everything is judged on the present snapshot. */
export function onModel(state: AgentState, decisionId: string, answer: ModelAnswer, { nowMs, out }: At): void {
  if (state.pending?.decisionId !== decisionId) return;
  state.pending = null;
  const snapshot = snapshotOf(state, nowMs);
  const { chosen } = state.strategies;
  if (answer.kind === "failed")
    return failed(state, { decisionId, snapshot, reason: `the model failed: ${answer.reason}` }, { nowMs, out });
  const wished = interpretReply(chosen, answer.value, snapshot);
  keepPage(out, decisionId, { call: "interpret", by: chosen, snapshot, reply: answer.value, answer: wished });
  if (!wished.ok) return failed(state, { decisionId, snapshot, reason: wished.error }, { nowMs, out });
  if (wished.value.kind === "ask")
    return failed(state, { decisionId, snapshot, reason: "it asked again" }, { nowMs, out });
  conclude(state, { decisionId, snapshot, answer: wished.value, by: chosen }, { nowMs, out });
}

/** No decision came from the chosen strategy. That is counted and shown; the fallback decides and says so. */
function failed(
  state: AgentState,
  why: { decisionId: string; snapshot: Snapshot; reason: string },
  { nowMs, out }: At,
): void {
  const { decisionId, snapshot, reason } = why;
  const { chosen, fallback } = state.strategies;
  state.failures += 1;
  out.log(
    "warn",
    "decision.failed",
    `${chosen.strategy.name} gave no decision (${reason}); ${fallback.strategy.name} decides`,
    { decision: decisionId },
  );
  out.record("decision", { failed: chosen.strategy.name, reason }, decisionId);
  const asked = askStrategy(fallback, snapshot);
  keepPage(out, decisionId, { call: "fallback", by: fallback, snapshot, answer: asked });
  if (asked.ok && asked.value.kind !== "ask")
    conclude(state, { decisionId, snapshot, answer: asked.value, by: fallback }, { nowMs, out });
}

interface Concluded {
  readonly decisionId: string;
  readonly snapshot: Snapshot;
  readonly answer: Exclude<StrategyAnswer, { kind: "ask" }>;
  readonly by: Armed;
}

function conclude(state: AgentState, made: Concluded, { nowMs, out }: At): void {
  const { decisionId, answer, by } = made;
  const wishes = answer.kind === "wishes" ? answer.wishes : [];
  const result = wishes.length === 0 ? answer.note || "nothing to do" : wishes.map(describeWish).join(", ");
  state.lastDecision = { decisionId, atMs: nowMs, strategy: by.strategy.name, result };
  out.record("decision", { by: by.strategy.name, kind: answer.kind, note: answer.note, wishes }, decisionId);
  out.log("info", "decision.made", result, { decision: decisionId, strategy: by.strategy.name, wishes: wishes.length });
  if (wishes.length > 0) carryOut(state, decisionId, wishes, { nowMs, out });
}

const describeWish = (wish: Wish): string =>
  wish.size === 0
    ? `flat ${wish.symbol} ${wish.leg}`
    : `${wish.leg} ${wish.symbol} at ${(wish.size * 100).toFixed(0)}%`;
