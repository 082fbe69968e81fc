/**
 * The venue of a market day: the simulated service's own matching, margin and stop engine, without a server around it.
 * Prices are put where the day wants them, book and mark together; whatever follows from that happens at once.
 */
import { dec, type Decimal, quantize, toFloat } from "../../src/core/decimal.ts";
import { parseSymbol } from "../../src/domain/symbol.ts";
import type { Exchange } from "../../src/sim/exchange/api.ts";
import type { Level, SymbolSpec } from "../../src/sim/exchange/market-api.ts";
import { exchangeOver } from "../../src/sim/exchange/exchange.ts";
import { portfolioEquity, positionValue } from "../../src/sim/exchange/margin.ts";
import type { Portfolio, World } from "../../src/sim/exchange/state.ts";
import { newWorld } from "../../src/sim/exchange/world.ts";

export const ACCOUNT = "2188000000000001";

/** One side of a made book: so much value, so far from the best price. */
export interface Depth {
  readonly halfSpread: number;
  readonly levels: readonly (readonly [away: number, usdt: number])[];
}

/** In the thin one, a market order for the largest position that any limit allows walks 0.1 % of price. */
export const DEPTHS: Readonly<Record<"deep" | "thin", Depth>> = {
  deep: {
    halfSpread: 0.0001,
    levels: [
      [0, 3_000],
      [0.0002, 10_000],
      [0.0008, 100_000],
    ],
  },
  thin: {
    halfSpread: 0.0003,
    levels: [
      [0, 150],
      [0.0004, 400],
      [0.0009, 1_000],
      [0.0014, 50_000],
    ],
  },
};

export interface VenueOptions {
  readonly specs: readonly SymbolSpec[];
  readonly phase: 1 | 2;
  readonly mode: "BOTH" | "NET";
  readonly startUsdt: string;
  readonly depth: Depth;
  /** Null lets an account live on under the floor, so that a loss can be seen whole. */
  readonly eliminationBelowUsdt: Decimal | null;
  readonly startMs: number;
}

export interface HeldPosition {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** At the mark, USDT. */
  readonly notionalUsdt: number;
  /** What one tick of it is worth, USDT: some coins have ticks of a quarter of a percent. */
  readonly tickUsdt: number;
}

export interface BareVenue {
  readonly exchange: Exchange;
  readonly symbols: readonly string[];
  price(symbol: string): number;
  /** Puts the middle of book and mark of each named symbol there. Stops and liquidations follow before it returns. */
  move(prices: ReadonlyMap<string, number>, nowMs: number): void;
  /** Half of the distance between best bid and ask, fraction of price. */
  readonly halfSpread: number;
  /** Balance and unrealised result at the mark, as the venue judges the floor. */
  equity(): Decimal;
  held(): readonly HeldPosition[];
  /** Opening orders that rest: what a price that runs through them would fill. */
  resting(): readonly HeldPosition[];
  eliminated(): boolean;
}

interface Carried {
  readonly symbol: string;
  readonly tick: Decimal;
  readonly tickSize: number;
  readonly lotUsdtAtOne: number;
  price: number;
}

export function createBareVenue(options: VenueOptions): BareVenue {
  const { specs, startMs, depth } = options;
  const world = newWorld({
    symbols: specs,
    phase: options.phase,
    startMs,
    settings: { enforceUniverse: false, eliminationBelowUsdt: options.eliminationBelowUsdt },
  });
  const exchange = exchangeOver(world);
  exchange.openAccount(
    {
      accountId: ACCOUNT,
      exchanges: [exchangeOf(specs)],
      initialUsdt: dec(options.startUsdt),
      mode: options.mode,
    },
    startMs,
  );
  const carried = new Map(specs.map((spec) => [spec.rules.symbol, carry(spec)]));
  const portfolio = portfolioOf(world);
  return {
    exchange,
    symbols: [...carried.keys()],
    price: (symbol) => carried.get(symbol)?.price ?? NaN,
    move: (prices, nowMs) => {
      for (const [symbol, price] of prices) {
        const one = carried.get(symbol);
        if (one) put(exchange, one, { price, depth, nowMs });
      }
    },
    halfSpread: depth.halfSpread,
    equity: () => portfolioEquity(world, portfolio),
    held: () => heldIn(portfolio),
    resting: () => restingIn(portfolio),
    eliminated: () => portfolio.eliminatedAtMs !== null,
  };
}

function exchangeOf(specs: readonly SymbolSpec[]): string {
  const parts = parseSymbol(specs[0]?.rules.symbol ?? "");
  return parts.ok ? parts.value.exchange : "EXCHANGE_A";
}

function portfolioOf(world: World): Portfolio {
  const portfolio = world.portfolios.get(ACCOUNT);
  if (!portfolio) throw new Error("the account has just been opened");
  return portfolio;
}

const carry = ({ rules }: SymbolSpec): Carried => ({
  symbol: rules.symbol,
  tick: rules.tickSize,
  tickSize: toFloat(rules.tickSize),
  lotUsdtAtOne: toFloat(rules.lotSize.mul(rules.contractSize)),
  price: NaN,
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

/** The side that moves away goes first, so that the made book never meets itself. */
function put(exchange: Exchange, one: Carried, at: { price: number; depth: Depth; nowMs: number }): void {
  const { price, depth, nowMs } = at;
  const falls = price < one.price;
  one.price = price;
  for (const bid of [falls, !falls]) exchange.market.setLiquidity(one.symbol, bid, sideOf(one, bid, depth), nowMs);
  const mark = quantize(price, one.tick, "nearest");
  exchange.market.setMark(one.symbol, mark, mark, nowMs);
}

function heldIn(portfolio: Portfolio): readonly HeldPosition[] {
  const held: HeldPosition[] = [];
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

function restingIn(portfolio: Portfolio): readonly HeldPosition[] {
  const resting: HeldPosition[] = [];
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
