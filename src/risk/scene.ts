/** The scene of a self-test: a sound draft on a healthy account with an invented symbol, and ways to spoil it. */
import { dec, type Decimal } from "../core/decimal.ts";
import { perpSymbol, type SymbolRules } from "../domain/symbol.ts";
import type { Draft, RiskView, SymbolRisk } from "./view.ts";

/** The input of a limit. */
export interface Scene {
  readonly draft: Draft;
  readonly view: RiskView;
}

/** An exchange name that no venue has. */
export const EXCHANGE = "DRILL";
export const SYMBOL = perpSymbol(EXCHANGE, "BTC");
export const MARK = dec("50000");

/** Rules of a perpetual similar to BTC. */
export const RULES: SymbolRules = {
  symbol: SYMBOL,
  state: "live",
  tickSize: dec("0.1"),
  pricePrecision: 1,
  lotSize: dec("0.0001"),
  qtyPrecision: 4,
  minSize: dec("0.0001"),
  minNotional: dec("5"),
  maxLimitSize: dec("1000"),
  maxMarketSize: dec("100"),
  maxNumOrders: 200,
  contractSize: dec("1"),
  defaultLeverage: 1,
};

/** The same draft on a changed account. */
export const withView = ({ draft, view }: Scene, change: Partial<RiskView>): Scene => ({
  draft,
  view: { ...view, ...change },
});
/** The same order in another size, base units. */
export const withQty = ({ draft, view }: Scene, qty: Decimal): Scene => ({
  view,
  draft: { ...draft, order: { ...draft.order, qty } },
});

/** The same scene with other facts about the symbol. */
export const withSymbol = (scene: Scene, change: Partial<SymbolRisk>): Scene => {
  const known = scene.view.symbols.get(SYMBOL);
  return known ? withView(scene, { symbols: new Map([[SYMBOL, { ...known, ...change }]]) }) : scene;
};

/** An exposure that leaves no room; in flight, so that it depends on no price. */
export const loaded = (scene: Scene, symbol: string, notionalUsdt: Decimal): Scene =>
  withView(scene, { inFlight: [{ clientOrderId: "drill-other", symbol, leg: "LONG", notionalUsdt }] });
