/**
 * Converts a target's size, 0 to 1, to a quantity in lots. The scale is one symbol's share of equity, regardless of
 * other positions, so the same target gives the same quantity. The review decides how much of it the limits allow.
 */
import { type Decimal, roundToStep } from "../core/decimal.ts";
import type { SymbolRules } from "../domain/symbol.ts";
import type { RiskSettings } from "./settings.ts";

/** The size of a target position and the facts that convert it. */
export interface SizeTarget {
  /** 0 (flat) to 1 (the whole share of one symbol). */
  readonly size: Decimal;
  /** Price that values the position, above zero. */
  readonly price: Decimal;
  readonly rules: SymbolRules;
}

/** A multiple of the lot, rounded down; may be below the venue's minimum. */
export function targetQty(
  { size, price, rules }: SizeTarget,
  equityUsdt: Decimal,
  { perSymbolEquityShare }: Pick<RiskSettings, "perSymbolEquityShare">,
): Decimal {
  const targetUsdt = equityUsdt.mul(perSymbolEquityShare).mul(size);
  return roundToStep(targetUsdt.div(price.mul(rules.contractSize)), rules.lotSize, "down");
}
