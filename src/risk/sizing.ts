/**
 * From a wish's size, 0 to 1, to a quantity in lots. The scale is the largest position that the settings allow for the
 * symbol at this equity, whatever else is held: the same wish gives the same target twice. What else is held is the
 * review's business.
 */
import { type Decimal, minDecimal, roundToStep, ZERO } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import { notionalOf, type SymbolRules } from "../domain/symbol.ts";
import { gapIn } from "./exposure.ts";
import { cushionUsdt } from "./limits/cushion.ts";
import { leverageCap } from "./limits/opening-leverage.ts";
import type { RiskSettings } from "./settings.ts";
import type { RiskView } from "./view.ts";

/** The largest exposure in one symbol that its share of equity, the leverage cap and the whole cushion allow, USDT. */
export function largestPositionUsdt(view: RiskView, settings: RiskSettings, symbol: string): Decimal {
  const byShare = view.equityUsdt.mul(settings.perSymbolEquityShare);
  const byLeverage = view.equityUsdt.mul(leverageCap(view, settings));
  const byCushion = cushionUsdt(view, settings).div(gapIn(view, settings, symbol).add(settings.exitCost));
  const largest = minDecimal(byShare, byLeverage, byCushion);
  return largest.gt(0) ? largest : ZERO;
}

/** `symbol` decides the insured gap, `rules` the lot and what the venue takes at least. */
export interface SizeWish {
  readonly symbol: string;
  /** 0 (flat) to 1. */
  readonly size: Decimal;
  /** The price at which the position would be held. */
  readonly price: Decimal;
  readonly rules: SymbolRules;
}

/** The target quantity, a multiple of the lot, rounded down; zero for size 0. Refused when less than the venue takes. */
export function targetQty(wish: SizeWish, view: RiskView, settings: RiskSettings): Result<Decimal, string> {
  const { symbol, size, price, rules } = wish;
  if (size.lt(0) || size.gt(1)) return err(`size must be from 0 to 1, found ${size.toFixed()}`);
  if (size.isZero()) return ok(ZERO);
  if (price.lte(0)) return err(`price must be positive, found ${price.toFixed()}`);
  const targetUsdt = largestPositionUsdt(view, settings, symbol).mul(size);
  const qty = roundToStep(targetUsdt.div(price.mul(rules.contractSize)), rules.lotSize, "down");
  if (qty.lt(rules.minSize) || qty.isZero()) return err(`${targetUsdt.toFixed(2)} USDT is less than the smallest size`);
  if (notionalOf(qty, price, rules).lt(rules.minNotional)) {
    return err(`${targetUsdt.toFixed(2)} USDT is less than the smallest order value ${rules.minNotional.toFixed()}`);
  }
  return ok(qty);
}
