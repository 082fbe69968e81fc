/** From wishes to promises: plans, review, intents; and the last look before an order leaves. */
import { Decimal, toWire } from "../core/decimal.ts";
import { basisOf } from "../domain/closed-trade.ts";
import { type Review, review } from "../risk/review.ts";
import type { Draft } from "../risk/view.ts";
import type { Wish } from "../strategy/strategy.ts";
import type { Intent, Outbox } from "./events.ts";
import { closeLeg, protectionSlots } from "./handle-protection.ts";
import { isLeaving, voided } from "./handover.ts";
import type { Leg } from "./legs.ts";
import { type Plan, planWishes, reducingDraft } from "./planner.ts";
import { riskViewOf } from "./risk-view.ts";
import { type AgentState, nextId, notionalAt } from "./state.ts";

interface At {
  readonly nowMs: number;
  readonly out: Outbox;
}

/** Everything that the wishes ask for, risk-reducing first; what is refused is told with figures. */
export function carryOut(state: AgentState, decisionId: string, wishes: readonly Wish[], { nowMs, out }: At): void {
  const view = riskViewOf(state, nowMs);
  if (!view) return;
  const plans = planWishes(wishes, {
    nowMs,
    settings: state.settings,
    equityUsdt: view.equityUsdt,
    hedgeMode: state.hedgeMode,
    legs: state.legs.all(),
    live: state.orders.live(),
    rules: (symbol) => state.rules.get(symbol),
    quote: (symbol) => {
      const { bid, ask } = state.context.quote(symbol, nowMs);
      return bid === null || ask === null ? null : { bid, ask };
    },
    lastClosedMs: (key) => state.legs.lastClosedMs(key),
    nextId: () => nextId(state, "i"),
  });
  for (const plan of plans) carryOutOne(state, decisionId, plan, { nowMs, out });
}

function carryOutOne(state: AgentState, decisionId: string, plan: Plan, { nowMs, out }: At): void {
  switch (plan.kind) {
    case "close":
      closeLeg(state, plan.leg, { nowMs, out, why: plan.reason, decisionId });
      break;
    case "cancel":
      cancelOrder(state, plan.tracked.clientOrderId, { nowMs, out, why: plan.reason });
      break;
    case "skip":
      out.record("verdict", { symbol: plan.wish.symbol, leg: plan.wish.leg, skipped: plan.reason }, decisionId);
      out.log("debug", "review.verdict", `${plan.wish.symbol} ${plan.wish.leg}: ${plan.reason}`, {
        decision: decisionId,
      });
      break;
    case "draft":
      reviewDraft(state, decisionId, plan, { nowMs, out });
      break;
  }
}

function reviewDraft(
  state: AgentState,
  decisionId: string,
  plan: Extract<Plan, { kind: "draft" }>,
  { nowMs, out }: At,
): void {
  const { draft, wish, opening } = plan;
  const view = riskViewOf(state, nowMs);
  if (!view) return;
  const held = state.legs.get(`${wish.symbol}|${wish.leg}`);
  if (opening && held && isLeaving(state.mind.handover, held)) {
    const skipped = "an earlier strategy's position runs out here: nothing is added to it";
    out.record("verdict", { symbol: wish.symbol, leg: wish.leg, skipped }, decisionId);
    return;
  }
  if (opening && foreignIn(state, wish.symbol)) {
    const skipped = "somebody else's order stands in this symbol";
    out.record("verdict", { symbol: wish.symbol, leg: wish.leg, skipped }, decisionId);
    return;
  }
  const newLeg = opening && !state.legs.get(`${wish.symbol}|${wish.leg}`);
  if (newLeg && protectionSlots(state, nowMs) - openingLegs(state) <= 0) {
    out.record(
      "verdict",
      { symbol: wish.symbol, leg: wish.leg, skipped: "no protective order would fit in time" },
      decisionId,
    );
    out.log(
      "info",
      "review.verdict",
      `${wish.symbol}: waits, its stop could not be placed in time (the venue takes 3 in 50 s)`,
      { decision: decisionId },
    );
    return;
  }
  const reviewed = review(draft, view, state.limits.under(state.settings.risk));
  tell(decisionId, draft, reviewed, out);
  const refusal = reviewed.verdicts.find((verdict) => verdict.kind === "deny");
  if (opening) state.entries.tried(reviewed.kind === "approved" ? null : (refusal?.limit ?? "the limits"), nowMs);
  if (reviewed.kind !== "approved") return;
  const intent: Intent = {
    clientOrderId: reviewed.draft.order.clientOrderId,
    decisionId,
    draft: reviewed.draft,
    opening,
  };
  promise(state, intent, { wish, nowMs, out });
}

/** While an order that is not ours lives, what the account will hold is not ours to say. Fault U5; invariant I3. */
const foreignIn = (state: AgentState, symbol: string): boolean =>
  state.orders.live().some((tracked) => !tracked.ours && tracked.symbol === symbol);

/** Legs that orders on their way will open: each of them will need a protective order. */
function openingLegs(state: AgentState): number {
  const coming = state.orders
    .live()
    .filter((tracked) => tracked.opening && !state.legs.get(`${tracked.symbol}|${tracked.leg}`));
  return new Set(coming.map((tracked) => `${tracked.symbol}|${tracked.leg}`)).size;
}

