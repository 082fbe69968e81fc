/**
 * What the open orders of an exposure add up to, kept in whole ticks and lots and carried along with every change, so
 * that the margin of thousands of orders costs as much as that of one. Exact: nothing but integers are added here.
 */
import { gaugeOf } from "./gauge.ts";
import { onlyReduces } from "./opening.ts";
import type { Exposure, Instrument, Order } from "./state.ts";
import type { Gauge, OrderTally } from "./sums.ts";

/** All zero: for an exposure without open orders. */
export const newTally = (): OrderTally => ({
  buyLots: 0,
  sellLots: 0,
  reducers: 0,
  units: 0,
  lossUnits: 0,
  lossLots: 0,
  gauge: null,
});

/** Whether what is left of an order counts as opening while no position stands against it. */
const countsAsOpening = (order: Order): boolean =>
  order.exposure.instrument.spot ? order.side === "BUY" : !onlyReduces(order);

function losesAgainst(instrument: Instrument, gauge: Gauge | null, order: Order): boolean {
  if (gauge === null || order.ticks === null || instrument.spot) return false;
  return order.side === "BUY" ? order.ticks > gauge.floorTicks : order.ticks < gauge.ceilTicks;
}

function addLoss(tally: OrderTally, order: Order, times: 1 | -1): void {
  if (!order.talliedLoss) return;
  const lots = (order.side === "BUY" ? times : -times) * order.talliedLots;
  tally.lossUnits += lots * order.talliedTicks;
  tally.lossLots += lots;
}

function add(tally: OrderTally, order: Order, times: 1 | -1): void {
  const lots = times * order.talliedLots;
  if (order.side === "BUY") tally.buyLots += lots;
  else tally.sellLots += lots;
  if (!countsAsOpening(order)) return;
  tally.units += lots * order.talliedTicks;
  addLoss(tally, order, times);
}

function read(exposure: Exposure, order: Order): void {
  order.talliedLots = order.lots - order.filledLots;
  order.talliedTicks = order.countedTicks;
  order.talliedLoss = losesAgainst(exposure.instrument, gaugeOf(exposure.instrument), order);
}

/** A new order is open. */
export function tallyIn(order: Order): void {
  const { exposure } = order;
  read(exposure, order);
  if (onlyReduces(order)) exposure.tally.reducers++;
  add(exposure.tally, order, 1);
}

/** An open order has changed: its lots, what of it is filled, or its price. */
export function tallyAgain(order: Order): void {
  const { exposure } = order;
  add(exposure.tally, order, -1);
  read(exposure, order);
  add(exposure.tally, order, 1);
}

/** An order is no longer open. */
export function tallyOut(order: Order): void {
  const { tally } = order.exposure;
  add(tally, order, -1);
  if (onlyReduces(order)) tally.reducers--;
}

/** After a new mark other orders lose. */
export function renewLoss(exposure: Exposure): void {
  const { tally, instrument } = exposure;
  const gauge = gaugeOf(instrument);
  if (tally.gauge === gauge) return;
  tally.gauge = gauge;
  tally.lossUnits = tally.lossLots = 0;
  for (let order = exposure.open.first; order !== null; order = order.openNext) {
    order.talliedLoss = losesAgainst(instrument, gauge, order);
    if (countsAsOpening(order)) addLoss(tally, order, 1);
  }
}

/** In ticks x lots and in lots. The loss sums are signed as in `OrderTally`. */
export interface OpeningSums {
  units: number;
  lossUnits: number;
  lossLots: number;
}

/** Takes off what the oldest orders against a one-way position use up of it: that part only reduces. */
function withoutReducing(exposure: Exposure, net: number, sums: OpeningSums): void {
  const closing = net > 0 ? "SELL" : "BUY";
  const sign = closing === "BUY" ? 1 : -1;
  let reducible = Math.min(Math.abs(net), net > 0 ? exposure.tally.sellLots : exposure.tally.buyLots);
  if (reducible === 0) return;
  for (let order = exposure.open.first; order !== null; order = order.openNext) {
    if (order.side !== closing) continue;
    const lots = Math.min(order.talliedLots, reducible);
    reducible -= lots;
    if (!onlyReduces(order)) {
      sums.units -= lots * order.talliedTicks;
      if (order.talliedLoss) {
        sums.lossUnits -= sign * lots * order.talliedTicks;
        sums.lossLots -= sign * lots;
      }
    }
    if (reducible === 0) return;
  }
}

/** The sums over what would open or enlarge a position (see `openingLots`, which reports the same order by order). */
export function openingSums(exposure: Exposure): OpeningSums {
  renewLoss(exposure);
  const { units, lossUnits, lossLots } = exposure.tally;
  const sums = { units, lossUnits, lossLots };
  const net = exposure.positions.get("NONE")?.lots ?? 0;
  if (net !== 0) withoutReducing(exposure, net, sums);
  return sums;
}
