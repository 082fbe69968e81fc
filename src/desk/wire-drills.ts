/**
 * Drills for the limits at the wire: at start they are shown a sound order, which they must let pass, and one for each
 * bound that they must refuse. They are only met when a review has failed, so nothing else would show that they work.
 */
import { Decimal, dec } from "../core/decimal.ts";
import { INITIAL_CAPITAL_USDT } from "../domain/competition.ts";
import { perpSymbol, type SymbolRules } from "../domain/symbol.ts";
import { reviewOperatorOrder } from "../risk/review.ts";
import type { PlaceAction } from "./action.ts";
import { type WireFacts, wireProblem } from "./wire-limits.ts";

/** The configured bounds that the drills are run under. */
export type WireTerms = Pick<WireFacts, "phase" | "gapMajors" | "gapOthers" | "majors" | "bufferUsdt">;

const SYMBOL = perpSymbol("DRILL", "BTC");
const PRICE = dec("50000");
const ONE_LOT = dec("0.0001");

const RULES: SymbolRules = {
  symbol: SYMBOL,
  state: "live",
  tickSize: dec("0.1"),
  pricePrecision: 1,
  lotSize: ONE_LOT,
  qtyPrecision: 4,
  minSize: ONE_LOT,
  minNotional: dec("5"),
  maxLimitSize: dec("1000"),
  maxMarketSize: dec("1000"),
  maxNumOrders: 200,
  contractSize: dec("1"),
  defaultLeverage: 1,
};

/** An opening of this value that passes any person's ceiling; null when not even its form is sound. */
function opening(valueUsdt: Decimal): PlaceAction | null {
  const order = {
    symbol: SYMBOL,
    side: "BUY",
    positionSide: "LONG",
    orderType: "LIMIT",
    qty: valueUsdt.div(PRICE).toDecimalPlaces(4, Decimal.ROUND_UP),
    limitPrice: PRICE,
    timeInForce: null,
    reduceOnly: false,
    clientOrderId: "drill",
  } as const;
  const ceiling = { rules: RULES, referencePrice: PRICE, maxNotionalUsdt: valueUsdt.mul(2) };
  const reviewed = reviewOperatorOrder({ order, stopPrice: null, targetPrice: null }, ceiling);
  if (reviewed.kind !== "approved") return null;
  return { kind: "order.place", draft: reviewed.draft, contractSize: dec("1"), marketPrice: null, maxNotional: null };
}

/** What failed, in words; empty when the limits at the wire work under these settings. */
export function failedWireDrills(terms: WireTerms): readonly string[] {
  const equityUsdt = dec(INITIAL_CAPITAL_USDT);
  const calm: WireFacts = { ...terms, equityUsdt, equityAgeMs: 0, stakes: [], mark: PRICE, leverageSetting: 1 };
  const judge = (valueUsdt: Decimal, change: Partial<WireFacts> = {}): string | null => {
    const action = opening(valueUsdt);
    return action ? wireProblem(action, null, { ...calm, ...change }) : "the drill's own order is malformed";
  };
  const small = dec("10");
  const mustRefuse: readonly (readonly [string, string | null])[] = [
    ["leverage", judge(equityUsdt.mul(6), { gapMajors: dec(0) })],
    ["cushion", judge(small, { equityUsdt: dec("800") })],
    ["leverage setting", judge(small, { leverageSetting: 125 })],
    ["age of the account", judge(small, { equityAgeMs: 3_600_000 })],
    ["mark", judge(small, { mark: null })],
  ];
  const hindrance = judge(small);
  return [
    ...(hindrance === null ? [] : [`the wire refuses a sound order: ${hindrance}`]),
    ...mustRefuse.filter(([, said]) => said === null).map(([name]) => `the wire's ${name} did not refuse what it must`),
  ];
}
