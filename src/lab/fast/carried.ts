/**
 * An instrument of a bare exchange: its price, the book around it, and the account's orders and stops that a price
 * would touch.
 */
import { quantize, toFloat } from "../../core/decimal.ts";
import type { Exchange } from "../../sim/exchange/contract/api.ts";
import type { Level, SymbolSpec } from "../../sim/exchange/contract/market-api.ts";
import type { Priced } from "./far-from-trouble.ts";
import type { Instrument, World } from "../../sim/exchange/state/state.ts";

/** One side of a generated book: values at distances from the best price. */
export interface Depth {
  readonly halfSpread: number;
  readonly levels: readonly (readonly [away: number, usdt: number])[];
}

/** Mutable: the current price and the price in the book. */
export interface Carried extends Priced {
  readonly symbol: string;
  readonly instrument: Instrument;
  price: number;
  /** The price in the book; differs from `price` while an update waits. */
  shown: number;
  /** The mark price of the exchange. */
  marked: number;
  /** Until then a write in this symbol may be under way, and its book follows the price. */
  hotUntilMs: number;
}

/** Whether the account has a position, an order or a stop in the symbol. */
export function feels(one: Carried | undefined): boolean {
  if (one === undefined) return false;
  const { liveAlgos, exposures } = one.instrument;
  if (liveAlgos.size > 0) return true;
  for (const { positions, open } of exposures) {
    if (open.size > 0) return true;
    for (const { lots } of positions.values()) if (lots !== 0) return true;
  }
  return false;
}

/** Whether the book lags behind the current price. A symbol has no price before its first bar. */
export const waits = ({ shown, price }: Carried): boolean => shown !== price && !Number.isNaN(price);

/** The same for the mark price, at which the exchange values positions. */
export const isUnmarked = ({ marked, price }: Carried): boolean => marked !== price && !Number.isNaN(price);

function touches({ instrument, tickSize }: Carried, low: number, high: number): boolean {
  const within = (price: number): boolean => price >= low && price <= high;
  for (const { open } of instrument.exposures) {
    for (let order = open.first; order !== null; order = order.openNext)
      if (order.ticks === null || within(order.ticks * tickSize)) return true;
  }
  for (const { conditional, takeProfit, stopLoss } of instrument.liveAlgos)
    for (const trigger of [conditional, takeProfit, stopLoss])
      if (trigger && within(toFloat(trigger.price))) return true;
  return false;
}

/**
 * Whether a price between the two would touch anything of the account, including the spread and one tick of rounding.
 */
export const meets = (one: Carried, low: number, high: number, { halfSpread }: Depth): boolean =>
  touches(one, low * (1 - halfSpread) - one.tickSize, high * (1 + halfSpread) + one.tickSize);

/** Whether a move from the exchange's price to the new one touches nothing. */
export const meetsNothing = (one: Carried, depth: Depth): boolean =>
  !meets(one, Math.min(one.shown, one.price), Math.max(one.shown, one.price), depth);

/** Long less short, in lots. */
export function netLots(one: Carried | undefined): number {
  let net = 0;
  for (const { positions } of one?.instrument.exposures ?? [])
    for (const { side, lots } of positions.values()) net += side === "SHORT" ? -Math.abs(lots) : lots;
  return net;
}

function instrumentOf(world: World, symbol: string): Instrument {
  const instrument = world.instruments.get(symbol);
  if (!instrument) throw new Error("the exchange was created with these symbols");
  return instrument;
}

/** An instrument that has no price yet. */
export const carry = (world: World, { rules, brackets }: SymbolSpec): Carried => ({
  symbol: rules.symbol,
  instrument: instrumentOf(world, rules.symbol),
  tick: rules.tickSize,
  tickSize: toFloat(rules.tickSize),
  lotUsdtAtOne: toFloat(rules.lotSize.mul(rules.contractSize)),
  tiers: brackets.map(({ minNotional, maintenanceRate }) => [toFloat(minNotional), toFloat(maintenanceRate)]),
  price: NaN,
  shown: NaN,
  marked: NaN,
  hotUntilMs: -Infinity,
});

function sideOf(one: Carried, bid: boolean, { levels, halfSpread }: Depth): readonly Level[] {
  const sign = bid ? -1 : 1;
  const lotUsdt = one.lotUsdtAtOne * one.price;
  const best =
    Math.round(one.price / one.tickSize) + sign * Math.max(1, Math.round((one.price * halfSpread) / one.tickSize));
  return levels.map(([away, usdt], at) => [
    Math.max(1, best + sign * Math.max(at, Math.round((one.price * away) / one.tickSize))),
    Math.max(1, Math.ceil(usdt / lotUsdt)),
  ]);
}

/** Moves the receding side first, so that the generated book never crosses itself. */
export function show(exchange: Exchange, one: Carried, depth: Depth, nowMs: number): void {
  const { price } = one;
  const falls = price < one.shown;
  one.shown = price;
  for (const bid of [falls, !falls]) exchange.market.setLiquidity(one.symbol, bid, sideOf(one, bid, depth), nowMs);
  mark(exchange, one, nowMs);
}

/** Leaves the book unchanged, which is enough to value an account that is far from any order, stop or margin status. */
export function mark(exchange: Exchange, one: Carried, nowMs: number): void {
  one.marked = one.price;
  const exact = quantize(one.price, one.tick, "nearest");
  exchange.market.setMark(one.symbol, exact, exact, nowMs);
}
