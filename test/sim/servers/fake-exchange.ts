/**
 * An exchange of canned answers for tests of the wire: it accepts everything, remembers what was asked, and publishes
 * what a test gives it to. Commands that a test does not set answer with an empty object.
 */
import { dec } from "../../../src/core/decimal.ts";
import { ok } from "../../../src/core/result.ts";
import type { VenueResult, Exchange, UserPush } from "../../../src/sim/exchange/contract/api.ts";
import type { BookView, PublicEvent, SymbolSpec } from "../../../src/sim/exchange/contract/market-api.ts";

export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const NOW_MS = 1_784_500_000_000;

export function spec(symbol: string): SymbolSpec {
  return {
    rules: {
      symbol,
      state: "live",
      tickSize: dec("0.1"),
      pricePrecision: 1,
      lotSize: dec("0.001"),
      qtyPrecision: 3,
      minSize: dec("0.001"),
      minNotional: dec(50),
      maxLimitSize: dec(1000),
      maxMarketSize: dec(100),
      maxNumOrders: 200,
      contractSize: dec(1),
      defaultLeverage: 5,
    },
    maxLeverage: 20,
    brackets: [{ minNotional: dec(0), maxLeverage: 20, maintenanceRate: dec("0.008") }],
  };
}

export interface Asked {
  readonly command: string;
  readonly accountId: string;
  readonly request: unknown;
}

type Answering = (accountId: string, request: unknown) => VenueResult<unknown>;

export interface FakeExchange {
  readonly exchange: Exchange;
  readonly asked: Asked[];
  readonly frozen: Set<string>;
  book: BookView;
  /** Sets the answer of one command. */
  answer(command: string, answering: Answering): void;
  publish(event: PublicEvent): void;
  push(push: UserPush): void;
  followers(): number;
}

export function fakeExchange(symbols: readonly string[] = [BTC]): FakeExchange {
  const answers = new Map<string, Answering>();
  const publics = new Set<(event: PublicEvent) => void>();
  const pushes = new Set<(push: UserPush) => void>();
  const specs = symbols.map(spec);
  const known: Record<string, unknown> = {
    symbols: specs,
    book: () => fake.book,
    isFrozen: (accountId: string) => fake.frozen.has(accountId),
    onPublic: (listener: (event: PublicEvent) => void) => (publics.add(listener), () => publics.delete(listener)),
    onUserPush: (listener: (push: UserPush) => void) => (pushes.add(listener), () => pushes.delete(listener)),
    onPlanned: () => () => undefined,
    lastPrice: () => null,
    advance: () => undefined,
    nextDueMs: () => null,
    accountIds: () => [],
    scoreboard: () => [],
    ledger: () => ({ entries: [], balances: {}, totals: {} }),
  };
  const exchange = new Proxy(known, {
    get: (target, name) => {
      const command = String(name);
      if (command in target) return target[command];
      return (accountId: string, request: unknown) => {
        fake.asked.push({ command, accountId, request });
        return answers.get(command)?.(accountId, request) ?? ok({});
      };
    },
  }) as unknown as Exchange;
  const fake: FakeExchange = {
    exchange,
    asked: [],
    frozen: new Set(),
    book: { bids: [[604_999, 3_200]], asks: [[605_001, 1_100]] },
    answer: (command, answering) => void answers.set(command, answering),
    publish: (event) => publics.forEach((listener) => listener(event)),
    push: (push) => pushes.forEach((listener) => listener(push)),
    followers: () => publics.size + pushes.size,
  };
  return fake;
}
