/**
 * Cuts orders beyond a share of the visible depth into slices. Pure arithmetic over exact quantities: the slices add up to
 * the whole, each is a whole number of lots, none is too small for the venue, and only the last one may be larger than the
 * depth allows, by a rest that is too small to stand alone.
 */
import { Decimal, maxDecimal, minDecimal, quantize, roundToStep } from "../../core/decimal.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import type { SliceSettings } from "../contract/settings.ts";

/** Exact but for `depthUsdt`, a float of the book. */
export interface SliceInput {
  /** What is still to be placed, in lots of the symbol. */
  readonly left: Decimal;
  readonly price: Decimal;
  readonly rules: Pick<SymbolRules, "lotSize" | "minSize" | "minNotional" | "contractSize">;
  /** Quote value that rests within the band now; null while it is not known. */
  readonly depthUsdt: number | null;
  readonly settings: Pick<SliceSettings, "depthShare" | "minUsdt">;
}

const CENT = new Decimal("0.01");

/** The smallest quantity that the venue takes at this price, in whole lots. */
export function smallestQty(price: Decimal, rules: SliceInput["rules"]): Decimal {
  const byValue = roundToStep(rules.minNotional.div(price.mul(rules.contractSize)), rules.lotSize, "up");
  return maxDecimal(byValue, rules.minSize, rules.lotSize);
}

/** Whether the quantity is at least that. Far above it no division is needed to tell. */
export function isEnough(qty: Decimal, price: Decimal, rules: SliceInput["rules"]): boolean {
  const { minNotional, minSize, lotSize, contractSize } = rules;
  const worth = qty.sub(lotSize).mul(price).mul(contractSize);
  const isFarAbove = worth.gte(minNotional) && qty.gte(minSize);
  return isFarAbove || qty.gte(smallestQty(price, rules));
}

/**
 * How much to place now: the whole rest if nothing needs cutting. While the book is unknown nothing is cut: the limits
 * refuse an order on a stale book anyway.
 */
export function nextSlice({ left, price, rules, depthUsdt, settings }: SliceInput): Decimal {
  if (settings.depthShare === 0 || depthUsdt === null) return left;
  const mayTake = quantize(depthUsdt * settings.depthShare, CENT, "down");
  const capUsdt = maxDecimal(mayTake, settings.minUsdt);
  const smallest = smallestQty(price, rules);
  const byDepth = roundToStep(capUsdt.div(price.mul(rules.contractSize)), rules.lotSize, "down");
  const slice = minDecimal(left, maxDecimal(byDepth, smallest));
  // A rest that is too small for the venue goes with the slice before it.
  return left.sub(slice).lt(smallest) ? left : slice;
}
