/** What is held, leg by leg, and what protects it, from pushes and lists. A leg remembers over restarts why it was opened. */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { AlgoOrder } from "../domain/algo-order.ts";
import { legKey, type Position, type PositionUpdate } from "../domain/position.ts";
import { endedStops } from "./ended-stops.ts";
import {
  attach,
  detach,
  isTaken,
  type Leg,
  type LegChange,
  type LegMeta,
  type LoneStop,
  newLeg,
  protectsMore,
  type RestoredLeg,
  standingOrder,
  stopOf,
} from "./leg.ts";
import { createLegFills, type LegFill } from "./leg-fills.ts";
import { algoLeg, sideOfPush } from "./leg-of.ts";
import { type ClosedLeg, createPastLegs, type Held } from "./past-legs.ts";

export type { Leg, LegChange, LegMeta, ProtectionState, RestoredLeg } from "./leg.ts";

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
  sweepAlgos(orders: readonly AlgoOrder[], startedAtMs: number, atMs: number): readonly LoneStop[];
  /** The venue says that there is nothing to close. Null when something newer was told since `askedMs`. */
  flat(key: string, askedMs: number, atMs: number): LegChange | null;
  /** A fill on that leg, by the venue's time and by ours: what the venue last changed before it does not show it. */
  filled(key: string, fill: LegFill): void;
  /** A fill took so much from that leg. True when nothing is left of it, as far as is known. */
  took(key: string, qty: Decimal, fill: LegFill): boolean;
  /** A stop that was asked to end stands for no leg that might come back. */
  stopEnded(algoOrderId: string): void;
  /** The venue refuses to change a stop because it is over: none stands on its leg. */
  stopOver(key: string, algoOrderId: string, atMs: number): void;
  /** A push of a stop that stands while no leg of it is held. */
  lone(order: AlgoOrder, nowMs: number): LoneStop | null;
  expect(key: string, meta: LegMeta): void;
  /** Whether a list lacked that leg so lately that the next may bring it back. */
  missing(key: string, nowMs: number): boolean;
  /** Whether that leg, which is not held, was missed or promised so lately that the next list may show it. */
  mayCome(key: string, nowMs: number): boolean;
  /** Whether a list lacked one so lately that the next may bring it back. */
  anyMissing(nowMs: number): boolean;
  lastClosedMs(key: string): number | null;
  recentCloses(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
}

const LIST_MISSES_MS = 5_000;
/** A leg that began so short a time ago may still be missing from every list. */
const YOUNG_MS = 20_000;
const STOP_LISTED_AFTER_MS = 2_000;

/** What earlier runs told. */
export interface EarlierLegs {
  /** Legs that were open when the journal ended. */
  readonly restored: ReadonlyMap<string, RestoredLeg>;
  /** Those that it tells to be over, oldest first. */
  readonly closed: readonly ClosedLeg[];
  /** No leg was told of after this. */
  readonly atMs: number;
}

function heldBefore({ restored, atMs }: EarlierLegs): readonly Held[] {
  return [...restored].flatMap(([key, { qty, toldMs }]) => {
    const [symbol = "", side = ""] = key.split("|");
    return side === "LONG" || side === "SHORT" ? [{ symbol, side, qty, atMs: Math.min(toldMs, atMs) }] : [];
  });
}

