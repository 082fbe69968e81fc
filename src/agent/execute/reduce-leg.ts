/** Giving up a part of what is held, and what is left below the venue's smallest order. */
import { Decimal, quantize, toWire } from "../../core/decimal.ts";
import type { Wish } from "../../strategy/strategy.ts";
import type { At } from "../contract/effects.ts";
import { closeLeg } from "../protect/handle-protection.ts";
import { isClosing, type Leg, leftOf } from "../legs/leg.ts";
import { reducingDraft } from "./planner.ts";
import { reviewDraft } from "./review-draft.ts";
import { smallestQty } from "./slices.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { markOf, quoteOf } from "../state/worth.ts";

/** Each try after one that found too little may go so many times as far from the best price, up to a tenth of it. */
const FURTHER = 4;
const FURTHEST = 0.1;

/**
 * Gives up a part of a leg that the limits no longer carry: an order of its own, under an id of its own. `tries` have gone
 * before it and found too little.
 */
export function reduceLeg(
  state: AgentState,
  leg: Leg,
  { qty, why, tries, nowMs, out }: At & { qty: Decimal; why: string; tries: number },
): void {
  const rules = state.rules.get(leg.symbol);
  const quote = quoteOf(state, leg.symbol, nowMs);
  if (!rules || !quote) return closeLeg(state, leg, { nowMs, out, why });
  // Less than the venue takes is made as much as it takes; a rest that it would not take goes along.
  const smallest = smallestQty(quantize(leg.side === "LONG" ? quote.bid : quote.ask, rules.tickSize, "nearest"), rules);
  const given = Decimal.max(qty, smallest);
  if (leftOf(leg).sub(given).lt(smallest)) return closeLeg(state, leg, { nowMs, out, why });
  const reason = `reduce: ${why}`;
  const { slippage } = state.settings.execution;
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
    given,
    { rules, quote },
    { settings: state.settings, hedgeMode: isHedged(state, leg.symbol), nextId: () => nextId(state, "i") },
    Math.max(slippage, Math.min(slippage * FURTHER ** tries, FURTHEST)),
  );
  const decisionId = leg.meta.decisionId ?? nextId(state, "d");
  const promised = reviewDraft(state, { decisionId, draft, wish, opening: false, part: null }, { nowMs, out });
  if (!promised) closeLeg(state, leg, { nowMs, out, why });
}

/** A leg may be this small for so long: an entry that is still being filled begins small. */
const DUST_AFTER_MS = 8_000;

/**
 * A leg worth less than the smallest order of the venue cannot be reduced, only closed whole, and its stop may be refused:
 * an entry that filled so little is given back. It is told as what it is.
 */
export function sweepDust(state: AgentState, at: At): void {
  for (const leg of state.legs.all()) {
    if (isClosing(leg, at.nowMs) || at.nowMs - leg.meta.openedAtMs < DUST_AFTER_MS) continue;
    if (state.parents.has(leg.key) || state.orders.live().some((tracked) => isOn(leg, tracked))) continue;
    const rules = state.rules.get(leg.symbol);
    const mark = markOf(state, leg.symbol, at.nowMs);
    if (!rules || !mark?.gt(0)) continue;
    const smallest = smallestQty(mark, rules);
    if (leg.position.qty.gte(smallest)) continue;
    const why = `dust: ${toWire(leg.position.qty)} held, the venue's smallest order is ${toWire(smallest)}`;
    closeLeg(state, leg, { ...at, why, cause: "limit" });
  }
}

const isOn = (leg: Leg, tracked: { readonly symbol: string; readonly leg: string }): boolean =>
  tracked.symbol === leg.symbol && tracked.leg === leg.side;
