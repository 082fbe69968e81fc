/**
 * Exact orders for a target at present prices. Sizes arrive rounded; prices are rounded here, always to the trader's
 * disadvantage. No limit has judged a draft yet.
 */
import { type Decimal, quantize } from "../../core/decimal.ts";
import type { PlaceOrder } from "../../domain/order.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import type { Draft } from "../../risk/view.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import type { AgentSettings, EntrySettings } from "../contract/settings.ts";
import type { BestPrices } from "../state/worth.ts";
import { worseThan } from "./chase.ts";

/** Whether a target is carried out by taking at once, according to the configured style. */
export const takes = (target: Pick<TargetPosition, "urgency">, { style }: EntrySettings): boolean =>
  style === "as-wished" ? target.urgency === "take" : style === "cross";

/** What every draft needs in addition to its target. */
interface DraftInput {
  readonly settings: AgentSettings;
  readonly hedgeMode: boolean;
  readonly nextId: () => string;
}

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
  input: DraftInput,
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
  { symbol, leg: positionSide }: Pick<TargetPosition, "symbol" | "leg">,
  qty: Decimal,
  { rules, quote }: Pick<EntryAt, "rules" | "quote">,
  input: DraftInput,
  slip = input.settings.execution.slippage,
): Draft {
  const long = positionSide === "LONG";
  const limitPrice = quantize(
    long ? quote.bid * (1 - slip) : quote.ask * (1 + slip),
    rules.tickSize,
    long ? "down" : "up",
  );
  const order: PlaceOrder = {
    symbol,
    side: long ? "SELL" : "BUY",
    positionSide: input.hedgeMode ? positionSide : "NONE",
    orderType: "LIMIT",
    qty,
    limitPrice,
    timeInForce: "IOC",
    reduceOnly: !input.hedgeMode,
    clientOrderId: input.nextId(),
  };
  return { order, stopPrice: null, targetPrice: null };
}
