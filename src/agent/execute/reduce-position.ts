/** Reduces positions, and closes those that are below the venue's smallest order. */
import { Decimal, quantize, toWire } from "../../core/decimal.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import type { At } from "../contract/effects.ts";
import { isClosing, type HeldPosition } from "../positions/held-position.ts";
import { reducingDraft } from "./drafts.ts";
import { leftAfterReductions } from "./pending-reductions.ts";
import { deciderOf, reviewDraft } from "./review-draft.ts";
import { isEnough, smallestQty } from "./slices.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { markOf, quoteOf } from "../state/worth.ts";
import { closeHeld } from "../protect/close-held.ts";

/** Each try after one that filled too little may go this many times as far from the best price, up to a tenth of it. */
const FURTHER = 4;
const FURTHEST = 0.1;

/**
 * Reduces a position that the limits no longer allow at its size: an order of its own, under its own id. `tries` earlier
 * reductions filled too little. Answers the order's id; null where the position is closed instead.
 */
export function reducePosition(
  state: AgentState,
  held: HeldPosition,
  { qty, why, tries, nowMs, out }: At & { qty: Decimal; why: string; tries: number },
): string | null {
  const close = (): null => {
    closeHeld(state, held, { nowMs, out, why });
    return null;
  };
  const rules = state.rules.get(held.symbol);
  const quote = quoteOf(state, held.symbol, nowMs);
  if (!rules || !quote) return close();
  // An order below the venue's minimum is raised to it; a remaining position below the minimum is closed along with it.
  const smallest = smallestQty(
    quantize(held.side === "LONG" ? quote.bid : quote.ask, rules.tickSize, "nearest"),
    rules,
  );
  const given = Decimal.max(qty, smallest);
  if (leftAfterReductions(state, held).sub(given).lt(smallest)) return close();
  const reason = `reduce: ${why}`;
  const { slippage } = state.settings.execution;
  const target: TargetPosition = {
    symbol: held.symbol,
    leg: held.side,
    size: 0,
    stopDistance: 0.01,
    targetDistance: null,
    urgency: "take",
    reason,
    evidence: [],
  };
  const draft = reducingDraft(
    target,
    given,
    { rules, quote },
    { settings: state.settings, hedgeMode: isHedged(state, held.symbol), nextId: () => nextId(state, "i") },
    Math.max(slippage, Math.min(slippage * FURTHER ** tries, FURTHEST)),
  );
  const decisionId = held.meta.decisionId ?? nextId(state, "d");
  const drafted = {
    decisionId,
    decidedAtMs: nowMs,
    decidedBy: held.meta.strategy ?? deciderOf(state),
    draft,
    target,
    opening: false,
    part: null,
  };
  const promised = reviewDraft(state, drafted, { nowMs, out });
  return promised ? promised.clientOrderId : close();
}

/** A position may be this small for this long: an entry that is still being filled begins small. */
const DUST_AFTER_MS = 8_000;

/**
 * A position worth less than the venue's smallest order cannot be reduced, only closed whole, and its stop may be refused:
 * an entry that filled so little is closed again. The reason says that it is dust.
 */
export function closeDust(state: AgentState, at: At): void {
  for (const held of state.positions.all()) {
    if (isClosing(held, at.nowMs) || at.nowMs - held.meta.openedAtMs < DUST_AFTER_MS) continue;
    if (state.parents.has(held.key) || state.orders.live().some((tracked) => isOn(held, tracked))) continue;
    const rules = state.rules.get(held.symbol);
    const mark = markOf(state, held.symbol, at.nowMs);
    if (!rules || !mark?.gt(0)) continue;
    const { qty } = held.position;
    if (isEnough(qty, mark, rules)) continue;
    const why = `dust: ${toWire(qty)} held, the venue's smallest order is ${toWire(smallestQty(mark, rules))}`;
    closeHeld(state, held, { ...at, why, cause: "limit" });
  }
}

const isOn = (held: HeldPosition, tracked: { readonly symbol: string; readonly leg: string }): boolean =>
  tracked.symbol === held.symbol && tracked.leg === held.side;