function promise(state: AgentState, intent: Intent, { wish, nowMs, out }: At & { wish: Wish }): void {
  const { order, stopPrice, targetPrice } = intent.draft;
  state.orders.promise(intent, nowMs);
  const strategy = state.lastDecision?.strategy ?? state.strategies.chosen.strategy.name;
  state.theses.set(intent.clientOrderId, {
    reason: wish.reason,
    strategy,
    basis: basisOf(wish.evidence),
    ...(wish.trail ? { trail: wish.trail } : {}),
  });
  if (intent.opening) state.openingsMs = [...state.openingsMs.slice(-999), nowMs];
  out.record(
    "intent",
    {
      event: "open",
      intentId: intent.clientOrderId,
      clientOrderId: intent.clientOrderId,
      decisionId: intent.decisionId,
      symbol: order.symbol,
      opening: intent.opening,
      leg: wish.leg,
      order: { ...order, qty: toWire(order.qty), limitPrice: order.limitPrice ? toWire(order.limitPrice) : null },
      stopPrice: stopPrice ? toWire(stopPrice) : null,
      targetPrice: targetPrice ? toWire(targetPrice) : null,
      notional: toWire(notionalAt(state, order.symbol, order.qty, order.limitPrice ?? new Decimal(0))),
      reason: wish.reason,
      evidence: wish.evidence,
    },
    intent.decisionId,
  );
  out.ask({ kind: "place", intent, contractSize: state.rules.get(order.symbol)?.contractSize ?? new Decimal(1) });
}

function tell(decisionId: string, draft: Draft, reviewed: Review, out: Outbox): void {
  const { order } = draft;
  const notable = reviewed.verdicts.filter((verdict) => verdict.kind !== "allow");
  const words = notable.map((verdict) => `${verdict.limit}: ${verdict.reason}`).join("; ");
  out.record(
    "verdict",
    {
      clientOrderId: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      kind: reviewed.kind,
      verdicts: reviewed.verdicts,
    },
    decisionId,
  );
  out.log(
    "info",
    "review.verdict",
    `${order.side} ${order.symbol} ${reviewed.kind}${words ? ` (${words})` : `, ${reviewed.verdicts.length} limits agree`}`,
    { decision: decisionId, verdict: reviewed.kind },
  );
}

/** Gives up a part of a leg that the limits no longer carry: an order of its own, under an id of its own. */
export function reduceLeg(
  state: AgentState,
  leg: Leg,
  { qty, why, nowMs, out }: At & { qty: Decimal; why: string },
): void {
  const rules = state.rules.get(leg.symbol);
  const { bid, ask } = state.context.quote(leg.symbol, nowMs);
  const view = riskViewOf(state, nowMs);
  if (!rules || !view || bid === null || ask === null) return closeLeg(state, leg, { nowMs, out, why });
  const reason = `reduce: ${why}`;
  const wish: Wish = {
    symbol: leg.symbol,
    leg: leg.side,
    size: 0,
    stopDistance: 0.01,
    targetDistance: null,
    urgency: "take",
    reason,
    evidence: [],
  };
  const draft = reducingDraft(
    wish,
    qty,
    { rules, quote: { bid, ask } },
    { settings: state.settings, hedgeMode: state.hedgeMode, nextId: () => nextId(state, "i") },
  );
  const reviewed = review(draft, view, state.limits.under(state.settings.risk));
  const decisionId = leg.meta.decisionId ?? nextId(state, "d");
  tell(decisionId, draft, reviewed, out);
  if (reviewed.kind !== "approved") return closeLeg(state, leg, { nowMs, out, why });
  promise(
    state,
    { clientOrderId: reviewed.draft.order.clientOrderId, decisionId, draft: reviewed.draft, opening: false },
    { wish, nowMs, out },
  );
}

export function cancelOrder(state: AgentState, clientOrderId: string, { nowMs, out, why }: At & { why: string }): void {
  const tracked = state.orders.get(clientOrderId);
  if (
    !tracked ||
    tracked.fate !== "known" ||
    (tracked.cancelAskedMs !== null && nowMs - tracked.cancelAskedMs < 10_000)
  )
    return;
  tracked.cancelAskedMs = nowMs;
  out.record("order", { cancel: clientOrderId, why }, tracked.decisionId);
  out.ask({ kind: "cancel", known: tracked.order, decisionId: tracked.decisionId });
}

/** The last look before the wire: would the limits still agree? Null when they do, else why not. */
export function recheck(state: AgentState, intent: Intent, nowMs: number): string | null {
  if (!intent.opening) return null;
  if (state.stage !== "ready") return `the agent is ${state.stage}`;
  const tracked = state.orders.get(intent.clientOrderId);
  if (!tracked || tracked.fate !== "promised") return "its fate is already known";
  if (foreignIn(state, tracked.symbol)) return "somebody else's order stands in this symbol";
  const replaced = voided(state.mind.handover, tracked);
  if (replaced) return replaced;
  const full = riskViewOf(state, nowMs);
  if (!full) return "the account is not known";
  // What was promised after it is judged after it, with this one counted: else a batch would refuse itself.
  const later = (clientOrderId: string): boolean => {
    const other = state.orders.get(clientOrderId);
    return other !== undefined && other.fate === "promised" && other.turn >= tracked.turn;
  };
  const view = { ...full, inFlight: full.inFlight.filter((flight) => !later(flight.clientOrderId)) };
  const again = review(intent.draft, view, state.limits.under(state.settings.risk));
  if (again.kind === "approved" && again.draft.order.qty.eq(intent.draft.order.qty)) return null;
  const against = again.verdicts.find((verdict) => verdict.kind !== "allow");
  return against ? `${against.limit}: ${against.reason}` : "the limits no longer agree";
}
