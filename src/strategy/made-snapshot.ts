/** Snapshots for tests: a calm tradable symbol, an account without positions, and changes to them. */
import type { Headroom } from "../domain/competition.ts";
import { dec } from "../core/decimal.ts";
import type { Fact, FactValue } from "../context/facts.ts";
import { NO_HISTORY } from "../context/history-view.ts";
import type { AccountView, HeldPosition, Snapshot, SymbolView } from "../context/snapshot.ts";
import type { NewsItem } from "../domain/news-item.ts";
import { perpSymbol, type SymbolRules } from "../domain/symbol.ts";

export const AT_MS = Date.UTC(2026, 0, 5, 12);
export const BTC = perpSymbol("EXCHANGE_A", "BTC");
export const ETH = perpSymbol("EXCHANGE_A", "ETH");

export const rulesOf = (symbol: string, state = "live"): SymbolRules => ({
  symbol,
  state,
  tickSize: dec("0.1"),
  pricePrecision: 1,
  lotSize: dec("0.001"),
  qtyPrecision: 3,
  minSize: dec("0.001"),
  minNotional: dec("5"),
  maxLimitSize: dec("1000"),
  maxMarketSize: dec("1000"),
  maxNumOrders: 200,
  contractSize: dec("1"),
  defaultLeverage: 1,
});

export const viewOf = (symbol: string, change: Partial<SymbolView> = {}): SymbolView => ({
  symbol,
  base: symbol.split("_").at(-2) ?? symbol,
  rules: rulesOf(symbol),
  last: 100,
  bid: 99.99,
  ask: 100.01,
  spreadBps: 2,
  depthImbalance: 0.1,
  depthUsdt: 100_000,
  mark: 100,
  index: 100,
  basisBps: 0,
  fundingRate: 0.0001,
  nextFundingAtMs: null,
  openInterest: null,
  openInterestChange: null,
  tradeFlow: 0.1,
  volatilityHour: 0.006,
  returns: {},
  correlationToLeader: null,
  candles: {},
  indicators: {},
  history: NO_HISTORY,
  crossBasisBps: null,
  tradedUsdt: null,
  minutesKnown: 0,
  minutesMissing: 0,
  ageMs: { book: 100, bbo: 100, mark: 100, index: 100, trade: 100, funding: 100, openInterest: 100, candle: 100 },
  ...change,
});

export const heldOf = (symbol: string, side: "LONG" | "SHORT", heldMinutes: number): HeldPosition => ({
  position: {
    symbol,
    side,
    qty: dec("1"),
    avgPrice: dec("100"),
    markPrice: dec("101"),
    unrealizedPnl: dec("1"),
    leverage: 2,
    liquidationPrice: null,
    createdAtMs: AT_MS - heldMinutes * 60_000,
    updatedAtMs: AT_MS,
  },
  stopPrice: dec("98"),
  targetPrice: null,
  openedAtMs: AT_MS - heldMinutes * 60_000,
  decisionId: null,
  strategy: null,
  thesis: null,
  notionalUsdt: dec("101"),
  feesUsdt: dec("0"),
  fundingUsdt: dec("0"),
});

export const accountOf = (positions: readonly HeldPosition[] = []): AccountView => ({
  equityUsdt: dec("1000"),
  availableMarginUsdt: dec("900"),
  floorUsdt: dec("800"),
  floorDistanceUsdt: dec("200"),
  exposureUsdt: dec(String(positions.length * 101)),
  netExposureUsdt: dec("0"),
  unrealizedUsdt: dec("0"),
  recentTrades: [],
  positions,
  openOrders: [],
  feesTodayUsdt: dec("0"),
  realizedTodayUsdt: dec("0"),
  ageMs: 100,
});

export const headroomOf = (change: Partial<Headroom> = {}): Headroom => ({
  mayOpen: true,
  reason: "",
  perOrderUsdt: dec("400"),
  totalUsdt: dec("1500"),
  cushionMajorUsdt: dec("1500"),
  cushionOtherUsdt: dec("700"),
  leverageMax: 2,
  perSymbolEquityShare: 0.4,
  roundTripCost: 0.001,
  limits: [],
  ...change,
});

export const newsOf = (id: string, change: Partial<NewsItem> = {}): NewsItem => ({
  key: `news:${id}`,
  kind: "news",
  newsId: id,
  title: `Title ${id}`,
  text: "Text.",
  category: null,
  author: null,
  currencies: ["BTC"],
  publishedAtMs: AT_MS - 60_000,
  firstSeenMs: AT_MS - 60_000,
  sourceUrl: null,
  ...change,
});

/** What a source says, with one point of `ageMs` ago; stale only where `change` says so. */
export const factOf = (
  values: Readonly<Record<string, FactValue>>,
  ageMs = 1_000,
  change: Partial<Fact> = {},
): Fact => {
  const atMs = AT_MS - ageMs;
  return { values, atMs, ageMs, stale: false, points: [{ atMs, values }], ...change };
};

export const snapshotOf = (change: Partial<Snapshot> = {}): Snapshot => ({
  atMs: AT_MS,
  symbols: [viewOf(BTC), viewOf(ETH)],
  news: [],
  account: accountOf(),
  headroom: headroomOf(),
  facts: {},
  missing: [],
  ...change,
});
