/**
 * Turns targets into drafts. What is held and what is on its way are subtracted, so the same target ten times is one
 * position. Sizes are made here: no float reaches an order without a stated rounding, always to the trader's disadvantage.
 * A reversal is a close now and, at a later decision, an opening.
 */
import { Decimal, quantize, roundToStep, ZERO } from "../../core/decimal.ts";
import { type PlaceOrder, remainingQty } from "../../domain/order.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import { heldLongEnough } from "../../risk/limits/pace.ts";
import { targetQty } from "../../risk/sizing.ts";
import type { Draft } from "../../risk/view.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { worseThan } from "./chase.ts";
import type { HeldPosition } from "../positions/positions.ts";
import { atWorse } from "../books/amending.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { AgentSettings, EntrySettings } from "../contract/settings.ts";
import { smallestQty } from "./slices.ts";
import type { BestPrices } from "../state/worth.ts";

/** One thing to do for a target. No limit has judged its draft yet. */
export type Plan =
  | { readonly kind: "close"; readonly held: HeldPosition; readonly reason: string }
  | { readonly kind: "cancel"; readonly tracked: Tracked; readonly reason: string }
  | { readonly kind: "draft"; readonly draft: Draft; readonly target: TargetPosition; readonly opening: boolean }
  /** The open order should have another size: `qty` is its whole new quantity. */
  | { readonly kind: "resize"; readonly target: TargetPosition; readonly tracked: Tracked; readonly qty: Decimal }
  /** The position and the open orders already match the target. */
  | { readonly kind: "settled"; readonly target: TargetPosition; readonly coming: readonly Tracked[] }
  | { readonly kind: "skip"; readonly target: TargetPosition; readonly reason: string };

/** Account and market of one instant. `live` are orders that have not ended; `nextId` makes client order ids. */
export interface PlanInput {
  readonly nowMs: number;
  readonly settings: AgentSettings;
  readonly equityUsdt: Decimal;
  readonly hedgeMode: boolean;
  readonly positions: readonly HeldPosition[];
  readonly live: readonly Tracked[];
  readonly rules: (symbol: string) => SymbolRules | undefined;
  readonly quote: (symbol: string) => BestPrices | null;
  readonly lastClosedMs: (positionKeyOf: string) => number | null;
  readonly nextId: () => string;
}

const opposite = (positionSide: "LONG" | "SHORT"): "LONG" | "SHORT" => (positionSide === "LONG" ? "SHORT" : "LONG");

/** Everything the targets ask for, risk-reducing first. */
export function planTargets(targets: readonly TargetPosition[], input: PlanInput): readonly Plan[] {
  const plans = targets.flatMap((target) => planOne(target, input));
  const rank = (plan: Plan): number =>
    plan.kind === "close" || plan.kind === "cancel" ? 0 : plan.kind === "draft" && !plan.opening ? 1 : 2;
  return plans.sort((a, b) => rank(a) - rank(b));
}

function planOne(target: TargetPosition, input: PlanInput): readonly Plan[] {
  const skip = (reason: string): readonly Plan[] => [{ kind: "skip", target, reason }];
  const key = positionKeyOf(target.symbol, target.leg);
  const held = input.positions.find((position) => position.key === key);
  // Orders of others are not the strategy's: while one is open in the symbol, the limits let nothing be opened there.
  const opening = input.live.filter(({ symbol, opening, ours }) => symbol === target.symbol && opening && ours);
  const pending = opening.filter((tracked) => tracked.leg === target.leg);
  if (target.size === 0) return planFlat(target, { held, pending }, input);
  const rules = input.rules(target.symbol);
  const quote = input.quote(target.symbol);
  if (!rules) return skip("the symbol's rules are not known yet");
  if (!quote) return skip("there is no quote yet");
  if (pending.some((tracked) => tracked.fate === "unknown" || tracked.amend?.fate === "unknown"))
    return skip("the fate of an earlier order on this position is not known");
  const other = input.positions.find((position) => position.key === positionKeyOf(target.symbol, opposite(target.leg)));
  if (other && tooYoung(other, input)) return skip(YOUNG);
  if (other)
    return [{ kind: "close", held: other, reason: `turning to ${target.leg}: close first, open at a later decision` }];
  const facing = opening.filter((tracked) => tracked.leg !== target.leg);
  if (facing.length > 0)
    return [
      ...facing.map((tracked): Plan => ({ kind: "cancel", tracked, reason: `turning to ${target.leg}` })),
      ...skip("an order on the other position is being withdrawn first"),
    ];
  const closedMs = input.lastClosedMs(key);
  if (!held && closedMs !== null && input.nowMs - closedMs < input.settings.risk.reentryCooldown) {
    return skip("this position was closed a short while ago");
  }
  return planTarget(target, { held, pending, rules, quote }, input);
}

