/**
 * The simulated service's own matching, margin and stop engine without a server around it. The caller sets prices (book
 * and mark together), and all consequences follow synchronously.
 */
import { dec, type Decimal } from "../../core/decimal.ts";
import type { FeeRates } from "../../domain/venue.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import type { Exchange } from "../../sim/exchange/contract/api.ts";
import type { SymbolSpec } from "../../sim/exchange/contract/market-api.ts";
import { exchangeOver } from "../../sim/exchange/exchange.ts";
import { portfolioEquity } from "../../sim/exchange/positions/margin.ts";
import { equityAt, isFarFromTrouble } from "./far-from-trouble.ts";
import type { ExchangeSettings } from "../../sim/exchange/contract/settings.ts";
import type { Portfolio, World } from "../../sim/exchange/state/state.ts";
import { newWorld } from "../../sim/exchange/world.ts";
import {
  type Depth,
  type Carried,
  feels,
  meets,
  meetsNothing,
  isUnmarked,
  mark,
  netLots,
  carry,
  show,
  waits,
} from "./carried.ts";
import { type AccountReading, accountReading } from "./account-reading.ts";
import { type Holding, heldIn, restingIn } from "./holdings.ts";

/** The id of the only account. */
export const ACCOUNT = "2188000000000001";

/** The market, the account and the rules of the exchange. */
export interface BareExchangeOptions {
  readonly specs: readonly SymbolSpec[];
  readonly phase: 1 | 2;
  readonly mode: "BOTH" | "NET";
  readonly startUsdt: string;
  /** The current generated book of a symbol. Called whenever its price is set. */
  readonly depth: (symbol: string) => Depth;
  /** Overrides the defaults: fees, delays, rules of a profile. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Null lets an account continue below the floor, so that the whole loss is visible. */
  readonly eliminationBelowUsdt: Decimal | null;
  readonly startMs: number;
}

/** One account on generated books. Times are epoch ms, prices floats. */
export interface BareExchange {
  readonly exchange: Exchange;
  readonly symbols: readonly string[];
  price(symbol: string): number;
  /**
   * Sets the middle of the book and the mark price. Stops and liquidations follow before it returns. While the account
   * has no exposure, the book is updated only when it is shown or `fresh` is called.
   */
  put(symbol: string, price: number, nowMs: number): void;
  /**
   * Moves prices at one instant, each along a straight line. A price is not passed to the exchange while its path
   * touches no order or stop and the account is far from any margin status and from the floor, because it could have no
   * effect.
   */
  run(prices: Iterable<{ readonly symbol: string; readonly price: number }>, nowMs: number): void;
  /**
   * Passes the deferred prices that affect the account to the exchange as marks. Call it before every read of the
   * account. These prices touch no order or stop; otherwise `run` would have passed them already.
   */
  current(nowMs: number): void;
  /** Sets the price of each named symbol at one instant. */
  move(prices: ReadonlyMap<string, number>, nowMs: number): void;
  /**
   * Updates the deferred books that a write may meet: that of its symbol, and those of all symbols that the account depends
   * on. Call it before every write. `symbol` is null for a write that names none.
   */
  fresh(nowMs: number, symbol: string | null): void;
  /** Whether a position, an order or a stop of the account depends on the price of the symbol. */
  atStake(symbol: string): boolean;
  /** Whether a price between the two would touch an order or a stop of the account, including its spread. */
  reaches(symbol: string, low: number, high: number): boolean;
  /** Net position in lots: positive when long, negative when short. */
  leaning(symbol: string): number;
  /**
   * Gain of the net position, USDT, if its price rises by `move`. A float: it only decides whether the agent must see
   * the move.
   */
  gain(symbol: string, move: number): number;
  setTrading(symbol: string, trades: boolean): void;
  /** Counts the changes of symbol rules. */
  ruleChanges(): number;
  depth(symbol: string): Depth;
  /** Balance and unrealised result at the mark price, as the venue compares it with the floor. */
  equity(): Decimal;
  held(): readonly Holding[];
  /** The account and its positions, as replies at this instant would show them. */
  account(nowMs: number): AccountReading;
  /** Resting opening orders, which a price that moves through them would fill. */
  resting(): readonly Holding[];
  eliminated(): boolean;
  /** The account's fee rates for perpetuals. */
  fees(): FeeRates;
}

/** After a write, an order may take this long to reach the book. */
const ON_ITS_WAY_MS = 5_000;