export function createLegs(earlier: EarlierLegs): Legs {
  const { restored, closed } = earlier;
  const held = new Map<string, Leg>();
  const expected = new Map<string, LegMeta>(restored);
  const past = createPastLegs(
    closed.filter(({ symbol, side }) => !restored.has(legKey(symbol, side))),
    heldBefore(earlier),
  );
  const fills = createLegFills();
  const { stands, end } = endedStops();
  /** Live algos by leg that came before their position did. */
  const waitingAlgos = new Map<string, AlgoOrder>();

  const close = (leg: Leg, atMs: number, missed = false): LegChange => {
    held.delete(leg.key);
    expected.delete(leg.key);
    past.over(leg, atMs, missed);
    return { leg, kind: "closed", shrank: true, ...(missed ? { missed: true } : {}) };
  };
  /** What was told of it before stays: that it is flat, and since when. */
  const neverWas = (leg: Leg): LegChange => {
    held.delete(leg.key);
    return { leg, kind: "closed", shrank: true, doubted: true };
  };
  /** It was flat a moment ago and began anew: the push may be of then. No fill has taken it, so the list decides. */
  const perhapsFlat = (leg: Leg, atMs: number): LegChange => {
    leg.doubtedSinceMs ??= atMs;
    return { leg, kind: "same", doubted: true };
  };
  /** More than the doubted push told of it. */
  const began = ({ readAtMs, doubtedSinceMs }: Leg): boolean => readAtMs < (doubtedSinceMs ?? -Infinity);
  const comeBack = (leg: Leg, atMs: number): LegChange => {
    if (leg.protection !== "live") leg.unprotectedSinceMs ??= atMs;
    held.set(leg.key, leg);
    return { leg, kind: "opened" };
  };
  const open = (position: Position, atMs: number): LegChange => {
    const key = legKey(position.symbol, position.side);
    past.shown(key);
    const before = past.continued(key, position);
    if (before) return comeBack({ ...before, position, closeAskedMs: null, readAtMs: atMs }, atMs);
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
    const shrank = position.qty.lt(leg.position.qty);
    if (isTaken(leg)) past.passed(leg.key, atMs);
    leg.position = position;
    leg.readAtMs = atMs;
    leg.takenQty = ZERO;
    return { leg, kind, ...(shrank ? { shrank } : {}) };
  };

  /** In one-way mode a flat push speaks of both sides. */
  const unheld = ({ symbol, positionSide }: PositionUpdate, atMs: number): null => {
    for (const side of ["LONG", "SHORT"] as const)
      if (positionSide === side || positionSide === "NONE") past.toldFlat(legKey(symbol, side), atMs);
    return null;
  };
  const justOver = ({ symbol, positionSide }: PositionUpdate, key: string, atMs: number): boolean =>
    past.justOver(key, atMs) ||
    (positionSide === "NONE" && (["LONG", "SHORT"] as const).some((side) => past.justOver(legKey(symbol, side), atMs)));
  /** In one-way mode a symbol has one position: with the other side held, this one is over, unless a list says otherwise. */
  const turned = (key: string, atMs: number): void => {
    const leg = held.get(key);
    if (!leg) return;
    leg.takenQty = leg.position.qty;
    leg.doubtedSinceMs ??= atMs;
  };
  const mayCome = (key: string, nowMs: number): boolean =>
    past.missing(key, nowMs) || (expected.get(key)?.openedAtMs ?? -Infinity) > nowMs - YOUNG_MS;

  return {
    all: () => [...held.values()],
    get: (key) => held.get(key),
    push: (update, atMs) => {
      const side = update.positionSide === "NONE" ? sideOfPush(update, held) : update.positionSide;
      const key = legKey(update.symbol, side);
      const leg = held.get(key);
      const qty = update.qty.abs();
      if (qty.isZero() && leg && justOver(update, key, atMs) && !isTaken(leg)) return perhapsFlat(leg, atMs);
      if (qty.isZero()) return leg ? close(leg, atMs) : unheld(update, atMs);
      const before = leg?.position;
      if (update.positionSide === "NONE") turned(legKey(update.symbol, side === "LONG" ? "SHORT" : "LONG"), atMs);
      // Word for word what was held before fills took it: a push that came late. The list decides.
      if (leg && isTaken(leg) && qty.eq(leg.position.qty) && update.avgPrice.eq(leg.position.avgPrice))
        return perhapsFlat(leg, atMs);
      if (leg && isTaken(leg)) leg.doubtedSinceMs = null;
      // Pushes bear no time. One that tells of a leg again which was flat a moment ago, while no order filled, may be late.
      const doubted = !leg && past.justOver(key, atMs) && !expected.has(key);
      const told = change(
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
      if (!doubted) return told;
      told.leg.doubtedSinceMs = atMs;
      return { ...told, doubted };
    },
    sweep: (positions, startedAtMs, atMs) => {
      const changes: LegChange[] = [];
      const seen = new Set<string>();
      for (const position of positions) {
        if (position.qty.isZero()) continue;
        const key = legKey(position.symbol, position.side);
        seen.add(key);
        const leg = held.get(key);
        if (leg ? leg.readAtMs >= startedAtMs : past.outdated(key, position, startedAtMs)) continue;
        if (fills.missingFrom(key, position, startedAtMs)) continue;
        const doubtedMs = leg?.doubtedSinceMs ?? null;
        if (doubtedMs !== null && (doubtedMs >= startedAtMs || past.outdated(key, position, startedAtMs))) continue;
        const told = change(position, atMs);
        told.leg.doubtedSinceMs = null;
        changes.push(told);
      }
      for (const leg of [...held.values()]) {
        // What was told of a moment ago may not be in a list that lags.
        const toldMs = leg.readAtMs + LIST_MISSES_MS;
        if (!seen.has(leg.key) && leg.doubtedSinceMs !== null && leg.doubtedSinceMs < startedAtMs)
          changes.push(isTaken(leg) || began(leg) ? close(leg, atMs, !isTaken(leg)) : neverWas(leg));
        else if (!seen.has(leg.key) && toldMs < startedAtMs) changes.push(close(leg, atMs, !isTaken(leg)));
      }
      return changes;
    },
    algo: (order, atMs) => {
      const key = algoLeg(order);
      const leg = held.get(key);
      if (!leg) {
        if (stands(order)) waitingAlgos.set(key, order);
        else {
          waitingAlgos.delete(key);
          past.stopEnded(order.algoOrderId);
        }
        return null;
      }
      if (!stands(order)) {
        if (leg.algoOrderId === order.algoOrderId) detach(leg, atMs);
        if (leg.repliedAlgoId === order.algoOrderId) leg.repliedAlgoId = null;
        return null;
      }
      if (stopOf(order) === null) return null;
      const standing = standingOrder(leg, order);
      if (standing !== null && !protectsMore(leg, order, standing)) return order;
      attach(leg, order, atMs);
      return standing;
    },
    sweepAlgos: (orders, startedAtMs, atMs) => {
      const orphans: LoneStop[] = [];
      const standing = new Map<string, AlgoOrder>();
      for (const order of orders) {
        if (!stands(order)) continue;
        const key = algoLeg(order);
        const leg = held.get(key);
        if (leg && stopOf(order) === null) continue;
        const other = leg && standing.get(leg.key);
        if (!leg || (other && !protectsMore(leg, order, other)))
          orphans.push({ order, doubtful: !leg && mayCome(key, startedAtMs) });
        else {
          if (other) orphans.push({ order: other, doubtful: false });
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
      if (!leg) return;
      leg.meta = { ...meta, openedAtMs: leg.meta.openedAtMs };
      leg.doubtedSinceMs = null;
    },
    flat: (key, askedMs, atMs) => {
      const leg = held.get(key);
      if (!leg) past.toldFlat(key, askedMs);
      return leg && leg.readAtMs < askedMs ? close(leg, atMs) : null;
    },
    filled: (key, fill) => fills.note(key, fill),
    took: (key, qty, { atMs, heardMs }) => {
      const leg = held.get(key);
      if (!leg) {
        past.took(key, qty, atMs);
        return false;
      }
      leg.takenQty = leg.takenQty.add(qty);
      if (isTaken(leg)) leg.doubtedSinceMs ??= heardMs;
      return isTaken(leg);
    },
    stopEnded: (algoOrderId) => past.stopEnded(algoOrderId),
    stopOver: (key, algoOrderId, atMs) => {
      end(algoOrderId);
      const leg = held.get(key);
      if (leg?.algoOrderId === algoOrderId) detach(leg, atMs);
    },
    lone: (order, nowMs) => {
      const key = algoLeg(order);
      return stands(order) && !held.has(key) ? { order, doubtful: mayCome(key, nowMs) } : null;
    },
    missing: (key, nowMs) => past.missing(key, nowMs),
    mayCome,
    anyMissing: (nowMs) => past.anyMissing(nowMs),
    lastClosedMs: (key) => past.lastMs(key),
    recentCloses: () => past.all(),
  };
}
