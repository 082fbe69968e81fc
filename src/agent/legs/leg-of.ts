/** Which leg a record of the venue speaks of. */
import type { AlgoOrder } from "../../domain/algo-order.ts";
import { legKey, type PositionUpdate } from "../../domain/position.ts";
import { isTaken, type Leg } from "./leg.ts";

/** The `legKey` that a stop would close. In one-way mode its side alone tells: a BUY closes a short. */
export const algoLeg = (order: AlgoOrder): string => {
  if (order.positionSide !== "NONE") return legKey(order.symbol, order.positionSide);
  return legKey(order.symbol, order.side === "BUY" ? "SHORT" : "LONG");
};

/** In one-way mode a flat push carries no sign: it speaks of whichever side is held, of two of that which fills took. */
export function sideOfPush({ qty, symbol }: PositionUpdate, held: ReadonlyMap<string, Leg>): "LONG" | "SHORT" {
  if (!qty.isZero()) return qty.isNegative() ? "SHORT" : "LONG";
  const long = held.get(legKey(symbol, "LONG"));
  if (long && isTaken(long)) return "LONG";
  return held.has(legKey(symbol, "SHORT")) ? "SHORT" : "LONG";
}
