/**
 * From a target's size, 0 to 1, to a quantity in lots. The scale is the share of equity that one symbol may take, whatever
 * else is held: the same target gives the same target twice. What the limits leave of it is the review's business.
 */
import { type Decimal, roundToStep } from "../core/decimal.ts";
import type { SymbolRules } from "../domain/symbol.ts";
import type { RiskSettings } from "./settings.ts";

/** How large a position is wished for, and what it is counted in. */
export interface SizeTarget {
  /** 0 (flat) to 1 (the whole share of one symbol). */
  readonly size: Decimal;
  /** At which the position would be held, above zero. */
  readonly price: Decimal;
  readonly rules: SymbolRules;
}

/** A multiple of the lot, rounded down. It may be less than the venue takes. */
export function targetQty(
  { size, price, rules }: SizeTarget,
  equityUsdt: Decimal,
  { perSymbolEquityShare }: Pick<RiskSettings, "perSymbolEquityShare">,
): Decimal {
  const targetUsdt = equityUsdt.mul(perSymbolEquityShare).mul(size);
  return roundToStep(targetUsdt.div(price.mul(rules.contractSize)), rules.lotSize, "down");
}
