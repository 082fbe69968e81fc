/** A small venue for the tests: one perpetual sized in base units, one in contracts, prices near 100. */
import { dec } from "../../../src/core/decimal.ts";
import type { Exchange, UserPush } from "../../../src/sim/exchange/contract/api.ts";
import type { SymbolSpec } from "../../../src/sim/exchange/contract/market-api.ts";
import { type ExchangeOptions, exchangeOver } from "../../../src/sim/exchange/exchange.ts";
import type { World } from "../../../src/sim/exchange/state/state.ts";
import { newWorld } from "../../../src/sim/exchange/world.ts";

export const T0 = Date.UTC(2026, 0, 5);
export const ALICE = "2188000000000001";
export const BOB = "2188000000000002";
export const CAROL = "2188000000000003";
/** Tick 0.1, lot 0.01, minimum notional 5, maintenance 2 % (10 % from 5000 USDT). */
export const SOL = "EXCHANGE_A_PERP_SOL_USDT";
/** Tick 0.1, lot 0.01 contracts of 0.1 base. */
export const ETH_B = "EXCHANGE_B_PERP_ETH_USDT";
export const SPOT = "EXCHANGE_A_SPOT_BTC_USDT";

export function spec(symbol: string, changes: Partial<SymbolSpec["rules"]> = {}): SymbolSpec {
  return {
    rules: {
      symbol,
      state: "live",
      tickSize: dec("0.1"),
      pricePrecision: 1,
      lotSize: dec("0.01"),
      qtyPrecision: 2,
      minSize: dec("0.01"),
      minNotional: dec("5"),
      maxLimitSize: dec("1000"),
      maxMarketSize: dec("500"),
      maxNumOrders: 5,
      contractSize: dec("1"),
      defaultLeverage: 5,
      ...changes,
    },
    maxLeverage: 20,
    brackets: [
      { minNotional: dec(0), maxLeverage: 20, maintenanceRate: dec("0.02") },
      { minNotional: dec(5000), maxLeverage: 4, maintenanceRate: dec("0.1") },
    ],
  };
}

export const SPECS = [spec(SOL), spec(ETH_B, { contractSize: dec("0.1"), minNotional: dec(0) }), spec(SPOT)];

export interface Venue {
  /** The state behind the exchange, for tests that look at what it keeps. */
  readonly world: World;
  readonly exchange: Exchange;
  readonly pushes: UserPush[];
}

type Options = Partial<Omit<ExchangeOptions, "startMs">> & { readonly mode?: "BOTH" | "NET"; readonly usdt?: string };

/** Two or three participants with 1000 USDT each, marks at 100, a book of 10 lots at 99.9 and 100.1 and 1000 behind. */
export function venue(options: Options = {}): Venue {
  const { mode = "BOTH", usdt = "1000", settings, ...rest } = options;
  const world = newWorld({
    symbols: SPECS,
    phase: 2,
    startMs: T0,
    settings: { enforceUniverse: false, eliminationBelowUsdt: null, ...settings },
    ...rest,
  });
  const exchange = exchangeOver(world);
  for (const accountId of [ALICE, BOB, CAROL]) {
    exchange.openAccount({ accountId, exchanges: ["EXCHANGE_A", "EXCHANGE_B"], initialUsdt: dec(usdt), mode }, T0);
  }
  for (const { rules } of SPECS) {
    exchange.market.setMark(rules.symbol, dec(100), dec(100), T0);
    exchange.market.setLiquidity(
      rules.symbol,
      true,
      [
        [999, 10],
        [990, 100_000],
      ],
      T0,
    );
    exchange.market.setLiquidity(
      rules.symbol,
      false,
      [
        [1001, 10],
        [1010, 100_000],
      ],
      T0,
    );
  }
  const pushes: UserPush[] = [];
  exchange.onUserPush((push) => pushes.push(push));
  return { world, exchange, pushes };
}

/** The value of an answer that must be good. */
export function good<T>(answer: { ok: true; value: T } | { ok: false; error: { code: number; message: string } }): T {
  if (!answer.ok) throw new Error(`refused ${answer.error.code}: ${answer.error.message}`);
  return answer.value;
}

/** The code of an answer: 200000 when good. */
export const code = (answer: { ok: boolean } & ({ ok: true } | { ok: false; error: { code: number } })): number =>
  answer.ok ? 200000 : answer.error.code;

/** One field of a wire record as text. */
export const field = (record: Readonly<Record<string, unknown>> | undefined, name: string): string =>
  String(record?.[name]);

export const accountOf = (exchange: Exchange, accountId: string, at: number = T0, row = 0) =>
  good(exchange.account(accountId, {}, at))[row] ?? {};

/** The ledger's sum per coin, which must always be nothing but zeros. */
export const ledgerIsZero = (exchange: Exchange): boolean =>
  Object.values(exchange.ledger().totals).every((total) => total === "0");
