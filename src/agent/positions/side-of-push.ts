/** Which position a record of the venue speaks of. */
import type { AlgoOrder } from "../../domain/algo-order.ts";
import { positionKeyOf, type PositionUpdate } from "../../domain/position.ts";
import { isTaken, type HeldPosition } from "./held-position.ts";

/** The `positionKeyOf` that a stop would close. In one-way mode its side alone reports: a BUY closes a short. */
export const algoPosition = (order: AlgoOrder): string => {
  if (order.positionSide !== "NONE") return positionKeyOf(order.symbol, order.positionSide);
  return positionKeyOf(order.symbol, order.side === "BUY" ? "SHORT" : "LONG");
};

/** In one-way mode a flat push carries no sign: it speaks of whichever side is held, of two of that which fills took. */
export function sideOfPush({ qty, symbol }: PositionUpdate, held: ReadonlyMap<string, HeldPosition>): "LONG" | "SHORT" {
  if (!qty.isZero()) return qty.isNegative() ? "SHORT" : "LONG";
  const long = held.get(positionKeyOf(symbol, "LONG"));
  if (long && isTaken(long)) return "LONG";
  return held.has(positionKeyOf(symbol, "SHORT")) ? "SHORT" : "LONG";
}
