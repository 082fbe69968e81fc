/**
 * Positions: how a fill opens, enlarges, reduces or reverses one. The average entry is weighted by quantity and a
 * reduction leaves it unchanged; realised profit is (fill - average) x quantity. Spec: records §7, §15.
 */
import { ZERO } from "../../../core/decimal.ts";
import type { PositionSide } from "../../../domain/order.ts";
import { floorDiv, minus, type Money, Sum, toDecimal } from "../state/amount.ts";
import { joinAverage, profitOf } from "./average.ts";
import { roundMoney } from "../state/figures.ts";
import { longId } from "../state/ids.ts";
import { leverageOf } from "./margin.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Order, World } from "../state/state.ts";

/** Empty, with a new id of 17 digits. It joins an exposure with its first lots. */
export function newPosition(world: World, side: PositionSide): Position {
  return {
    positionId: longId(world),
    side,
    lots: 0,
    avgTicks: 0,
    avgRest: 0,
    avg: null,
    fee: new Sum(),
    fundingFee: ZERO,
    liqFee: ZERO,
    closedPnl: new Sum(),
    maxLots: 0,
    openedLots: 0,
    closedLots: 0,
    openedUnits: 0,
    closedUnits: 0,
    createdAtMs: world.nowMs,
    updatedAtMs: world.nowMs,
  };
}

/** Adds lots on the position's own side. */
function enlarge(exposure: Exposure, position: Position, signedLots: number, ticks: number): void {
  const held = Math.abs(position.lots);
  const added = Math.abs(signedLots);
  joinAverage(exposure.instrument, position, added, ticks);
  position.lots += signedLots;
  position.maxLots = Math.max(position.maxLots, held + added);
  position.openedLots += added;
  position.openedUnits += added * ticks;
}

/** Removes lots, at most those held; returns the realised profit. */
function reduce(exposure: Exposure, position: Position, closedLots: number, ticks: number): Money {
  const realised = profitOf(exposure.instrument, position, closedLots, ticks);
  position.lots -= Math.sign(position.lots) * closedLots;
  position.closedPnl.add(realised);
  position.closedLots += closedLots;
  position.closedUnits += closedLots * ticks;
  return realised;
}

/** The effect of one fill on a position. `realised` is before the fee; zero if the fill only opened. */
export interface FillResult {
  readonly realised: Money;
  /** The position ended with this fill. */
  readonly closed: Position | null;
}

/** The part of a fee that falls on some of the lots, rounded to hundred-millionths. */
function feeShare(fee: Money, lots: number, of: number): Money {
  if (lots === of) return fee;
  const doubled = typeof fee === "number" ? 2 * Math.abs(fee) * lots + of : NaN;
  if (Number.isSafeInteger(doubled)) return Math.sign(fee as number) * floorDiv(doubled, 2 * of);
  return roundMoney(toDecimal(fee).mul(lots).div(of));
}

/** Books a fill of an order into its position. In one-way mode a fill beyond zero closes and opens the other side. */
export function fillPosition(
  world: World,
  order: Order,
  fill: { readonly lots: number; readonly ticks: number; readonly fee: Money },
): FillResult {
  const { exposure } = order;
  const { positions } = exposure;
  const direction = order.side === "BUY" ? 1 : -1;
  const present = positions.get(order.positionSide);
  const against = present !== undefined && Math.sign(present.lots) === -direction;
  const closes = against ? Math.min(fill.lots, Math.abs(present.lots)) : 0;
  let realised: Money = 0;
  let fee = fill.fee;
  if (against) {
    realised = reduce(exposure, present, closes, fill.ticks);
    // The closed and the opened part share the fee by their lots.
    const part = feeShare(fee, closes, fill.lots);
    present.fee.add(part);
    fee = minus(fee, part);
    present.updatedAtMs = world.nowMs;
    if (present.lots === 0) endPosition(exposure, present, order);
  }
  if (fill.lots > closes) {
    const position = positions.get(order.positionSide) ?? newPosition(world, order.positionSide);
    positions.set(order.positionSide, position);
    enlarge(exposure, position, direction * (fill.lots - closes), fill.ticks);
    position.fee.add(fee);
    position.updatedAtMs = world.nowMs;
  }
  return { realised, closed: present?.lots === 0 ? present : null };
}

function endPosition(exposure: Exposure, position: Position, order: Order): void {
  const { wallet, instrument } = exposure;
  exposure.positions.delete(position.side);
  wallet.portfolio.closedPositions.push({
    exposure,
    position,
    long: order.side === "SELL",
    endedBy: order.origin,
    leverage: leverageOf(wallet.portfolio, instrument),
    mode: wallet.mode,
  });
}

/** How much of a position an order of this side would reduce; zero if it would open. */
export function reducibleLots(exposure: Exposure, order: Pick<Order, "side" | "positionSide">): number {
  const lots = exposure.positions.get(order.positionSide)?.lots ?? 0;
  return lots !== 0 && order.side === (lots > 0 ? "SELL" : "BUY") ? Math.abs(lots) : 0;
}
