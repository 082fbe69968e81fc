/**
 * A wallet's margin in floats with a bound on their error, for the many checks that are nowhere near their limit. It
 * answers "certainly enough" or nothing; whenever it is not certain, and for every figure that anyone reads, the exact
 * decimals of `margin.ts` decide.
 */
import { averageFloat } from "./average.ts";
import { gaugeOf } from "./gauge.ts";
import { leverageIn } from "./margin.ts";
import { renewLoss } from "./tally.ts";
import type { Exposure, Instrument, Portfolio, Wallet, World } from "./state.ts";
import type { Estimate } from "./sums.ts";

/** Floats are right to about sixteen digits; ten are claimed, and a little for the venue's own rounding of money. */
const RELATIVE_ERROR = 1e-10;
const ABSOLUTE_ERROR = 1e-5;

/** All zero and not fresh, so that the first question makes it again. */
export const newEstimate = (): Estimate => ({
  fresh: false,
  upnl: 0,
  maintenance: 0,
  perpMargin: 0,
  openLoss: 0,
  gross: 0,
});

/** The largest rate among the tiers up to the value, which is taken a little higher so that none slips under. */
function rateOf({ tiers }: Instrument["floats"], value: number): number {
  let rate = 0;
  for (const tier of tiers) {
    if (value * (1 + RELATIVE_ERROR) + ABSOLUTE_ERROR >= tier.from && tier.rate > rate) rate = tier.rate;
  }
  return rate;
}

/** Makes the estimate again in its place; false while there is no mark. */
function renew(world: World, exposure: Exposure): boolean {
  const { instrument, estimate } = exposure;
  if (exposure.positions.size === 0 && exposure.open.size === 0) {
    Object.assign(estimate, newEstimate());
    return (estimate.fresh = true);
  }
  const gauge = gaugeOf(instrument);
  if (gauge === null) return false;
  const { unitValue, lotBase } = instrument.floats;
  const perLot = gauge.mark * lotBase;
  let upnl = 0;
  let value = 0;
  let paid = 0;
  let maintenance = 0;
  for (const position of exposure.positions.values()) {
    const { lots } = position;
    const avgFloat = averageFloat(instrument, position);
    const worth = perLot * Math.abs(lots);
    upnl += (gauge.mark - avgFloat) * lotBase * lots;
    value += worth;
    paid += avgFloat * lotBase * Math.abs(lots);
    maintenance += worth * rateOf(instrument.floats, worth);
  }
  // What only reduces a one-way position is not looked for: that would make a walk of every check.
  renewLoss(exposure);
  const { units, lossUnits, lossLots } = exposure.tally;
  const notional = unitValue * units;
  const leverage = leverageIn(exposure);
  const taker = instrument.spot ? world.floats.spotTaker : world.floats.perpTaker;
  estimate.upnl = upnl;
  estimate.maintenance = maintenance;
  estimate.perpMargin = (value + notional) / leverage;
  estimate.openLoss = notional * taker + unitValue * lossUnits - perLot * lossLots;
  estimate.gross = value + paid + notional + unitValue * Math.abs(lossUnits) + perLot * Math.abs(lossLots);
  return (estimate.fresh = true);
}

/** Bounds: the true figure is no lower, for `maintenance` no higher. */
export interface Bounds {
  readonly equity: number;
  readonly validMargin: number;
  readonly availableMargin: number;
  readonly maintenance: number;
}

/** Null where an estimate would be no good: other coins, or a position without a mark. */
export function boundsOf(world: World, wallet: Wallet): Bounds | null {
  if (wallet.coins.size > 1) return null;
  const balance = wallet.usdt.sum.float;
  let upnl = 0;
  let maintenance = 0;
  let perpMargin = 0;
  let openLoss = 0;
  let gross = Math.abs(balance);
  for (const exposure of wallet.exposures.values()) {
    const part = exposure.estimate;
    if (!part.fresh && !renew(world, exposure)) return null;
    upnl += part.upnl;
    maintenance += part.maintenance;
    perpMargin += part.perpMargin;
    openLoss += part.openLoss;
    gross += part.gross;
  }
  const error = gross * RELATIVE_ERROR + ABSOLUTE_ERROR;
  const validMargin = (balance > 0 ? balance * world.floats.usdtDiscount : balance) + upnl - openLoss - error;
  return {
    equity: balance + upnl - error,
    validMargin,
    availableMargin: validMargin - perpMargin - error,
    maintenance: maintenance + error,
  };
}

/** Whether an opening order of so many ticks x lots is certain to be covered, with the buffer that is asked for. */
export function certainlyCovers(world: World, exposure: Exposure, units: number): boolean {
  const bounds = boundsOf(world, exposure.wallet);
  if (bounds === null) return false;
  const needed = exposure.instrument.floats.unitValue * units * world.floats.marginBuffer;
  return bounds.availableMargin * leverageIn(exposure) > needed * (1 + RELATIVE_ERROR) + ABSOLUTE_ERROR;
}

/** Whether a wallet's uniMMR is certain to be above the first warning. */
export function certainlyNormal(world: World, wallet: Wallet): boolean {
  const bounds = boundsOf(world, wallet);
  return bounds !== null && bounds.validMargin > bounds.maintenance * world.floats.warnAt + ABSOLUTE_ERROR;
}

/** Whether a portfolio's equity is certain to be above `floor`. */
export function certainlyAbove(world: World, portfolio: Portfolio, floor: number): boolean {
  let equity = 0;
  for (const wallet of portfolio.wallets.values()) {
    const bounds = boundsOf(world, wallet);
    if (bounds === null) return false;
    equity += bounds.equity;
  }
  return equity > floor + ABSOLUTE_ERROR;
}
