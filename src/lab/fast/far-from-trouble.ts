/**
 * Judges in floats, with a wide margin, whether an account is so far from any margin status and from the floor that
 * exact figures are not needed. Also computes its exact equity at prices that the exchange does not have yet.
 */
import { type Decimal, quantize, toFloat, ZERO } from "../../core/decimal.ts";
import { unrealisedAt } from "../../sim/exchange/positions/margin.ts";
import type { Position } from "../../sim/exchange/state/position.ts";
import type { Portfolio, Wallet, World } from "../../sim/exchange/state/state.ts";

/** A symbol with its current price, whether or not the exchange has it. */
export interface Priced {
  readonly tick: Decimal;
  readonly tickSize: number;
  /** USDT value of a lot at a price of one. */
  readonly lotUsdtAtOne: number;
  /** Maintenance rates by the position value, USDT, from which each applies. */
  readonly tiers: readonly (readonly [fromUsdt: number, rate: number])[];
  readonly price: number;
}

/** A margin ratio of this many times the exchange's trigger counts as far. */
const TIMES_MARGIN_CALL = 2;
/** Likewise for an equity this many times the floor. */
const TIMES_FLOOR = 1.02;
const PART = 1e-12;

/** False in any unclear case: an order in the book, a coin other than USDT, or a status other than normal. */
export function isFarFromTrouble(world: World, portfolio: Portfolio, priced: ReadonlyMap<string, Priced>): boolean {
  const { marginCallAt, eliminationBelowUsdt } = world.settings;
  let equity = 0;
  for (const wallet of portfolio.wallets.values()) {
    if (wallet.status !== "NORMAL" || wallet.coins.size !== 1) return false;
    let [gain, maintenance] = [0, 0];
    for (const { instrument, open, positions } of wallet.exposures.values()) {
      if (open.size > 0) return false;
      if (positions.size === 0) continue;
      const one = priced.get(instrument.symbol);
      if (one === undefined) return false;
      for (const position of positions.values()) {
        const value = Math.abs(position.lots) * one.lotUsdtAtOne * markAt(one);
        gain += (markAt(one) - entryOf(one, position)) * one.lotUsdtAtOne * position.lots;
        maintenance += value * rateUpTo(one, 2 * value);
      }
    }
    const balance = toFloat(wallet.usdt.balance);
    const margin = balance * Math.min(1, toFloat(world.settings.usdtDiscount)) + gain;
    if (!(margin > maintenance * toFloat(marginCallAt) * TIMES_MARGIN_CALL)) return false;
    equity += balance + gain;
  }
  return eliminationBelowUsdt === null || equity > toFloat(eliminationBelowUsdt) * TIMES_FLOOR;
}

const markAt = ({ price, tickSize }: Priced): number => Math.round(price / tickSize) * tickSize;

const entryOf = ({ tickSize }: Priced, { avgTicks, avgRest }: Position): number => avgTicks * tickSize + avgRest * PART;

/** The highest rate of the tiers that a value up to `usdt` reaches. */
function rateUpTo({ tiers }: Priced, usdt: number): number {
  let highest = 0;
  for (const [fromUsdt, rate] of tiers) if (fromUsdt <= usdt && rate > highest) highest = rate;
  return highest;
}

/** The same result as the exchange's, once it has these prices. */
export function equityAt(portfolio: Portfolio, priced: ReadonlyMap<string, Priced>): Decimal {
  let equity = ZERO;
  for (const wallet of portfolio.wallets.values()) equity = equity.add(wallet.usdt.balance).add(gainOf(wallet, priced));
  return equity;
}

function gainOf(wallet: Wallet, priced: ReadonlyMap<string, Priced>): Decimal {
  let gain = ZERO;
  for (const { instrument, positions } of wallet.exposures.values()) {
    const one = priced.get(instrument.symbol);
    for (const position of positions.values())
      if (position.lots !== 0 && one !== undefined)
        gain = gain.add(unrealisedAt(instrument, position, quantize(one.price, one.tick, "nearest")));
  }
  return gain;
}
