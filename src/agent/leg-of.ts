/** Which leg a record of the venue speaks of. */
import type { AlgoOrder } from "../domain/algo-order.ts";
import { legKey, type PositionUpdate } from "../domain/position.ts";
import type { Leg } from "./leg.ts";

export const algoLeg = (order: AlgoOrder): string => {
  if (order.positionSide !== "NONE") return legKey(order.symbol, order.positionSide);
  return legKey(order.symbol, order.side === "BUY" ? "SHORT" : "LONG");
};

/** In one-way mode a flat push carries no sign: it speaks of whichever side is held. */
export function sideOfPush(update: PositionUpdate, held: ReadonlyMap<string, Leg>): "LONG" | "SHORT" {
  if (update.qty.isNegative() && !update.qty.isZero()) return "SHORT";
  if (update.qty.isZero() && held.has(legKey(update.symbol, "SHORT"))) return "SHORT";
  return "LONG";
}
