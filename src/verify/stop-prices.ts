/** Prices of stops: which of two is safer, how far from its entry one may lie, and which orders were asked for as stops. */
import { add, gt, lt, mul, type Num, num, sub } from "./decimal.ts";
import { decimal, figure, type Rec, rec, text } from "./fields.ts";
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { VenueAlgo } from "./outside.ts";
import type { Row } from "./rows.ts";
import { ONE } from "./venue-view.ts";

/** No configuration may allow a stop further from its entry, or more slippage. The bounds are this verifier's own. */
const DISTANCE_MAX: Num = { digits: 2n, scale: 1 };
const SLIPPAGE_MAX: Num = { digits: 2n, scale: 2 };

export type Leg = "LONG" | "SHORT";

/** True when a stop at `a` loses less than one at `b`. */
export const safer = (leg: Leg, a: Num, b: Num): boolean => (leg === "LONG" ? gt(a, b) : lt(a, b));

/** The price at that fraction of `price` on the losing side of it. */
export const losing = (leg: Leg, price: Num, distance: Num): Num =>
  mul(price, leg === "LONG" ? sub(ONE, distance) : add(ONE, distance));

const least = (found: Num | null, most: Num): Num => (found && lt(found, most) ? found : most);

const share = (config: Rec, part: string, name: string): Num | null =>
  num(figure(rec(config, part) ?? {}, name) ?? undefined) ?? decimal(rec(config, part) ?? {}, name);

/** What a configuration allows, within the bounds above. */
export interface Allowed {
  readonly furthest: Num;
  /** The distance of a stop that no decision gave. */
  readonly standard: Num;
  readonly slippage: Num;
}

/** A figure that the configuration does not give is the bound itself. */
export function allowedBy(config: Rec): Allowed {
  const furthest = least(share(config, "risk", "maxStopDistance"), DISTANCE_MAX);
  return {
    furthest,
    standard: least(share(config, "risk", "defaultStopDistance"), furthest),
    slippage: least(share(config, "execution", "slippage"), SLIPPAGE_MAX),
  };
}

/** `SYMBOL|LONG` or `SYMBOL|SHORT` as symbol and side; null for anything else. */
export function legIn(key: string): { readonly symbol: string; readonly leg: Leg } | null {
  const [symbol = "", leg] = key.split("|");
  return leg === "LONG" || leg === "SHORT" ? { symbol, leg } : null;
}

/** The position that a stop would close. In one-way mode its side alone tells. */
export const legOfAlgo = ({ positionSide, side }: VenueAlgo): Leg =>
  positionSide === "LONG" || positionSide === "SHORT" ? positionSide : side === "BUY" ? "SHORT" : "LONG";

/** The rows that ask for a stop, by the id that it was given. */
export function stopsAsked(history: History): ReadonlyMap<string, Row> {
  const asked = journalView(history)
    .kinds("protection")
    .flatMap((row) => {
      const id = text(row.body, "clientOrderId");
      return id === null ? [] : [[id, row] as const];
    });
  return new Map(asked);
}
