/**
 * The totals of an exposure's open orders. The lots of each side are updated with every change; what would open or
 * enlarge a position is summed when requested. Exact: only integers are added here.
 */
import { gaugeOf } from "./gauge.ts";
import { onlyReduces, openingLots } from "./opening.ts";
import type { Exposure, Order } from "../state/state.ts";
import type { MarkTicks, OrderTally } from "../state/sums.ts";

/** All zero: for an exposure without open orders. */
export const newTally = (): OrderTally => ({ buyLots: 0, sellLots: 0, reducers: 0 });

function add(tally: OrderTally, order: Order, times: 1 | -1): void {
  const lots = times * order.talliedLots;
  if (order.side === "BUY") tally.buyLots += lots;
  else tally.sellLots += lots;
}

/** A new order is open. */
export function tallyIn(order: Order): void {
  const { tally } = order.exposure;
  order.talliedLots = order.lots - order.filledLots;
  if (onlyReduces(order)) tally.reducers++;
  add(tally, order, 1);
}

/** An open order has changed: its lots, or its filled part. */
export function tallyAgain(order: Order): void {
  const { tally } = order.exposure;
  add(tally, order, -1);
  order.talliedLots = order.lots - order.filledLots;
  add(tally, order, 1);
}

/** An order is no longer open. */
export function tallyOut(order: Order): void {
  const { tally } = order.exposure;
  add(tally, order, -1);
  if (onlyReduces(order)) tally.reducers--;
}

/**
 * Sums over orders that would open or enlarge a position: `units` in ticks x lots; and, of orders that would lose
 * against the mark price, the same (`lossUnits`) and their lots, buys positive and sells negative.
 */
export interface OpeningSums {
  units: number;
  lossUnits: number;
  lossLots: number;
}

const losesAgainst = (gauge: MarkTicks | null, { side, ticks }: Order): boolean =>
  gauge !== null && ticks !== null && (side === "BUY" ? ticks > gauge.floorTicks : ticks < gauge.ceilTicks);

/** Visits the open orders of one exposure. See `openingLots` for what counts. */
export function openingSums(exposure: Exposure): OpeningSums {
  const { instrument } = exposure;
  const gauge = instrument.spot ? null : gaugeOf(instrument);
  const sums = { units: 0, lossUnits: 0, lossLots: 0 };
  openingLots(exposure, (order, lots) => {
    sums.units += lots * order.countedTicks;
    if (!losesAgainst(gauge, order)) return;
    const signed = order.side === "BUY" ? lots : -lots;
    sums.lossUnits += signed * order.countedTicks;
    sums.lossLots += signed;
  });
  return sums;
}
