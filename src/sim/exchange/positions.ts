/**
 * Positions: how a fill opens, enlarges, reduces or turns one. The average entry is weighted by quantity and a
 * reduction leaves it alone; realised profit is (fill - average) x quantity. Spec: records §7, §15.
 */
import { type Decimal, toFloat, ZERO } from "../../core/decimal.ts";
import type { PositionSide } from "../../domain/order.ts";
import { priceOf, roundMoney, roundPrice } from "./figures.ts";
import { longId } from "./ids.ts";
import { leverageOf } from "./margin.ts";
import type { Exposure, Order, Position, World } from "./state.ts";

export function newPosition(world: World, side: PositionSide): Position {
  return {
    positionId: longId(world),
    side,
    lots: 0,
    avg: ZERO,
    avgFloat: 0,
    fee: ZERO,
    fundingFee: ZERO,
    liqFee: ZERO,
    closedPnl: ZERO,
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
  const { instrument } = exposure;
  const held = Math.abs(position.lots);
  const added = Math.abs(signedLots);
  const price = priceOf(instrument, ticks);
  position.avg =
    held === 0
      ? price
      : roundPrice(
          position.avg
            .mul(held)
            .add(price.mul(added))
            .div(held + added),
        );
  position.avgFloat = toFloat(position.avg);
  position.lots += signedLots;
  position.maxLots = Math.max(position.maxLots, held + added);
  position.openedLots += added;
  position.openedUnits += added * ticks;
}

/** Takes lots away, not more than there are; answers the realised profit. */
function reduce(exposure: Exposure, position: Position, closedLots: number, ticks: number): Decimal {
  const { instrument } = exposure;
  const sign = Math.sign(position.lots);
  const perBase = priceOf(instrument, ticks).sub(position.avg).mul(sign);
  const realised = roundMoney(perBase.mul(instrument.lotBase).mul(closedLots));
  position.lots -= sign * closedLots;
  position.closedPnl = position.closedPnl.add(realised);
  position.closedLots += closedLots;
  position.closedUnits += closedLots * ticks;
  return realised;
}

export interface PositionChange {
  readonly realised: Decimal;
  /** The position ended with this fill. */
  readonly closed: Position | null;
}

/** The fee is shared between the closed and the opened part by their lots. */
function chargeFee(position: Position, fee: Decimal, share: number): Decimal {
  const part = share === 1 ? fee : roundMoney(fee.mul(share));
  position.fee = position.fee.add(part);
  return fee.sub(part);
}

/** Books a fill of an order into its leg. In one-way mode a fill beyond zero closes and opens the other way. */
export function fillPosition(
  world: World,
  order: Order,
  fill: { readonly lots: number; readonly ticks: number; readonly fee: Decimal },
): PositionChange {
  const { exposure } = order;
  const { positions } = exposure;
  const direction = order.side === "BUY" ? 1 : -1;
  const present = positions.get(order.positionSide);
  const against = present !== undefined && Math.sign(present.lots) === -direction;
  const closes = against ? Math.min(fill.lots, Math.abs(present.lots)) : 0;
  let realised = ZERO;
  let fee = fill.fee;
  if (against) {
    realised = reduce(exposure, present, closes, fill.ticks);
    fee = chargeFee(present, fee, closes / fill.lots);
    present.updatedAtMs = world.nowMs;
    if (present.lots === 0) endPosition(exposure, present, order);
  }
  if (fill.lots > closes) {
    const position = positions.get(order.positionSide) ?? newPosition(world, order.positionSide);
    positions.set(order.positionSide, position);
    enlarge(exposure, position, direction * (fill.lots - closes), fill.ticks);
    chargeFee(position, fee, 1);
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
    liquidated: order.origin === "LIQUIDATION",
    leverage: leverageOf(wallet.portfolio, instrument),
    mode: wallet.mode,
  });
}

/** How much of a leg an order of this side would take away; zero where it would open. */
export function reducibleLots(exposure: Exposure, order: Pick<Order, "side" | "positionSide">): number {
  const lots = exposure.positions.get(order.positionSide)?.lots ?? 0;
  return lots !== 0 && order.side === (lots > 0 ? "SELL" : "BUY") ? Math.abs(lots) : 0;
}
