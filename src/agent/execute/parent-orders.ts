/**
 * One decision's entry into one position: a parent that places its child orders one after another. A post-only child follows
 * the price within the parent's bounds; what is too large for the visible depth goes in slices. At most one child is open at
 * a time, each is judged like any other order, and the unplaced rest counts nowhere. A parent lives in memory: a restart
 * withdraws its resting orders, and the strategy decides afresh.
 */
import { Decimal, quantize, toWire, ZERO } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import type { Draft } from "../../risk/view.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { entryBound, worseThan } from "./chase.ts";
import type { At } from "../contract/effects.ts";
import type { Intent } from "../books/intents.ts";
import type { Tracked } from "../books/order-tracker.ts";
import { type DecidedAt, openingSide, type ParentOrder } from "../books/parent-order.ts";
import { openingDraft, takes } from "./drafts.ts";
import { deciderOf, reviewDraft } from "./review-draft.ts";
import { nextSlice } from "./slices.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { type BestPrices, quoteOf } from "../state/worth.ts";
import { predictCrossing } from "../view/measure-costs.ts";
import { verdictRow } from "../../rows/verdict.ts";

interface Scene {
  readonly rules: SymbolRules;
  readonly quote: BestPrices;
}

/** Null if rules or one of the best prices are missing: nothing is placed or re-priced then. */
export function sceneOf(state: AgentState, symbol: string, nowMs: number): Scene | null {
  const rules = state.rules.get(symbol);
  const quote = quoteOf(state, symbol, nowMs);
  return rules && quote ? { rules, quote } : null;
}

/** The best price of the side that an entry rests on, or takes from. */
export const bestOf = (
  { leg: positionSide }: Pick<TargetPosition, "leg">,
  { bid, ask }: BestPrices,
  take: boolean,
): number => ((positionSide === "LONG") === take ? ask : bid);

function boundOf(
  state: AgentState,
  target: TargetPosition,
  { scene, nowMs }: { scene: Scene; nowMs: number },
): Decimal {
  const { entry } = state.settings.execution;
  const decided = bestOf(target, scene.quote, takes(target, entry));
  const sigmaHour = state.context.volatilityHour(target.symbol, nowMs);
  return entryBound(target.leg, { decided, sigmaHour, tick: scene.rules.tickSize }, entry);
}

/** How much of the rest is placed now. */
export function sliceOf(
  state: AgentState,
  target: TargetPosition,
  of: { readonly left: Decimal; readonly scene: Scene; readonly take: boolean; readonly nowMs: number },
): Decimal {
  const { slices } = state.settings.execution;
  const { left, scene, take, nowMs } = of;
  const bid = (target.leg === "LONG") !== take;
  const price = quantize(bestOf(target, scene.quote, take), scene.rules.tickSize, "nearest");
  const depthUsdt = state.context.depth(target.symbol, { bid, band: slices.band }, nowMs);
  return nextSlice({ left, price, rules: scene.rules, depthUsdt, settings: slices });
}

interface Begun {
  readonly decisionId: string;
  readonly target: TargetPosition;
  readonly totalQty: Decimal;
  readonly scene: Scene;
}

function newParent(state: AgentState, { decisionId, target, totalQty, scene }: Begun, nowMs: number): ParentOrder {
  const style = takes(target, state.settings.execution.entry) ? "cross" : "post-only";
  return {
    key: positionKeyOf(target.symbol, target.leg),
    strategy: state.strategies.chosen.strategy.name,
    decidedBy: deciderOf(state),
    decisionId,
    target,
    decidedAtMs: nowMs,
    style,
    decided: style === "cross" ? null : decidedAt(state, { target, totalQty }, nowMs),
    bound: boundOf(state, target, { scene, nowMs }),
    totalQty,
    filledQty: ZERO,
    child: null,
    children: 0,
    chases: 0,
    putAtMs: nowMs,
    pricedAtMs: nowMs,
    ending: null,
    nextAtMs: nowMs,
  };
}

function decidedAt(
  state: AgentState,
  { target, totalQty }: Pick<Begun, "target" | "totalQty">,
  nowMs: number,
): DecidedAt | null {
  const order = { symbol: target.symbol, side: openingSide(target), qty: totalQty };
  const found = predictCrossing(state, order, nowMs);
  return found && { atMs: nowMs, mid: found.mid, crossBps: found.slippageBps + found.feeBps };
}

/** A decision opens: the first child is placed at once and replaces what an earlier decision still had to place here. */
export function beginEntry(
  state: AgentState,
  {
    decisionId,
    target,
    draft,
  }: { readonly decisionId: string; readonly target: TargetPosition; readonly draft: Draft },
  at: At,
): void {
  const scene = sceneOf(state, target.symbol, at.nowMs);
  if (!scene) return;
  const totalQty = draft.order.qty;
  const parent = newParent(state, { decisionId, target, totalQty, scene }, at.nowMs);
  const take = parent.style === "cross";
  const qty = sliceOf(state, target, { left: totalQty, scene, take, nowMs: at.nowMs });
  if (placeChild(state, parent, { ...draft, order: { ...draft.order, qty } }, at))
    state.parents.set(parent.key, parent);
  else state.parents.delete(parent.key);
}

