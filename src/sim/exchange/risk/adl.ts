/**
 * Auto-deleveraging: the rank of positions (records §7.6), and what happens when neither the book nor the insurance
 * fund can absorb a forced close. The procedure is a guess, because the documents give only the rank: positions on the
 * other side are reduced in the order of their rank, at the price that leaves the liquidated account with nothing (the
 * bankruptcy price, within the band of limit prices), without a fee. It is reported by Orders, Trades, Positions and
 * Assets like any other fill, its order carries the reason, and a position that ends this way is ADL_CLOSED in the
 * history. No public trade is printed.
 */
import { type Decimal, maxDecimal, minDecimal, ONE, ZERO } from "../../../core/decimal.ts";
import { referencePrice } from "../state/figures.ts";
import { applyFill } from "../matching/fills.ts";
import { bandOf, gaugeOf } from "../positions/gauge.ts";
import { bracketOf, leverageOf, positionValue, unrealised, walletFigures } from "../positions/margin.ts";
import { venueOrder } from "../orders/place.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Instrument, Order, World } from "../state/state.ts";

/** Profit on margin: the larger it is, the sooner a position is deleveraged. */
function adlScore(exposure: Exposure, position: Position): Decimal {
  const value = positionValue(exposure.instrument, position);
  if (value.isZero()) return ZERO;
  const leverage = leverageOf(exposure.wallet.portfolio, exposure.instrument);
  return unrealised(exposure.instrument, position).mul(leverage).div(value);
}

/** "1" for a position without profit; otherwise its fifth among all profitable ones on the same side, "5" going first. */
export function adlRankOf(exposure: Exposure, position: Position): string {
  const score = adlScore(exposure, position);
  if (score.lte(0)) return "1";
  const rivals = exposure.instrument.exposures
    .flatMap((other) => [...other.positions.values()].map((held) => ({ other, held })))
    .filter(({ held }) => Math.sign(held.lots) === Math.sign(position.lots))
    .map(({ other, held }) => adlScore(other, held));
  const below = rivals.filter((rival) => rival.lt(score)).length;
  return String(1 + Math.floor((4 * below) / rivals.length + 0.5));
}

/**
 * The price in ticks at which closing the whole position, taker fee included, leaves the account with `-spare`: its
 * bankruptcy price if nothing is spare. Rounded in favour of the account; null if any price will do.
 */
export function endTicks(world: World, exposure: Exposure, position: Position, spare: Decimal): number | null {
  const { instrument, wallet } = exposure;
  const mark = referencePrice(instrument);
  if (mark === null) return null;
  const long = position.lots > 0;
  const base = instrument.lotBase.mul(position.lots);
  const left = walletFigures(world, wallet).equity.add(spare);
  const { rate } = instrument.fees.taker;
  const price = base
    .mul(mark)
    .sub(left)
    .div(base.mul(long ? ONE.sub(rate) : ONE.add(rate)));
  const ticks = price.div(instrument.rules.tickSize);
  if (long) return ticks.lt(1) ? null : ticks.ceil().toNumber();
  // If no price can save a short, it is closed at the lowest price.
  return maxDecimal(ONE, ticks.floor()).toNumber();
}

/** Whether the fund can take a position over at the mark price: it needs the loss so far, and the margin to hold it. */
export function fundCarries(world: World, exposure: Exposure, position: Position, fund: Decimal): boolean {
  const { instrument, wallet } = exposure;
  const value = positionValue(instrument, position);
  const carried = value.mul(bracketOf(instrument.spec, value).tier.maintenanceRate);
  return fund.gte(carried.sub(minDecimal(ZERO, walletFigures(world, wallet).equity)));
}

interface Rival {
  readonly exposure: Exposure;
  readonly position: Position;
  readonly score: Decimal;
}

/**
 * The positions on the other side in the order of deleveraging; equal ones in the order of their owners' first
 * position.
 */
function rivalsOf(instrument: Instrument, closing: Position): Rival[] {
  const rivals: Rival[] = [];
  for (const exposure of instrument.exposures) {
    for (const position of exposure.positions.values()) {
      if (Math.sign(position.lots) !== -Math.sign(closing.lots)) continue;
      rivals.push({ exposure, position, score: adlScore(exposure, position) });
    }
  }
  return rivals.sort((a, b) => b.score.cmp(a.score) || a.exposure.no - b.exposure.no);
}

/** Limited to the price band of orders: the other side does not pay for losses elsewhere in the account. */
function withinBand(world: World, instrument: Instrument, ticks: number): number {
  const gauge = gaugeOf(instrument);
  if (gauge === null) return Math.max(1, ticks);
  const { lowest, highest } = bandOf(instrument, gauge, world.settings.priceBand);
  return Math.max(1, Math.min(highest, Math.max(lowest, ticks)));
}

/**
 * Closes the rest of a forced order against positions on the other side, as far as there are any, except the account's
 * own.
 */
export function deleverage(world: World, order: Order, position: Position): void {
  const { exposure } = order;
  const ticks = withinBand(world, exposure.instrument, endTicks(world, exposure, position, ZERO) ?? 0);
  for (const rival of rivalsOf(exposure.instrument, position)) {
    const lots = Math.min(order.lots - order.filledLots, Math.abs(rival.position.lots));
    if (lots === 0) return;
    if (rival.exposure.wallet === exposure.wallet) continue;
    const reducing = venueOrder(world, rival.exposure, {
      side: rival.position.lots > 0 ? "SELL" : "BUY",
      positionSide: rival.position.side,
      lots,
      origin: "ADL",
      algoOrderId: "",
      reason: "auto-deleveraged",
    });
    applyFill(world, reducing, { ticks, lots, maker: true, free: true });
    applyFill(world, order, { ticks, lots, maker: false });
  }
}
