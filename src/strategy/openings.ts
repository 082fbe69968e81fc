/** Common to all rules: skip taken symbols, respect the maximum number of positions, give a reason for each close. */
import type { HeldPosition, Snapshot, SymbolView } from "../context/snapshot.ts";
import { MINUTE_MS } from "../core/time.ts";
import { isOpening, sideOpenedBy } from "../domain/order.ts";
import { boundedStop, isTradable, volatilityOver, volatilitySize } from "./distances.ts";
import type { TargetPosition } from "./strategy.ts";

/** A possible opening and its expected edge, as a fraction of price. */
export interface OpeningCandidate {
  readonly target: TargetPosition;
  readonly edge: number;
}

/** Both count held, resting and new positions: `maxPositions` symbols, `maxSameDirection` positions of one side. */
export interface OpeningCaps {
  readonly maxPositions: number;
  readonly maxSameDirection: number;
}

/** How volatility determines stop and size. Stops and volatility are fractions of price, `maxSize` is 0 to 1. */
export interface ShapeSettings {
  readonly stopVolatilities: number;
  readonly minStop: number;
  readonly maxStop: number;
  readonly fullSizeVolatility: number;
  readonly maxSize: number;
}

/** Empty while the account has not been read. */
export const heldPositions = (snapshot: Snapshot): readonly HeldPosition[] => snapshot.account?.positions ?? [];

/** Minutes since the position was opened, with fractions. */
export const heldMinutes = (held: HeldPosition, snapshot: Snapshot): number =>
  (snapshot.atMs - held.openedAtMs) / MINUTE_MS;

interface TakenPosition {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
}

/** May name a position twice. An opening buys a long or sells a short in either position mode. */
function takenPositions(snapshot: Snapshot): readonly TakenPosition[] {
  const coming = snapshot.account?.openOrders.filter(isOpening) ?? [];
  return [
    ...heldPositions(snapshot).map(({ position }) => position),
    ...coming.map(({ symbol, side }): TakenPosition => ({ symbol, side: sideOpenedBy(side) })),
  ];
}

/** Symbols with a position or a resting opening order. */
export const takenSymbols = (snapshot: Snapshot): ReadonlySet<string> =>
  new Set(takenPositions(snapshot).map(({ symbol }) => symbol));

const takenOn = (side: TakenPosition["side"], snapshot: Snapshot): number =>
  new Set(takenPositions(snapshot).flatMap((taken) => (taken.side === side ? [taken.symbol] : []))).size;

/** Tradable now, with a narrow enough spread, and not taken. */
export function isFree(
  view: SymbolView,
  taken: ReadonlySet<string>,
  settings: { readonly maxQuoteAgeMs: number; readonly maxSpreadBps: number },
): boolean {
  if (taken.has(view.symbol) || !isTradable(view, settings.maxQuoteAgeMs)) return false;
  return view.spreadBps !== null && view.spreadBps <= settings.maxSpreadBps;
}

/** The best edges within the caps. Empty if nothing may be opened. */
export function chooseOpenings(
  candidates: readonly OpeningCandidate[],
  snapshot: Snapshot,
  caps: OpeningCaps,
): readonly TargetPosition[] {
  if (!snapshot.headroom.mayOpen) return [];
  const count = { LONG: takenOn("LONG", snapshot), SHORT: takenOn("SHORT", snapshot) };
  let room = caps.maxPositions - takenSymbols(snapshot).size;
  const best = [...candidates].sort((a, b) => b.edge - a.edge || (a.target.symbol < b.target.symbol ? -1 : 1));
  return best.flatMap(({ target }) => {
    if (room <= 0 || count[target.leg] >= caps.maxSameDirection) return [];
    count[target.leg]++;
    room--;
    return [target];
  });
}

/** An opening without stop and size; `volatility` is hourly, as a fraction of price. */
export interface Entry {
  readonly view: SymbolView;
  readonly leg: "LONG" | "SHORT";
  readonly volatility: number;
  /** Intended holding time, hours. */
  readonly hours: number;
  /** Distance of the target, fraction of price; 0 for none. */
  readonly target: number;
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** The stop that an entry needs; an entry that needs one beyond `maxStop` is dropped. */
export const stopNeeded = (volatility: number, hours: number, settings: ShapeSettings): number =>
  settings.stopVolatilities * volatilityOver(volatility, hours);

/** An opening target whose stop and size come from volatility. */
export function openingTarget(entry: Entry, roundTripCost: number, settings: ShapeSettings): TargetPosition {
  const { view, leg: positionSide, volatility, hours, target, reason, evidence } = entry;
  return {
    symbol: view.symbol,
    leg: positionSide,
    size: volatilitySize(volatility, settings.fullSizeVolatility, settings.maxSize),
    stopDistance: boundedStop(stopNeeded(volatility, hours, settings), {
      min: settings.minStop,
      max: settings.maxStop,
      roundTripCost,
    }),
    // A target within the costs is dropped.
    targetDistance: target > 2 * roundTripCost ? Math.min(1, target) : null,
    urgency: "take",
    reason,
    evidence,
  };
}

/** Size 0, at once. The stop distance has no effect, but every target must have one. */
export const closingTarget = (held: HeldPosition, reason: string, evidence: readonly string[]): TargetPosition => ({
  symbol: held.position.symbol,
  leg: held.position.side,
  size: 0,
  stopDistance: 0.02,
  targetDistance: null,
  urgency: "take",
  reason,
  evidence,
});

/** For reasons that people read: 0.0123 is `1.23%`. */
export const percentText = (share: number): string => `${(share * 100).toFixed(2)}%`;