/** The same decision again, or a newer one with the same target: its bounds are recalculated from present prices. */
export function reaffirm(
  state: AgentState,
  decisionId: string,
  { target, child }: Reaffirmed,
  at: At,
): ParentOrder | null {
  const key = positionKeyOf(target.symbol, target.leg);
  const scene = sceneOf(state, target.symbol, at.nowMs);
  const known = state.parents.get(key);
  if (!scene || !child.ours || known?.ending != null) return null;
  const mine = known?.child === child.clientOrderId ? known : null;
  const totalQty = mine?.totalQty ?? child.order.qty;
  const fresh = newParent(state, { decisionId, target, totalQty, scene }, at.nowMs);
  const { filledQty = ZERO, children = 1, decided = fresh.decided } = mine ?? {};
  const parent = { ...fresh, filledQty, children, decided, child: child.clientOrderId };
  state.parents.set(key, parent);
  return parent;
}

interface Reaffirmed {
  readonly target: TargetPosition;
  /** Its open order. */
  readonly child: Tracked;
}

/** Judges one child and writes its intent. False if the limits refuse it; a child that they shrink is not tried again. */
function placeChild(state: AgentState, parent: ParentOrder, draft: Draft, at: At): boolean {
  const { target, decisionId, decidedAtMs, decidedBy } = parent;
  const cut = draft.order.qty.lt(parent.totalQty.sub(parent.filledQty));
  const part = cut || parent.children > 0 ? partOf(parent) : null;
  const drafted = { decisionId, decidedAtMs, decidedBy, draft, target, opening: true, part };
  const intent: Intent | null = reviewDraft(state, drafted, at);
  if (!intent) return false;
  const { qty } = intent.draft.order;
  if (qty.lt(draft.order.qty)) parent.totalQty = parent.filledQty.add(qty);
  parent.child = intent.clientOrderId;
  parent.children += 1;
  parent.putAtMs = at.nowMs;
  parent.pricedAtMs = at.nowMs;
  return true;
}

const partOf = ({ children, totalQty, filledQty }: ParentOrder) => ({
  no: children + 1,
  totalQty,
  filledQty,
});

/** Why no further child was placed if the market moved too far. */
export const RAN_AWAY = "the price ran beyond its bound";

/** Places the next child at present prices: null if it was placed, else the reason why not. */
export function placeNext(state: AgentState, parent: ParentOrder, at: At): string | null {
  const { target } = parent;
  const scene = sceneOf(state, target.symbol, at.nowMs);
  if (!scene) return "no price is known";
  const take = parent.style === "cross";
  const best = quantize(bestOf(target, scene.quote, take), scene.rules.tickSize, target.leg === "LONG" ? "up" : "down");
  if (worseThan(target.leg, best, parent.bound)) return RAN_AWAY;
  const left = parent.totalQty.sub(parent.filledQty);
  const qty = sliceOf(state, target, { left, scene, take, nowMs: at.nowMs });
  const input = {
    settings: state.settings,
    hedgeMode: isHedged(state, target.symbol),
    nextId: () => nextId(state, "i"),
  };
  const draft = openingDraft(target, qty, { ...scene, take, bound: parent.bound }, input);
  return placeChild(state, parent, draft, at) ? null : "the limits do not agree to more";
}

/** What its present child has entered, or may still enter unless it is withdrawn. */
function enteredBy(child: Tracked | undefined): Decimal {
  if (!child) return ZERO;
  const goesOn = child.fate !== "ended" && child.cancelAskedMs === null && !child.unwanted;
  return goesOn ? child.order.qty : child.order.executedQty;
}

/** Nothing more is placed. A rest that was not entered is reported. */
export function endEntry(state: AgentState, parent: ParentOrder, why: string, { out }: At): void {
  if (state.parents.get(parent.key) === parent) state.parents.delete(parent.key);
  const { target, decisionId } = parent;
  const child = parent.child === null ? undefined : state.orders.get(parent.child);
  const left = parent.totalQty.sub(parent.filledQty).sub(enteredBy(child));
  if (left.lte(0)) return;
  const skipped = `${toWire(left)} of ${toWire(parent.totalQty)} were not entered: ${why}`;
  out.record(verdictRow({ symbol: target.symbol, leg: target.leg, skipped }), decisionId);
  out.log("info", "order.dropped", `${target.symbol} ${target.leg}: ${skipped}`, { decision: decisionId });
}
