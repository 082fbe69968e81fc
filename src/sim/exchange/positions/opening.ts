/** Which orders open or enlarge a position, and by how much. Spec: records §4.1, §5.1. */
import type { Exposure, Order } from "../state/state.ts";

/** Whether an order can only reduce its position: by its hedge side, or because it is reduce-only. */
export function onlyReduces(order: Pick<Order, "side" | "positionSide" | "reduceOnly">): boolean {
  if (order.reduceOnly) return true;
  return order.positionSide === "LONG" ? order.side === "SELL" : order.positionSide === "SHORT" && order.side === "BUY";
}

/**
 * Lots of each open order that would open or enlarge a position. In one-way mode orders against the position use up the
 * reducible quantity, oldest first. Visits (order, lots) pairs, without those that open nothing.
 */
export function openingLots(exposure: Exposure, visit: (order: Order, lots: number) => void): void {
  const net = exposure.positions.get("NONE")?.lots ?? 0;
  let reducible = Math.abs(net);
  for (let order = exposure.open.first; order !== null; order = order.openNext) {
    const left = order.lots - order.filledLots;
    if (exposure.instrument.spot) {
      if (order.side === "BUY") visit(order, left);
      continue;
    }
    const against = order.positionSide === "NONE" && net !== 0 && order.side === (net > 0 ? "SELL" : "BUY");
    const reduces = against ? Math.min(left, reducible) : 0;
    if (against) reducible -= reduces;
    if (!onlyReduces(order) && left > reduces) visit(order, left - reduces);
  }
}

/** Whether an open order would open or enlarge a position, at least in part. */
export function opens(order: Order): boolean {
  let found = false;
  openingLots(order.exposure, (other) => {
    found ||= other === order;
  });
  return found;
}
