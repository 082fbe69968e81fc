/**
 * Turns targets into drafts. What is held and what is on its way are subtracted, so the same target ten times is one
 * position. Sizes are made here: no float reaches an order without a stated rounding, always to the trader's disadvantage.
 * A reversal is a close now and, at a later decision, an opening.
 */
import { Decimal, minDecimal, quantize, roundToStep, ZERO } from "../../core/decimal.ts";
import { remainingQty } from "../../domain/order.ts";
import { otherSide, positionKeyOf } from "../../domain/position.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import { heldLongEnough } from "../../risk/limits/pace.ts";
import { targetQty } from "../../risk/sizing.ts";
import type { Draft } from "../../risk/view.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { openingDraft, reducingDraft, takes } from "./drafts.ts";
import type { HeldPosition } from "../positions/positions.ts";
import { atWorse } from "../books/amending.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { AgentSettings } from "../contract/settings.ts";
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
  readonly isHedged: (symbol: string) => boolean;
  readonly positions: readonly HeldPosition[];
  readonly live: readonly Tracked[];
  readonly rules: (symbol: string) => SymbolRules | undefined;
  readonly quote: (symbol: string) => BestPrices | null;
  readonly lastClosedMs: (positionKeyOf: string) => number | null;
  /** What is left of a position once what has been asked for is done: `leftAfterReductions`. */
  readonly left: (held: HeldPosition) => Decimal;
  readonly nextId: () => string;
}

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
  const other = input.positions.find(
    (position) => position.key === positionKeyOf(target.symbol, otherSide(target.leg)),
  );
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

const draftInput = ({ symbol }: TargetPosition, { isHedged, ...input }: PlanInput) => ({
  ...input,
  hedgeMode: isHedged(symbol),
});

function planTarget(target: TargetPosition, found: Found, input: PlanInput): readonly Plan[] {
  const { rules } = found;
  const price = quantize(target.leg === "LONG" ? found.quote.ask : found.quote.bid, rules.tickSize, "nearest");
  const size = quantize(target.size, new Decimal("0.001"), "down");
  const wanted = targetQty({ size, price, rules }, input.equityUsdt, input.settings.risk);
  const heldQty = found.held?.position.qty ?? ZERO;
  const comingQty = found.pending.reduce((sum, tracked) => sum.add(remainingQty(atWorse(tracked))), ZERO);
  const leftQty = found.held ? input.left(found.held) : ZERO;
  const missing = wanted.sub(heldQty).sub(comingQty);
  // What is on its way out is neither given up a second time nor bought back.
  const difference = missing.isNegative() ? minDecimal(ZERO, wanted.sub(leftQty).sub(comingQty)) : missing;
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
      draftInput(target, input),
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
  if (input.left(held).sub(excess).lt(smallest)) {
    if (tooYoung(held, input)) return [{ kind: "skip", target, reason: YOUNG }];
    return [{ kind: "close", held: held, reason: "what would be left is less than the venue takes" }];
  }
  const draft = reducingDraft(target, excess, { rules, quote }, draftInput(target, input));
  return [{ kind: "draft", target, opening: false, draft }];
}
