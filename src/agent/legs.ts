/**
 * What is held, leg by leg, and what stands to protect it. Positions come from pushes and sweeps; the newer one rules. A
 * leg remembers why it was opened, so that the thesis survives restarts and changes of strategy.
 */
import { ZERO } from "../core/decimal.ts";
import { type AlgoOrder, isAlgoLive } from "../domain/algo-order.ts";
import { legKey, type Position, type PositionUpdate } from "../domain/position.ts";
import { attach, detach, type Leg, type LegMeta, newLeg, protectsMore, standingOrder, stopOf } from "./leg.ts";

export type { Leg, LegMeta, ProtectionState, RestoredLeg } from "./leg.ts";

export interface Legs {
  all(): readonly Leg[];
  get(key: string): Leg | undefined;
  /** A push. Returns what became of the leg. */
  push(update: PositionUpdate, atMs: number): LegChange | null;
  /** A sweep's list. Legs with a newer push than `startedAtMs` keep it. */
  sweep(positions: readonly Position[], startedAtMs: number, atMs: number): readonly LegChange[];
  /** A push. Returns the order that is not needed beside a safer one on the same leg. */
  algo(order: AlgoOrder, atMs: number): AlgoOrder | null;
  /** A sweep's list of live algo orders. Returns those that protect nothing, or less than another on their leg. */
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
const STOP_LISTED_AFTER_MS = 2_000;
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
    const leg = newLeg(position, meta, atMs);
    held.set(key, leg);
    const algo = waitingAlgos.get(key);
    if (algo) attach(leg, algo, atMs);
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
        return null;
      }
      if (!isAlgoLive(order.state)) {
        if (leg.algoOrderId === order.algoOrderId) detach(leg, atMs);
        return null;
      }
      if (stopOf(order) === null) return null;
      const standing = standingOrder(leg, order);
      if (standing !== null && !protectsMore(leg, order, standing)) return order;
      attach(leg, order, atMs);
      return standing;
    },
    sweepAlgos: (orders, startedAtMs, atMs) => {
      const orphans: AlgoOrder[] = [];
      const standing = new Map<string, AlgoOrder>();
      for (const order of orders) {
        if (!isAlgoLive(order.state)) continue;
        const leg = held.get(algoLeg(order));
        if (leg && stopOf(order) === null) continue;
        const other = leg && standing.get(leg.key);
        if (!leg || (other && !protectsMore(leg, order, other))) orphans.push(order);
        else {
          if (other) orphans.push(other);
          standing.set(leg.key, order);
        }
      }
      for (const leg of held.values()) {
        const found = standing.get(leg.key);
        if (found) attach(leg, found, atMs);
        else if (leg.protection === "live" && leg.protectAskedMs < startedAtMs) detach(leg, atMs);
        // Asked for long enough ago to be in the list, were it there.
        else if (leg.protection === "asked" && startedAtMs - leg.protectAskedMs >= STOP_LISTED_AFTER_MS)
          leg.protection = "none";
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
