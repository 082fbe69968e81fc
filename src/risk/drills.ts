/**
 * Drills: at start-up each limit is shown one draft that it must refuse, and all of them together the smallest sound order
 * and one of typical size, which they must let pass. A guard that never fires is only believed to work, and one that
 * blocks everything is worse than none.
 */
import { Decimal, dec, minDecimal, ZERO } from "../core/decimal.ts";
import { FLOOR_USDT, INITIAL_CAPITAL_USDT } from "../domain/competition.ts";
import { perpSymbol, type SymbolRules } from "../domain/symbol.ts";
import { allLimits } from "./all-limits.ts";
import { review } from "./review.ts";
import { gapFor, type RiskSettings } from "./settings.ts";
import { targetQty } from "./sizing.ts";
import type { Limit, Verdict } from "./verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "./view.ts";

/** One draft shown to one limit, or to all of them together. */
export interface DrillResult {
  /** The limit's name, or "smallest" and "typical" for the drafts that all limits must let pass. */
  readonly drill: string;
  readonly passed: boolean;
  /** What the limit said; for a draft that must pass, the verdict that stood in the way. */
  readonly verdict: Verdict | null;
}

/** Under what the drills run: the figures of the real account, and what the operator consented to. */
export interface DrillTerms extends Pick<RiskView, "phase" | "hedgeMode" | "nowMs"> {
  readonly caps?: { readonly perOrderUsdt: Decimal; readonly totalUsdt: Decimal };
}

interface Scene {
  readonly draft: Draft;
  readonly view: RiskView;
}

const EXCHANGE = "DRILL";
const SYMBOL = perpSymbol(EXCHANGE, "BTC");
const MARK = dec("50000");

