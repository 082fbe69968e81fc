/**
 * What is held, leg by leg, and what stands to protect it. Positions come from pushes and sweeps; the newer one rules. A
 * leg remembers why it was opened, so that the thesis survives restarts and changes of strategy.
 */
import { Decimal, ZERO } from "../core/decimal.ts";
import { type AlgoOrder, isAlgoLive } from "../domain/algo-order.ts";
import type { TradeBasis } from "../domain/closed-trade.ts";
import { legKey, type Position, type PositionUpdate } from "../domain/position.ts";

export type ProtectionState = "none" | "asked" | "live";

export interface LegMeta {
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly thesis: string | null;
  /** What the opening rested on; absent where nobody told. */
  readonly basis?: TradeBasis;
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly openedAtMs: number;
}

/** A leg as the journal of earlier runs last told it. */
export interface RestoredLeg extends LegMeta {
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
}

export interface Leg {
  readonly key: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  position: Position;
  meta: LegMeta;
  protection: ProtectionState;
  algoOrderId: string | null;
  /** Quantity the live protection covers; zero when it covers the whole position whatever its size. */
  protectedQty: Decimal;
  /** The stop that stands at the venue. */
  standingStop: Decimal | null;
  standingTarget: Decimal | null;
  /** Since when it has been without a confirmed venue-side stop; null while protected. */
  unprotectedSinceMs: number | null;
  protectAskedMs: number;
  /** Client order id of the stop that was asked for last. */
  protectId?: string;
  closeAskedMs: number | null;
  /** Our time of the newest reading. */
  readAtMs: number;
}

