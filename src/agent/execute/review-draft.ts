/** Turns a draft into an intent: every limit judges it, and what they allow is journalled as an intent before it leaves. */
import { ONE, ZERO } from "../../core/decimal.ts";
import { basisOf } from "../../domain/closed-trade.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { review, type Review } from "../../risk/review.ts";
import { type Draft, openingsOfDay } from "../../risk/view.ts";
import { venueNotBefore } from "../../domain/venue-time.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { Intent } from "../books/intents.ts";
import { isLeaving } from "../contract/handover.ts";
import { closesIn, foreignIn } from "./recheck.ts";
import { predictOrder } from "../view/measure-costs.ts";
import { riskViewOf } from "../view/risk-view.ts";
import type { AgentState } from "../state/state.ts";
import { lacksStopSlot } from "../view/stop-slots.ts";
import { notionalAt } from "../state/worth.ts";
import { type ChildPart, intentRow } from "../../rows/intent.ts";
import { verdictRow } from "../../rows/verdict.ts";
import { verdictText } from "../../risk/verdict.ts";
import { HOUR_MS } from "../../core/time.ts";
import { counted } from "../../core/words.ts";

/** One order for one target, before any limit has seen it. */
export interface Drafted {
  readonly decisionId: string;
  readonly decidedAtMs: number;
  /** The strategy behind the decision. */
  readonly decidedBy: string;
  readonly draft: Draft;
  readonly target: TargetPosition;
  readonly opening: boolean;
  /** Which child of a parent order this is; null if the decision goes in a single order. */
  readonly part: ChildPart | null;
}

/** Who made the newest decision: the chosen strategy, or the fallback. */
export const deciderOf = ({ lastDecision, strategies }: AgentState): string =>
  lastDecision?.strategy ?? strategies.chosen.strategy.name;

/** Why an opening is impossible at any size; null if it is possible. */
function standsAgainst(
  state: AgentState,
  { target: { symbol, leg: positionSide }, draft }: Drafted,
  nowMs: number,
): string | null {
  const key = positionKeyOf(symbol, positionSide);
  const held = state.positions.get(key);
  if (held && isLeaving(state.deciding.handover, held))
    return "an earlier strategy's position runs out here: nothing is added to it";
  if (foreignIn(state, symbol)) return "somebody else's order stands in this symbol";
  const refused = closesIn(state, key, nowMs) ?? state.staleRules.of(symbol);
  if (refused) return refused;
  return lacksStopSlot(state, key, { nowMs, stop: draft.stopPrice });
}

/** The intent made from a draft; null if it is impossible or a limit refuses it, which is reported. */
export function reviewDraft(state: AgentState, drafted: Drafted, { nowMs, out }: At): Intent | null {
  const { decisionId, decidedAtMs, draft, target, opening } = drafted;
  const view = riskViewOf(state, nowMs);
  if (!view) return null;
  const skipped = opening ? standsAgainst(state, drafted, nowMs) : null;
  if (skipped) {
    out.record(verdictRow({ symbol: target.symbol, leg: target.leg, skipped }), decisionId);
    out.log("info", "review.verdict", `${target.symbol} waits: ${skipped}`, { decision: decisionId });
    return null;
  }
  const reviewed = review(draft, view, state.limits.under(state.settings.risk));
  reportReview(decisionId, draft, reviewed, out);
  const refusal = reviewed.verdicts.find((verdict) => verdict.kind === "deny");
  if (opening) state.entries.tried(reviewed.kind === "approved" ? null : (refusal?.limit ?? "the limits"), nowMs);
  if (reviewed.kind !== "approved") return null;
  const { clientOrderId } = reviewed.draft.order;
  const intent: Intent = { clientOrderId, decisionId, decidedAtMs, draft: reviewed.draft, opening };
  promise(state, intent, { ...drafted, nowMs, out });
  return intent;
}

/** Whether an opening begins a new position: it neither adds to one nor continues an entry. */
export function beginsPosition(state: AgentState, { symbol, leg }: Pick<TargetPosition, "symbol" | "leg">): boolean {
  const key = positionKeyOf(symbol, leg);
  return !state.positions.get(key) && !state.parents.has(key);
}

/** Counts a position that begins. */
function noteEntry(state: AgentState, nowMs: number): void {
  state.entriesMs = [...state.entriesMs.filter((atMs) => nowMs - atMs < HOUR_MS), nowMs];
}

function promise(
  state: AgentState,
  intent: Intent,
  { target, part, decidedBy, nowMs, out }: At & Pick<Drafted, "target" | "part" | "decidedBy">,
): void {
  const { order, stopPrice, targetPrice } = intent.draft;
  const notBeforeMs = venueNotBefore(state.venueTime, nowMs);
  state.orders.promise({ ...intent, notBeforeMs }, nowMs);
  state.theses.set(intent.clientOrderId, {
    reason: target.reason,
    strategy: decidedBy,
    basis: basisOf(target.evidence),
    ...(target.trail ? { trail: target.trail } : {}),
  });
  const { opening, decisionId } = intent;
  const predicted = predictOrder(state, order, { opening, decisionId, nowMs });
  const begins = opening && beginsPosition(state, target);
  if (begins) noteEntry(state, nowMs);
  if (intent.opening) {
    const opening = { symbol: order.symbol, side: target.leg, atMs: nowMs };
    state.recentOpenings = openingsOfDay([...state.recentOpenings, opening], nowMs);
  }
  out.record(
    intentRow({
      event: "open",
      intentId: intent.clientOrderId,
      clientOrderId: intent.clientOrderId,
      decisionId: intent.decisionId,
      symbol: order.symbol,
      opening: intent.opening,
      leg: target.leg,
      ...(opening && { begins }),
      order,
      stopPrice,
      targetPrice,
      notional: notionalAt(state, order.symbol, order.qty, order.limitPrice ?? ZERO),
      reason: target.reason,
      strategy: decidedBy,
      evidence: target.evidence,
      ...(target.trail && { trail: target.trail }),
      ...(part && { part }),
      ...(predicted && { predicted }),
      notBeforeMs,
    }),
    intent.decisionId,
  );
  out.ask({ kind: "place", intent, contractSize: state.rules.get(order.symbol)?.contractSize ?? ONE });
}

/** The `verdict` row holds every verdict; the log line names only those that did not allow the order. */
export function reportReview(decisionId: string, draft: Draft, reviewed: Review, out: Outbox): void {
  const { order } = draft;
  const notable = reviewed.verdicts.filter((verdict) => verdict.kind !== "allow");
  const words = notable.map(verdictText).join("; ");
  out.record(
    verdictRow({
      clientOrderId: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      kind: reviewed.kind,
      verdicts: reviewed.verdicts,
    }),
    decisionId,
  );
  out.log(
    "info",
    "review.verdict",
    `${order.side} ${order.symbol} ${reviewed.kind}${words ? ` (${words})` : `, ${counted(reviewed.verdicts.length, "limit agrees", "limits agree")}`}`,
    { decision: decisionId, verdict: reviewed.kind },
  );
}
