/** The three engines under load: our book alone, our whole exchange, and the package nodejs-order-book. */
import { OrderBook, Side } from "nodejs-order-book";
import { dec } from "../../src/core/decimal.ts";
import type { Exchange } from "../../src/sim/exchange/contract/api.ts";
import type { SymbolSpec } from "../../src/sim/exchange/contract/market-api.ts";
import { crosses, newBook, rest, take, withdraw } from "../../src/sim/exchange/book/book.ts";
import { type BookOrder, newBookOrder } from "../../src/sim/exchange/book/book-level.ts";
import { createExchange } from "../../src/sim/exchange/exchange.ts";
import { CANCEL, type Load } from "./load.ts";

/**
 * Prepares what the work needs, including request texts, and returns the work, which alone is timed. It reports how
 * many orders were matched, so that the work can be compared.
 */
export type Engine = (load: Load) => () => number;

export const bareBook: Engine = (load) => {
  const book = newBook();
  const byNumber: (BookOrder | undefined)[] = new Array(load.operations);
  let matches = 0;
  const onMatch = (): void => {
    matches++;
  };
  return () => {
    for (let i = 0; i < load.operations; i++) {
      if (load.kind[i] === CANCEL) {
        const order = byNumber[load.target[i] ?? 0];
        if (order !== undefined) withdraw(book, order);
        continue;
      }
      const buy = load.buy[i] === 1;
      const ticks = load.ticks[i] ?? 0;
      let lots = load.lots[i] ?? 0;
      // Every order has its own owner, so that self-trade prevention never applies.
      if (crosses(book, buy, ticks)) lots = take(book, { buy, limitTicks: ticks, lots, owner: i + 1 }, onMatch);
      if (lots === 0) continue;
      const order = newBookOrder({ buy, owner: i + 1, ref: i, ticks, lots });
      rest(book, order);
      byNumber[i] = order;
    }
    return matches;
  };
};

export const peerBook: Engine = (load) => {
  const book = new OrderBook();
  const requests = Array.from({ length: load.operations }, (_, i) => ({
    id: String(i),
    side: load.buy[i] === 1 ? Side.BUY : Side.SELL,
    size: load.lots[i] ?? 0,
    price: load.ticks[i] ?? 0,
  }));
  return () => {
    let matches = 0;
    for (let i = 0; i < load.operations; i++) {
      const request = requests[load.kind[i] === CANCEL ? (load.target[i] ?? 0) : i];
      if (request === undefined) continue;
      if (load.kind[i] === CANCEL) {
        book.cancel(request.id);
        continue;
      }
      const { done, partial } = book.limit(request);
      // It reports the finished orders, including the taker, and the partially filled one.
      matches += done.length + (partial === null ? 0 : 1);
    }
    return matches;
  };
};

const SYMBOL = "EXCHANGE_A_PERP_SOL_USDT";
const START_MS = Date.UTC(2026, 0, 1);
const ACCOUNTS = 20;

/** Tick and lot 0.01, and as many open orders as the load needs. */
const SPEC: SymbolSpec = {
  rules: {
    symbol: SYMBOL,
    state: "live",
    tickSize: dec("0.01"),
    pricePrecision: 2,
    lotSize: dec("0.01"),
    qtyPrecision: 2,
    minSize: dec("0.01"),
    minNotional: dec("0.5"),
    maxLimitSize: dec("1000000"),
    maxMarketSize: dec("1000000"),
    maxNumOrders: 1_000_000,
    contractSize: dec("1"),
    defaultLeverage: 2,
  },
  maxLeverage: 20,
  brackets: [
    { minNotional: dec(0), maxLeverage: 20, maintenanceRate: dec("0.005") },
    { minNotional: dec(50_000), maxLeverage: 10, maintenanceRate: dec("0.01") },
    { minNotional: dec(1_000_000), maxLeverage: 5, maintenanceRate: dec("0.025") },
  ],
};

function openVenue(): { exchange: Exchange; accounts: readonly string[] } {
  const exchange = createExchange({ symbols: [SPEC], phase: 1, startMs: START_MS });
  const accounts = Array.from({ length: ACCOUNTS }, (_, i) => String(2188000000000001n + BigInt(i)));
  for (const accountId of accounts) {
    const account = { accountId, exchanges: ["EXCHANGE_A"], initialUsdt: dec(10_000_000), mode: "NET" } as const;
    exchange.openAccount(account, START_MS);
  }
  exchange.market.setMark(SYMBOL, dec(100), dec(100), START_MS);
  return { exchange, accounts };
}

/** Twenty participants in turn; accounts, margin, ledger and records all work, nobody receives pushes. */
export const wholeExchange: Engine = (load) => {
  const { exchange, accounts } = openVenue();
  const orderIds: string[] = new Array<string>(load.operations).fill("");
  const requests = Array.from({ length: load.operations }, (_, i) => ({
    sym: SYMBOL,
    side: load.buy[i] === 1 ? ("BUY" as const) : ("SELL" as const),
    orderType: "LIMIT" as const,
    orderQty: String((load.lots[i] ?? 0) / 100),
    limitPrice: String((load.ticks[i] ?? 0) / 100),
  }));
  return () => {
    for (let i = 0; i < load.operations; i++) {
      const nowMs = START_MS + Math.floor(i / 10);
      const number = load.kind[i] === CANCEL ? (load.target[i] ?? 0) : i;
      const accountId = accounts[number % ACCOUNTS] ?? "";
      const request = requests[i];
      if (load.kind[i] === CANCEL) {
        exchange.cancel(accountId, { orderId: orderIds[number] ?? "" }, nowMs);
      } else if (request !== undefined) {
        const placed = exchange.place(accountId, request, nowMs);
        if (placed.ok) orderIds[i] = placed.value.orderId;
      }
    }
    return exchange.scoreboard(START_MS).reduce((sum, { trades }) => sum + trades, 0);
  };
};