export function createBareExchange(options: BareExchangeOptions): BareExchange {
  const { specs, startMs, depth } = options;
  let hotUntilMs = -Infinity;
  let ranMs = startMs;
  let ruleChanges = 0;
  const world = newWorld({
    symbols: specs,
    phase: options.phase,
    startMs,
    settings: { ...options.settings, enforceUniverse: false, eliminationBelowUsdt: options.eliminationBelowUsdt },
  });
  const exchange = exchangeOver(world);
  exchange.openAccount(
    {
      accountId: ACCOUNT,
      exchanges: exchangesOf(specs),
      initialUsdt: dec(options.startUsdt),
      mode: options.mode,
    },
    startMs,
  );
  const carried = new Map(specs.map((spec) => [spec.rules.symbol, carry(world, spec)]));
  const portfolio = portfolioOf(world);
  const all = [...carried.values()];
  const showAt = (one: Carried, nowMs: number): void => show(exchange, one, depth(one.symbol), nowMs);
  const putAt = (symbol: string, price: number, nowMs: number): void => {
    const one = carried.get(symbol);
    if (!one) return;
    one.price = price;
    if (nowMs < one.hotUntilMs || feels(one)) showAt(one, nowMs);
  };
  const isWaiting = (one: Carried): boolean => isUnmarked(one) && feels(one);
  const current = (nowMs: number): void => {
    if (!all.some(isWaiting)) return;
    exchange.together(nowMs, () => {
      for (const one of all) if (isWaiting(one)) mark(exchange, one, nowMs);
    });
  };
  const run: BareExchange["run"] = (prices, nowMs) => {
    const dueMs = exchange.nextDueMs();
    // Anything due, such as funding, is settled at the prices before the move and before the next settlement is set.
    if (dueMs !== null && dueMs <= nowMs) {
      current(ranMs);
      exchange.advance(nowMs);
    }
    ranMs = nowMs;
    for (const { symbol, price } of prices) {
      const one = carried.get(symbol);
      if (one) one.price = price;
    }
    const isHot = nowMs < hotUntilMs;
    const isSafe = isHot || isFarFromTrouble(world, portfolio, carried);
    const shown = all.filter(
      (one) =>
        waits(one) && (feels(one) ? isHot || !isSafe || !meetsNothing(one, depth(one.symbol)) : nowMs < one.hotUntilMs),
    );
    if (shown.length === 0) return;
    exchange.together(nowMs, () => {
      for (const one of shown) showAt(one, nowMs);
    });
  };
  return {
    exchange,
    symbols: [...carried.keys()],
    price: (symbol) => carried.get(symbol)?.price ?? NaN,
    put: putAt,
    run,
    current,
    move: (prices, nowMs) =>
      exchange.together(nowMs, () => {
        for (const [symbol, price] of prices) putAt(symbol, price, nowMs);
      }),
    fresh: (nowMs, symbol) => {
      hotUntilMs = nowMs + ON_ITS_WAY_MS;
      for (const one of symbol === null ? all : all.filter((each) => each.symbol === symbol))
        one.hotUntilMs = hotUntilMs;
      exchange.together(nowMs, () => {
        for (const one of all) if (waits(one) && (nowMs < one.hotUntilMs || feels(one))) showAt(one, nowMs);
      });
    },
    atStake: (symbol) => feels(carried.get(symbol)),
    reaches: (symbol, low, high) => {
      const one = carried.get(symbol);
      return one !== undefined && meets(one, low, high, depth(symbol));
    },
    leaning: (symbol) => netLots(carried.get(symbol)),
    gain: (symbol, move) => {
      const one = carried.get(symbol);
      return one === undefined ? 0 : netLots(one) * one.lotUsdtAtOne * move;
    },
    setTrading: (symbol, trades) => {
      ruleChanges += 1;
      exchange.market.setState(symbol, trades ? "live" : "halted");
    },
    ruleChanges: () => ruleChanges,
    depth,
    equity: () => (all.some(isWaiting) ? equityAt(portfolio, carried) : portfolioEquity(world, portfolio)),
    held: () => heldIn(portfolio),
    account: (nowMs) => {
      exchange.advance(nowMs);
      return accountReading(world, portfolio);
    },
    resting: () => restingIn(portfolio),
    eliminated: () => portfolio.eliminatedAtMs !== null,
    fees: () => world.settings.perpFees,
  };
}

function exchangesOf(specs: readonly SymbolSpec[]): readonly string[] {
  const named = specs.flatMap(({ rules }) => {
    const parts = parseSymbol(rules.symbol);
    return parts.ok ? [parts.value.exchange] : [];
  });
  return named.length === 0 ? ["EXCHANGE_A"] : [...new Set(named)];
}

function portfolioOf(world: World): Portfolio {
  const portfolio = world.portfolios.get(ACCOUNT);
  if (!portfolio) throw new Error("the account has just been opened");
  return portfolio;
}
