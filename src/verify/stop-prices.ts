/** Prices of stops: which of two is safer, how far from its entry one may lie, and which orders were asked for as stops. */
import { within } from "./bounds.ts";
import { add, gt, lt, mul, type Num, sub } from "./decimal.ts";
import { type Rec, text } from "./fields.ts";
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { VenueAlgo } from "./venue-facts.ts";
import type { Row } from "./rows.ts";
import { ONE } from "./venue-view.ts";

export type PositionSide = "LONG" | "SHORT";

/** True when a stop at `a` loses less than one at `b`. */
export const safer = (side: PositionSide, a: Num, b: Num): boolean => (side === "LONG" ? gt(a, b) : lt(a, b));

/** The price at that fraction of `price` on the losing side of it. */
export const losing = (side: PositionSide, price: Num, distance: Num): Num =>
  mul(price, side === "LONG" ? sub(ONE, distance) : add(ONE, distance));

/** What a configuration allows, within the verifier's own bounds. */
export interface Allowed {
  readonly furthest: Num;
  /** The distance of a stop that no decision gave. */
  readonly standard: Num;
  readonly slippage: Num;
}

export function allowedBy(config: Rec): Allowed {
  const furthest = within(config, "risk.maxStopDistance");
  const standard = within(config, "risk.defaultStopDistance");
  return {
    furthest,
    standard: lt(standard, furthest) ? standard : furthest,
    slippage: within(config, "execution.slippage"),
  };
}

/** `SYMBOL|LONG` or `SYMBOL|SHORT` as symbol and side; null for anything else. */
export function positionIn(key: string): { readonly symbol: string; readonly side: PositionSide } | null {
  const [symbol = "", side] = key.split("|");
  return side === "LONG" || side === "SHORT" ? { symbol, side } : null;
}

/** The position that a stop would close. In one-way mode its side alone decides. */
export const sideClosedBy = ({ positionSide, side }: VenueAlgo): PositionSide =>
  positionSide === "LONG" || positionSide === "SHORT" ? positionSide : side === "BUY" ? "SHORT" : "LONG";

/** The rows that ask for a stop, by the id that it was given: several where an unanswered request was repeated. */
export function stopsAsked(history: History): ReadonlyMap<string, readonly Row[]> {
  const asked = new Map<string, Row[]>();
  for (const row of journalView(history).kinds("protection")) {
    const id = text(row.body, "clientOrderId");
    if (id === null) continue;
    const rows = asked.get(id) ?? [];
    rows.push(row);
    asked.set(id, rows);
  }
  return asked;
}
