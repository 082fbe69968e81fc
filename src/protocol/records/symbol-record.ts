/** A symbol's trading rules on the wire, with the field names of older servers. Spec: 1 §2.1; records §9.1. */
import { z } from "zod";
import { type Decimal, dec, ONE } from "../../core/decimal.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import {
  type MoneyField,
  moneyMaybe,
  moneyOf,
  moneyOrNull,
  priceOrNull,
  textMaybe,
  textOf,
  unread,
} from "../reply-fields.ts";

/** Only the name is required here; `readSymbolRules` decides whether the rest is enough to trade. */
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
/** The wire form, with every alias beside its name; `readSymbolRules` converts it. */
export type SymbolRecord = z.output<typeof symbolRecord>;

/** Used where the venue gives no maximum; larger than any order we could send. */
const NO_MAXIMUM: Decimal = dec("1000000000000000");

const firstOf = (...values: readonly (MoneyField | undefined)[]): Decimal | null => {
  for (const value of values) {
    const found = priceOrNull(value);
    if (found) return found;
  }
  return null;
};

const countOf = (value: MoneyField | undefined, otherwise: number): number =>
  moneyOrNull(value)?.toNumber() ?? otherwise;

/** Null if the record has no price step or no quantity step: such a symbol cannot be traded. */
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
