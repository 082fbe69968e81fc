/** A healthy account and a sound order, each with what a test changes. */
import { dec, type Decimal, ZERO } from "../../src/core/decimal.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import type { Position } from "../../src/domain/position.ts";
import type { SymbolRules } from "../../src/domain/symbol.ts";
import type { RiskSettings } from "../../src/risk/settings.ts";
import type { Draft, RiskView, SessionView, SymbolRisk } from "../../src/risk/view.ts";
import { RISK } from "../support/risk.ts";

export const NOW_MS = Date.UTC(2026, 0, 5, 12);
export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const SOL = "EXCHANGE_A_PERP_SOL_USDT";

export const rules = (symbol: string, change: Partial<SymbolRules> = {}): SymbolRules => ({
  symbol,
  state: "live",
  tickSize: dec("0.1"),
  pricePrecision: 1,
  lotSize: dec("0.001"),
  qtyPrecision: 3,
  minSize: dec("0.001"),
  minNotional: dec("5"),
  maxLimitSize: dec("1000"),
  maxMarketSize: dec("100"),
  maxNumOrders: 200,
  contractSize: dec("1"),
  defaultLeverage: 5,
  ...change,
});

export const symbolRisk = (symbol: string, mark: string, change: Partial<SymbolRisk> = {}): SymbolRisk => ({
  rules: rules(symbol),
  mark: dec(mark),
  bid: dec(mark),
  ask: dec(mark).add("0.1"),
  leverage: 2,
  bookAgeMs: 100,
  markAgeMs: 100,
  ...change,
});

export const session = (change: Partial<SessionView> = {}): SessionView => ({
  id: "ras_1",
  active: true,
  expiresAtMs: NOW_MS + 3_600_000,
  symbols: [BTC, SOL],
  allowedActions: ["order.place", "order.replace", "order.cancel"],
  allowedOrderTypes: ["LIMIT", "MARKET"],
  maxNotionalPerOrder: dec("500"),
  maxTotalNotional: dec("50000"),
  usedNotional: dec("0"),
  ...change,
});

/** Openings of this moment. */
export const openings = (count: number): Pick<RiskView, "recentOpenings"> => ({
  recentOpenings: Array.from({ length: count }, () => ({ symbol: BTC, side: "LONG", atMs: NOW_MS })),
});

export const view = (change: Partial<RiskView> = {}): RiskView => ({
  nowMs: NOW_MS,
  phase: 1,
  equityUsdt: dec("1000"),
  floorUsdt: dec("800"),
  floorState: "NORMAL",
  accountAgeMs: 1_000,
  newsAgeMs: 0,
  streamsUp: { market: true, user: true },
  clockUncertaintyMs: 20,
  universe: [BTC, SOL],
  accounts: new Map([["EXCHANGE_A", { availableUsdt: dec("1000"), hedgeMode: true }]]),
  positions: [],
  openOrders: [],
  inFlight: [],
  unreadOpenings: [],
  symbols: new Map([
    [BTC, symbolRisk(BTC, "60000")],
    [SOL, symbolRisk(SOL, "150")],
  ]),
  session: session(),
  hedgeMode: true,
  equityDayStartUsdt: dec("1000"),
  feesTodayUsdt: dec("0"),
  recentOpenings: [],
  ...change,
});

type OrderChange = Partial<Omit<PlaceOrder, "qty" | "limitPrice">> & { qty?: string; limitPrice?: string | null };

export const draft = (change: OrderChange = {}, rest: { stop?: string | null; target?: string | null } = {}): Draft => {
  const { qty = "0.005", limitPrice = "60000", ...order } = change;
  return {
    order: {
      symbol: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      timeInForce: null,
      reduceOnly: false,
      clientOrderId: "agent-1",
      ...order,
      qty: dec(qty),
      limitPrice: limitPrice === null ? null : dec(limitPrice),
    },
    stopPrice: rest.stop === null ? null : dec(rest.stop ?? "58800"),
    targetPrice: rest.target ? dec(rest.target) : null,
  };
};

export const position = (symbol: string, side: "LONG" | "SHORT", qty: string, price: string): Position => ({
  symbol,
  side,
  qty: dec(qty),
  avgPrice: dec(price),
  markPrice: dec(price),
  unrealizedPnl: dec("0"),
  leverage: 2,
  liquidationPrice: null,
  createdAtMs: NOW_MS - 3_600_000,
  updatedAtMs: NOW_MS,
});

/** What openings spare of the cushion is proven beside the limit itself. */
export const settings: RiskSettings = { ...RISK, openingSpareUsdt: dec("0") };

export const X = "EXCHANGE_A_PERP_X_USDT";
export const short = { side: "SELL", positionSide: "SHORT" } as const;
export const btc = (change: Partial<SymbolRisk>): Partial<RiskView> => ({
  symbols: new Map([
    [BTC, symbolRisk(BTC, "60000", change)],
    [SOL, symbolRisk(SOL, "150")],
  ]),
});
export const flight = (
  symbol: string,
  positionSide: "LONG" | "SHORT",
  usdt: string,
  clientOrderId = "f",
): RiskView["inFlight"][number] => ({
  clientOrderId,
  symbol,
  leg: positionSide,
  notionalUsdt: dec(usdt),
});
export const openOrder = (
  change: Partial<Draft["order"]> & { executedQty?: Decimal } = {},
): RiskView["openOrders"][number] =>
  ({ ...draft().order, executedQty: ZERO, orderId: "1", ...change }) as RiskView["openOrders"][number];
export const text = (value: Decimal | null | undefined): string | null => value?.toFixed() ?? null;
