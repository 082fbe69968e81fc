/**
 * Self-tests of the wire limits. At each start they must pass a sound order and refuse one bad order per bound. The
 * wire limits fire only when a review has failed, so nothing else would show that they work.
 */
import { Decimal, dec } from "../core/decimal.ts";
import { INITIAL_CAPITAL_USDT } from "../domain/competition.ts";
import { perpSymbol, type SymbolRules } from "../domain/symbol.ts";
import { reviewOperatorOrder } from "../risk/review.ts";
import type { PlaceAction } from "./action.ts";
import { type WireFacts, wireProblem } from "./wire-limits.ts";

/** The configured bounds that the self-tests use. */
export type WireTerms = Pick<WireFacts, "phase" | "gapMajors" | "gapOthers" | "gapHedged" | "majors" | "bufferUsdt">;

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

/** An opening of this value within any ceiling; null if its form is invalid. */
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

/** The failed self-tests, in words; empty if the wire limits work under these settings. */
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
