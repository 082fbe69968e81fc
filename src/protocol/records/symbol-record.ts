/** A symbol's trading rules on the wire, with the names that older servers use. Spec: 1 §2.1; records §9.1. */
import { z } from "zod";
import { type Decimal, dec, ONE } from "../../core/decimal.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import {
  type Money,
  moneyMaybe,
  moneyOf,
  moneyOrNull,
  priceOrNull,
  textMaybe,
  textOf,
  unread,
} from "../reply-fields.ts";

/** Only the name is needed here; whether the rest is enough to trade is for `readSymbolRules` to say. */
export const symbolRecord = z.looseObject({
  sym: z.string().min(1),
  /** The exchange's own spelling. */
  originalSymbol: textMaybe,
  /** "live" when tradable. */
  state: textMaybe,
  /** Decimals allowed in a price. */
  pricePrecision: moneyMaybe,
  quantityPrecision: moneyMaybe,
  /** Decimals allowed in a quantity. */
  qtyPrecision: moneyMaybe,
  /** Price step; keeps trailing zeros on the wire. Aliases priceTick, priceStep. */
  tickSize: moneyMaybe,
  priceTick: moneyMaybe,
  priceStep: moneyMaybe,
  /** Quantity step. Aliases qtyStep, stepSize. */
  lotSize: moneyMaybe,
  qtyStep: moneyMaybe,
  stepSize: moneyMaybe,
  /** Smallest quantity. Aliases minQty, minOrderQty. */
  minSize: moneyMaybe,
  minQty: moneyMaybe,
  minOrderQty: moneyMaybe,
  /** Smallest order value in quote currency; "0" where there is none. */
  minNotional: moneyMaybe,
  maxLimitSize: moneyMaybe,
  maxMarketSize: moneyMaybe,
  /** Open orders allowed per symbol. */
  maxNumOrders: moneyMaybe,
  /** Perpetuals: base units per 1 of orderQty. */
  contractSize: moneyMaybe,
  defaultLeverage: moneyMaybe,
  safeLeverage: unread,
  /** Perpetuals: fraction of the closed value. */
  liquidationFee: unread,
});
/** The form on the wire, with every alias beside its name; `readSymbolRules` makes ours of it. */
export type SymbolRecord = z.output<typeof symbolRecord>;

/** Where the venue states no maximum; larger than any order we could send. */
const NO_MAXIMUM: Decimal = dec("1000000000000000");

const firstOf = (...values: readonly (Money | undefined)[]): Decimal | null => {
  for (const value of values) {
    const found = priceOrNull(value);
    if (found) return found;
  }
  return null;
};

const countOf = (value: Money | undefined, otherwise: number): number => moneyOrNull(value)?.toNumber() ?? otherwise;

/** Null when the record has no price step or no quantity step: such a symbol cannot be traded. */
export function readSymbolRules(wire: SymbolRecord): SymbolRules | null {
  const tickSize = firstOf(wire.tickSize, wire.priceTick, wire.priceStep);
  const lotSize = firstOf(wire.lotSize, wire.qtyStep, wire.stepSize);
  if (!tickSize || !lotSize) return null;
  return {
    symbol: wire.sym,
    state: textOf(wire.state),
    tickSize,
    pricePrecision: countOf(wire.pricePrecision, tickSize.decimalPlaces()),
    lotSize,
    qtyPrecision: countOf(wire.qtyPrecision ?? wire.quantityPrecision, lotSize.decimalPlaces()),
    minSize: firstOf(wire.minSize, wire.minQty, wire.minOrderQty) ?? lotSize,
    minNotional: moneyOf(wire.minNotional),
    maxLimitSize: firstOf(wire.maxLimitSize) ?? NO_MAXIMUM,
    maxMarketSize: firstOf(wire.maxMarketSize) ?? NO_MAXIMUM,
    maxNumOrders: countOf(wire.maxNumOrders, 200),
    contractSize: firstOf(wire.contractSize) ?? ONE,
    defaultLeverage: countOf(wire.defaultLeverage, 5),
  };
}