export interface Legs {
  all(): readonly Leg[];
  get(key: string): Leg | undefined;
  /** A push. Returns what became of the leg. */
  push(update: PositionUpdate, atMs: number): LegChange | null;
  /** A sweep's list. Legs with a newer push than `startedAtMs` keep it. */
  sweep(positions: readonly Position[], startedAtMs: number, atMs: number): readonly LegChange[];
  algo(order: AlgoOrder, atMs: number): void;
  /** A sweep's list of live algo orders. Returns those that protect nothing. */
  sweepAlgos(orders: readonly AlgoOrder[], startedAtMs: number, atMs: number): readonly AlgoOrder[];
  expect(key: string, meta: LegMeta): void;
  lastClosedMs(key: string): number | null;
  recentCloses(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
}

export interface LegChange {
  readonly leg: Leg;
  readonly kind: "opened" | "resized" | "closed" | "same";
}

/** A list may show this long what is gone. Longer, and a close that was told too late would hide what is held. Fault R9. */
const READS_LAG_MS = 10_000;
const LIST_MISSES_MS = 5_000;
const CLOSED_CAP = 200;

export function createLegs(restored: ReadonlyMap<string, LegMeta>): Legs {
  const held = new Map<string, Leg>();
  const expected = new Map<string, LegMeta>(restored);
  const closedAt = new Map<string, number>();
  /** Live algos by leg that came before their position did. */
  const waitingAlgos = new Map<string, AlgoOrder>();

  const close = (leg: Leg, atMs: number): LegChange => {
    held.delete(leg.key);
    expected.delete(leg.key);
    closedAt.set(leg.key, atMs);
    const oldest = closedAt.keys().next();
    if (closedAt.size > CLOSED_CAP && !oldest.done) closedAt.delete(oldest.value);
    return { leg, kind: "closed" };
  };
  const open = (position: Position, atMs: number): LegChange => {
    const key = legKey(position.symbol, position.side);
    const meta = expected.get(key) ?? {
      decisionId: null,
      strategy: null,
      thesis: null,
      stopPrice: null,
      targetPrice: null,
      openedAtMs: position.createdAtMs || atMs,
    };
    const leg: Leg = {
      key,
      symbol: position.symbol,
      side: position.side,
      position,
      meta,
      protection: "none",
      algoOrderId: null,
      protectedQty: ZERO,
      standingStop: null,
      standingTarget: null,
      unprotectedSinceMs: atMs,
      protectAskedMs: -Infinity,
      closeAskedMs: null,
      readAtMs: atMs,
    };
    held.set(key, leg);
    const algo = waitingAlgos.get(key);
    if (algo) attach(leg, algo);
    waitingAlgos.delete(key);
    return { leg, kind: "opened" };
  };
  const change = (position: Position, atMs: number): LegChange => {
    const leg = held.get(legKey(position.symbol, position.side));
    if (!leg) return open(position, atMs);
    const kind = leg.position.qty.eq(position.qty) ? "same" : "resized";
    leg.position = position;
    leg.readAtMs = atMs;
    return { leg, kind };
  };

  return {
    all: () => [...held.values()],
    get: (key) => held.get(key),
    push: (update, atMs) => {
      const side = update.positionSide === "NONE" ? sideOfSigned(update, held) : update.positionSide;
      const key = legKey(update.symbol, side);
      const leg = held.get(key);
      const qty = update.qty.abs();
      if (qty.isZero()) return leg ? close(leg, atMs) : null;
      const before = leg?.position;
      return change(
        {
          symbol: update.symbol,
          side,
          qty,
          avgPrice: update.avgPrice,
          markPrice: before?.markPrice ?? update.avgPrice,
          unrealizedPnl: before?.unrealizedPnl ?? ZERO,
          leverage: update.leverage ?? before?.leverage ?? 1,
          liquidationPrice: before?.liquidationPrice ?? null,
          createdAtMs: before?.createdAtMs ?? atMs,
          updatedAtMs: atMs,
        },
        atMs,
      );
    },
    sweep: (positions, startedAtMs, atMs) => {
      const changes: LegChange[] = [];
      const seen = new Set<string>();
      for (const position of positions) {
        if (position.qty.isZero()) continue;
        const key = legKey(position.symbol, position.side);
        seen.add(key);
        const leg = held.get(key);
        // A leg that was closed after this list was asked for is not opened again by it, nor by one that lags behind.
        const closedMs = closedAt.get(key) ?? -Infinity;
        const lags = position.createdAtMs <= closedMs && startedAtMs - closedMs < READS_LAG_MS;
        if (leg ? leg.readAtMs >= startedAtMs : closedMs >= startedAtMs || lags) continue;
        changes.push(change(position, atMs));
      }
      for (const leg of [...held.values()]) {
        // What was told of a moment ago may not be in a list that lags.
        const toldMs = leg.readAtMs + LIST_MISSES_MS;
        if (!seen.has(leg.key) && toldMs < startedAtMs) changes.push(close(leg, atMs));
      }
      return changes;
    },
    algo: (order, atMs) => {
      const key = algoLeg(order);
      const leg = held.get(key);
      if (!leg) {
        if (isAlgoLive(order.state)) waitingAlgos.set(key, order);
        else waitingAlgos.delete(key);
        return;
      }
      if (isAlgoLive(order.state)) attach(leg, order);
      else if (leg.algoOrderId === order.algoOrderId) detach(leg, atMs);
    },
    sweepAlgos: (orders, startedAtMs, atMs) => {
      const orphans: AlgoOrder[] = [];
      const standing = new Set<string>();
      for (const order of orders) {
        if (!isAlgoLive(order.state)) continue;
        const leg = held.get(algoLeg(order));
        if (!leg || (leg.algoOrderId !== null && leg.algoOrderId !== order.algoOrderId && standing.has(leg.key))) {
          orphans.push(order);
          continue;
        }
        standing.add(leg.key);
        attach(leg, order);
      }
      for (const leg of held.values()) {
        if (leg.protection === "live" && !standing.has(leg.key) && leg.protectAskedMs < startedAtMs) detach(leg, atMs);
      }
      return orphans;
    },
    expect: (key, meta) => {
      expected.set(key, meta);
      const leg = held.get(key);
      if (leg) leg.meta = { ...meta, openedAtMs: leg.meta.openedAtMs };
    },
    lastClosedMs: (key) => closedAt.get(key) ?? null,
    recentCloses: () =>
      [...closedAt].map(([key, atMs]) => {
        const [symbol = "", side] = key.split("|");
        return { symbol, leg: side === "SHORT" ? "SHORT" : "LONG", atMs };
      }),
  };
}

const algoLeg = (order: AlgoOrder): string => {
  if (order.positionSide !== "NONE") return legKey(order.symbol, order.positionSide);
  return legKey(order.symbol, order.side === "BUY" ? "SHORT" : "LONG");
};

/** In one-way mode a flat push carries no sign: it speaks of whichever side is held. */
function sideOfSigned(update: PositionUpdate, held: ReadonlyMap<string, Leg>): "LONG" | "SHORT" {
  if (update.qty.isNegative() && !update.qty.isZero()) return "SHORT";
  if (update.qty.isZero() && held.has(legKey(update.symbol, "SHORT"))) return "SHORT";
  return "LONG";
}

function attach(leg: Leg, order: AlgoOrder): void {
  leg.protection = "live";
  leg.algoOrderId = order.algoOrderId;
  leg.protectedQty = order.qty;
  leg.standingStop = order.stopLossPrice ?? order.triggerPrice;
  leg.standingTarget = order.takeProfitPrice;
  leg.unprotectedSinceMs = null;
}

function detach(leg: Leg, atMs: number): void {
  leg.protection = "none";
  leg.algoOrderId = null;
  leg.standingStop = null;
  leg.standingTarget = null;
  leg.unprotectedSinceMs ??= atMs;
}