const YOUNG = "the position is younger than the minimum holding; its stop looks after it";

/** A change of mind waits; stops, limits, handovers and the operator bypass this check. */
const tooYoung = (held: HeldPosition, { nowMs, settings }: PlanInput): boolean =>
  !heldLongEnough(held.meta.openedAtMs, nowMs, settings.risk);

function planFlat(
  target: TargetPosition,
  { held, pending }: Pick<Found, "held" | "pending">,
  input: PlanInput,
): readonly Plan[] {
  const cancels = pending.map((tracked): Plan => ({ kind: "cancel", tracked, reason: target.reason }));
  if (!held) return cancels;
  const young = tooYoung(held, input);
  return [
    ...cancels,
    young ? { kind: "skip", target, reason: YOUNG } : { kind: "close", held: held, reason: target.reason },
  ];
}

interface Found {
  readonly held: HeldPosition | undefined;
  readonly pending: readonly Tracked[];
  readonly rules: SymbolRules;
  readonly quote: BestPrices;
}

function planTarget(target: TargetPosition, found: Found, input: PlanInput): readonly Plan[] {
  const { rules } = found;
  const price = quantize(target.leg === "LONG" ? found.quote.ask : found.quote.bid, rules.tickSize, "nearest");
  const size = quantize(target.size, new Decimal("0.001"), "down");
  const wanted = targetQty({ size, price, rules }, input.equityUsdt, input.settings.risk);
  const heldQty = found.held?.position.qty ?? ZERO;
  const comingQty = found.pending.reduce((sum, tracked) => sum.add(remainingQty(atWorse(tracked))), ZERO);
  const difference = wanted.sub(heldQty).sub(comingQty);
  const band = wanted.mul(input.settings.execution.rebalanceBand);
  const skip = (reason: string): readonly Plan[] => [{ kind: "skip", target, reason }];
  if (difference.abs().lte(band)) {
    if (wanted.isZero()) return skip("the target is smaller than one lot");
    return found.pending.length > 0 ? [{ kind: "settled", target, coming: found.pending }] : skip(AT_TARGET);
  }
  const [coming, another] = found.pending;
  if (another) return skip("several orders are still on their way");
  if (coming) return [resized(target, coming, { difference, rules })];
  if (difference.gt(0)) {
    const draft = openingDraft(
      target,
      difference,
      { ...found, take: takes(target, input.settings.execution.entry) },
      input,
    );
    return [{ kind: "draft", target, opening: true, draft }];
  }
  return reduced(target, { ...found, price, excess: roundToStep(difference.abs(), rules.lotSize, "down") }, input);
}

export const AT_TARGET = "already at the target";

/** The open order is resized before the position is touched: not filling costs nothing. */
function resized(
  target: TargetPosition,
  coming: Tracked,
  { difference, rules }: { readonly difference: Decimal; readonly rules: SymbolRules },
): Plan {
  const qty = roundToStep(coming.order.qty.add(difference), rules.lotSize, "down");
  if (qty.gt(coming.order.executedQty)) return { kind: "resize", target, tracked: coming, qty };
  return { kind: "cancel", tracked: coming, reason: "what is held covers the target" };
}

interface Excess extends Found {
  readonly price: Decimal;
  readonly excess: Decimal;
}

