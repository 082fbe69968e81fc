/** The positions of an account of a bare exchange, and what its resting orders would add. */
import { toFloat } from "../../core/decimal.ts";
import { positionValue } from "../../sim/exchange/positions/margin.ts";
import type { Portfolio } from "../../sim/exchange/state/state.ts";

/** A position, or what an order would add to one. */
export interface Holding {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** At the mark price, USDT. */
  readonly notionalUsdt: number;
  /** The value of one tick, USDT: some coins have ticks of a quarter of a percent. */
  readonly tickUsdt: number;
}

/** Every open position. */
export function heldIn(portfolio: Portfolio): readonly Holding[] {
  const held: Holding[] = [];
  for (const wallet of portfolio.wallets.values()) {
    for (const { instrument, positions } of wallet.exposures.values()) {
      for (const position of positions.values()) {
        if (position.lots === 0) continue;
        const positionSide = position.side === "NONE" ? (position.lots > 0 ? "LONG" : "SHORT") : position.side;
        held.push({
          symbol: instrument.symbol,
          leg: positionSide,
          notionalUsdt: toFloat(positionValue(instrument, position)),
          tickUsdt: toFloat(instrument.unitValue) * Math.abs(position.lots),
        });
      }
    }
  }
  return held;
}

/** The unfilled part of every opening order, at its limit. */
export function restingIn(portfolio: Portfolio): readonly Holding[] {
  const resting: Holding[] = [];
  for (const wallet of portfolio.wallets.values()) {
    for (const { instrument, open } of wallet.exposures.values()) {
      for (let order = open.first; order !== null; order = order.openNext) {
        const positionSide =
          order.positionSide === "NONE" ? (order.side === "BUY" ? "LONG" : "SHORT") : order.positionSide;
        if (order.reduceOnly || (order.side === "BUY") !== (positionSide === "LONG")) continue;
        const tickUsdt = toFloat(instrument.unitValue) * (order.lots - order.filledLots);
        resting.push({
          symbol: instrument.symbol,
          leg: positionSide,
          notionalUsdt: tickUsdt * (order.ticks ?? 0),
          tickUsdt,
        });
      }
    }
  }
  return resting;
}