const RULES: SymbolRules = {
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

const riskOf = (settings: RiskSettings): SymbolRisk => ({
  rules: RULES,
  mark: MARK,
  bid: MARK.sub("0.1"),
  ask: MARK,
  leverage: 1,
  bookAgeMs: 0,
  markAgeMs: 0,
  gap: gapFor(settings, SYMBOL),
});

/** A healthy account on a made-up symbol, with the phase and mode of the real one. */
function calm(settings: RiskSettings, { phase, hedgeMode, nowMs, caps }: DrillTerms): Scene {
  const equityUsdt = dec(INITIAL_CAPITAL_USDT);
  const view: RiskView = {
    nowMs,
    phase,
    hedgeMode,
    equityUsdt,
    equityDayStartUsdt: equityUsdt,
    floorUsdt: dec(FLOOR_USDT),
    floorState: "NORMAL",
    accountAgeMs: 0,
    newsAgeMs: 0,
    streamsUp: { market: true, user: true },
    clockUncertaintyMs: 0,
    universe: [SYMBOL],
    accounts: new Map([[EXCHANGE, { availableUsdt: equityUsdt, hedgeMode }]]),
    positions: [],
    openOrders: [],
    inFlight: [],
    symbols: new Map([[SYMBOL, riskOf(settings)]]),
    session: drillSession(nowMs, caps),
    feesTodayUsdt: ZERO,
    ordersLastHour: 0,
  };
  const order: Draft["order"] = {
    symbol: SYMBOL,
    side: "BUY",
    positionSide: hedgeMode ? "LONG" : "NONE",
    orderType: "LIMIT",
    qty: dec("0.0002"),
    limitPrice: MARK.sub("0.1"),
    timeInForce: null,
    reduceOnly: false,
    clientOrderId: "drill",
  };
  return { view, draft: { order, stopPrice: null, targetPrice: null } };
}

const drillSession = (nowMs: number, caps: DrillTerms["caps"]): RiskView["session"] => ({
  id: "drill",
  active: true,
  expiresAtMs: nowMs + 60_000,
  symbols: [SYMBOL],
  allowedActions: ["order.place"],
  allowedOrderTypes: ["LIMIT"],
  maxNotionalPerOrder: caps?.perOrderUsdt ?? dec(INITIAL_CAPITAL_USDT),
  maxTotalNotional: caps?.totalUsdt ?? dec(INITIAL_CAPITAL_USDT).mul(10),
  usedNotional: ZERO,
});

const withView = ({ draft, view }: Scene, change: Partial<RiskView>): Scene => ({
  draft,
  view: { ...view, ...change },
});
const withQty = ({ draft, view }: Scene, qty: Decimal): Scene => ({
  view,
  draft: { ...draft, order: { ...draft.order, qty } },
});

const withSymbol = (scene: Scene, change: Partial<SymbolRisk>): Scene => {
  const known = scene.view.symbols.get(SYMBOL);
  return known ? withView(scene, { symbols: new Map([[SYMBOL, { ...known, ...change }]]) }) : scene;
};

/** An exposure that leaves no room, in flight so that it depends on no price. */
const loaded = (scene: Scene, symbol: string, notionalUsdt: Decimal): Scene =>
  withView(scene, { inFlight: [{ clientOrderId: "drill-other", symbol, leg: "LONG", notionalUsdt }] });

/** What each limit must refuse: denied, or allowed only in a smaller size. */
const SPOILED: Readonly<Record<string, (scene: Scene, settings: RiskSettings) => Scene>> = {
  universe: (scene) => withView(scene, { universe: [] }),
  session: (scene) => withView(scene, { session: null }),
  hold: (scene) => withView(scene, { holds: ["a drill"] }),
  "floor-ladder": (scene) => withView(scene, { floorState: "HOLD" }),
  freshness: (scene, settings) => withSymbol(scene, { bookAgeMs: settings.maxBookAgeMs + 1 }),
  drawdown: (scene, { dailyLossStop }) =>
    withView(scene, { equityUsdt: scene.view.equityDayStartUsdt.mul(dec(1).sub(dailyLossStop)) }),
  pace: (scene, settings) => withView(scene, { ordersLastHour: settings.ordersPerHour }),
  protection: ({ draft, view }) => ({ view, draft: { ...draft, stopPrice: MARK.mul(2) } }),
  "per-order-notional": (scene) => withQty(scene, dec("1")),
  "total-notional": (scene) => loaded(scene, SYMBOL, scene.view.session?.maxTotalNotional ?? dec(INITIAL_CAPITAL_USDT)),
  crowding: (scene, settings) => loaded(scene, SYMBOL, scene.view.equityUsdt.mul(settings.perSymbolEquityShare)),
  "opening-leverage": (scene) => withSymbol(scene, { leverage: 125 }),
  "exchange-account": (scene) => withView(scene, { accounts: new Map() }),
  cushion: (scene) => withView(scene, { equityUsdt: scene.view.floorUsdt }),
  "order-shape": (scene) => withQty(scene, dec("0.00045")),
};

function drill(limit: Limit, scene: Scene, settings: RiskSettings): DrillResult {
  const spoil = SPOILED[limit.name];
  if (!spoil) return { drill: limit.name, passed: false, verdict: null };
  const { draft, view } = spoil(scene, settings);
  const verdict = limit.judge(limit.complete?.(draft, view) ?? draft, view);
  return { drill: limit.name, passed: verdict.kind !== "allow", verdict };
}

/** What a strategy usually asks for: half of one symbol's share, within the cap of one order. */
const TYPICAL_SIZE = dec("0.5");

function typical(scene: Scene, settings: RiskSettings): Scene | null {
  const { session } = scene.view;
  const wanted = targetQty({ size: TYPICAL_SIZE, price: MARK, rules: RULES }, scene.view.equityUsdt, settings);
  if (wanted.isZero() || !session) return null;
  const capped = session.maxNotionalPerOrder.div(MARK).toDecimalPlaces(4, Decimal.ROUND_DOWN);
  return withQty(scene, minDecimal(wanted, capped));
}

function mustPass(drill: string, scene: Scene | null, limits: readonly Limit[]): DrillResult {
  if (!scene) return { drill, passed: false, verdict: null };
  const reviewed = review(scene.draft, scene.view, limits);
  const hindrance = reviewed.verdicts.find((verdict) => verdict.kind !== "allow") ?? null;
  return { drill, passed: reviewed.kind === "approved", verdict: hindrance };
}

/**
 * Runs all drills under these settings. A result that is not `passed` must hold up all openings: either a guard is broken,
 * or the settings leave no room for a sound order. A limit without a drill counts as failed.
 */
export function runDrills(
  settings: RiskSettings,
  terms: DrillTerms,
  limits: readonly Limit[] = allLimits(settings),
): readonly DrillResult[] {
  const scene = calm(settings, terms);
  return [
    mustPass("smallest", scene, limits),
    mustPass("typical", typical(scene, settings), limits),
    ...limits.map((limit) => drill(limit, scene, settings)),
  ];
}

/** One line a failed drill, for the log and for the reason of the hold. */
export const describeDrill = ({ drill: name, verdict }: DrillResult): string =>
  name === "smallest" || name === "typical"
    ? `the ${name} sound order is refused${verdict ? ` by ${verdict.limit}: ${verdict.reason}` : ": it would be too small"}`
    : `${name} did not refuse what it must refuse`;