/** Reduces the excess: nothing if it is below the venue's smallest order, everything if only dust would remain. */
function reduced(
  target: TargetPosition,
  { held, rules, quote, price, excess }: Excess,
  input: PlanInput,
): readonly Plan[] {
  if (!held || excess.isZero()) return [{ kind: "skip", target, reason: AT_TARGET }];
  const smallest = smallestQty(price, rules);
  if (excess.lt(smallest)) return [{ kind: "skip", target, reason: "the excess is less than the venue takes" }];
  if (held.position.qty.sub(excess).lt(smallest)) {
    if (tooYoung(held, input)) return [{ kind: "skip", target, reason: YOUNG }];
    return [{ kind: "close", held: held, reason: "what would be left is less than the venue takes" }];
  }
  return [{ kind: "draft", target, opening: false, draft: reducingDraft(target, excess, { rules, quote }, input) }];
}

/** Whether a target is carried out by taking at once, according to the configured style. */
export const takes = (target: Pick<TargetPosition, "urgency">, { style }: EntrySettings): boolean =>
  style === "as-wished" ? target.urgency === "take" : style === "cross";

/** `take` writes an IOC order across the spread; without it a post-only one at the best price of its side. */
export interface EntryAt {
  readonly rules: SymbolRules;
  readonly quote: BestPrices;
  readonly take: boolean;
  /** No entry beyond this price; without it only the slippage limits the price. */
  readonly bound?: Decimal;
}

/** An order into the position at present prices. Taking may pay up to the slippage; resting joins the best price of its side. */
export function openingDraft(
  aim: TargetPosition,
  qty: Decimal,
  { rules, quote, take, bound }: EntryAt,
  input: Pick<PlanInput, "settings" | "hedgeMode" | "nextId">,
): Draft {
  const long = aim.leg === "LONG";
  const best = long === take ? quote.ask : quote.bid;
  const slip = take ? (long ? 1 : -1) * input.settings.execution.slippage : 0;
  const slipped = quantize(best * (1 + slip), rules.tickSize, long ? "down" : "up");
  const limitPrice = bound && worseThan(aim.leg, slipped, bound) ? bound : slipped;
  const entry = quantize(best, rules.tickSize, "nearest");
  const away = (distance: number, rounding: "down" | "up"): Decimal =>
    quantize(entry.toNumber() * (1 + distance), rules.tickSize, rounding);
  const { targetDistance: target } = aim;
  const targetPrice = target === null ? null : long ? away(target, "down") : away(-target, "up");
  const order: PlaceOrder = {
    symbol: aim.symbol,
    side: long ? "BUY" : "SELL",
    positionSide: input.hedgeMode ? aim.leg : "NONE",
    orderType: "LIMIT",
    qty,
    limitPrice,
    timeInForce: take ? "IOC" : "GTX",
    reduceOnly: false,
    clientOrderId: input.nextId(),
  };
  return {
    order,
    stopPrice: long ? away(-aim.stopDistance, "up") : away(aim.stopDistance, "down"),
    // A short can win no more than the whole price, and no order can have a price below one tick.
    targetPrice: targetPrice?.gt(0) ? targetPrice : null,
  };
}

/** An IOC order that reduces a position at once, paying at most the slippage: the configured one unless another is given. */
export function reducingDraft(
  leg: Pick<TargetPosition, "symbol" | "leg">,
  qty: Decimal,
  { rules, quote }: Pick<Found, "rules" | "quote">,
  input: Pick<PlanInput, "settings" | "hedgeMode" | "nextId">,
  slip = input.settings.execution.slippage,
): Draft {
  const long = leg.leg === "LONG";
  const limitPrice = quantize(
    long ? quote.bid * (1 - slip) : quote.ask * (1 + slip),
    rules.tickSize,
    long ? "down" : "up",
  );
  const order: PlaceOrder = {
    symbol: leg.symbol,
    side: long ? "SELL" : "BUY",
    positionSide: input.hedgeMode ? leg.leg : "NONE",
    orderType: "LIMIT",
    qty,
    limitPrice,
    timeInForce: "IOC",
    reduceOnly: !input.hedgeMode,
    clientOrderId: input.nextId(),
  };
  return { order, stopPrice: null, targetPrice: null };
}
