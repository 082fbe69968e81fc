/**
 * Self-tests. At each start every limit must refuse one bad draft, and all limits together must pass the smallest
 * sound order and one of typical size. Otherwise nothing would show that a limit which never fires works, or that the
 * limits do not block everything.
 */
import { Decimal, dec, minDecimal, ZERO } from "../core/decimal.ts";
import { FLOOR_USDT, INITIAL_CAPITAL_USDT } from "../domain/competition.ts";
import { allLimits } from "./all-limits.ts";
import { review } from "./review.ts";
import type { RiskSettings } from "./settings.ts";
import { EXCHANGE, MARK, RULES, type Scene, SYMBOL, withQty } from "./scene.ts";
import { targetQty } from "./sizing.ts";
import type { Limit, Verdict } from "./verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "./view.ts";

/** One draft shown to one limit, or to all of them together. */
export interface DrillResult {
  /** The limit's name, or "smallest" and "typical" for the drafts that all limits must let pass. */
  readonly drill: string;
  readonly passed: boolean;
  /** The limit's verdict; for a draft that must pass, the verdict that refused it. */
  readonly verdict: Verdict | null;
}

/** Conditions of the self-tests: figures of the real account, and the operator's consent. */
export interface DrillTerms extends Pick<RiskView, "phase" | "hedgeMode" | "nowMs"> {
  readonly caps?: { readonly perOrderUsdt: Decimal; readonly totalUsdt: Decimal };
}

const SYMBOL_RISK: SymbolRisk = {
  rules: RULES,
  mark: MARK,
  bid: MARK.sub("0.1"),
  ask: MARK,
  leverage: 1,
  bookAgeMs: 0,
  markAgeMs: 0,
};

/** A healthy account on an invented symbol, with the phase and position mode of the real account. */
function calm({ phase, hedgeMode, nowMs, caps }: DrillTerms): Scene {
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
    unreadOpenings: [],
    symbols: new Map([[SYMBOL, SYMBOL_RISK]]),
    session: drillSession(nowMs, caps),
    feesTodayUsdt: ZERO,
    recentOpenings: [],
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

function drill(limit: Limit, scene: Scene): DrillResult {
  const { draft, view } = limit.spoil(scene);
  const verdict = limit.judge(limit.complete?.(draft, view) ?? draft, view);
  return { drill: limit.name, passed: verdict.kind !== "allow", verdict };
}

/** A typical target: half of one symbol's share, within the cap of one order. */
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
 * Runs all self-tests under these settings. A failed one must hold all openings: either a limit is broken, or the
 * settings leave no room for a sound order. Each limit defines the draft that it must refuse.
 */
export function runDrills(
  settings: RiskSettings,
  terms: DrillTerms,
  limits: readonly Limit[] = allLimits(settings),
): readonly DrillResult[] {
  const scene = calm(terms);
  return [
    mustPass("smallest", scene, limits),
    mustPass("typical", typical(scene, settings), limits),
    ...limits.map((limit) => drill(limit, scene)),
  ];
}

/** One line per failed self-test, for the log and for the reason of the hold. */
export const describeDrill = ({ drill: name, verdict }: DrillResult): string =>
  name === "smallest" || name === "typical"
    ? `the ${name} sound order is refused${verdict ? ` by ${verdict.limit}: ${verdict.reason}` : ": it would be too small"}`
    : `${name} did not refuse what it must refuse`;
