/** Weeks of trading leave no more behind than the settings ask for, and no sum that is reported changes by it. */
import { describe, expect, test } from "vitest";
import { dec, toWire, ZERO } from "../../../../src/core/decimal.ts";
import type { Exchange, LedgerDump } from "../../../../src/sim/exchange/contract/api.ts";
import type { Retention } from "../../../../src/sim/exchange/contract/settings.ts";
import { ALICE, BOB, code, field, good, ledgerIsZero, SOL, T0, type Venue, venue } from "../venue.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 14 * 24;
const SMALL: Retention = {
  days: 7,
  orders: 300,
  executions: 300,
  statements: 50,
  closedPositions: 40,
  algos: 20,
  ledgerEntries: 500,
};

const order = (side: "BUY" | "SELL", positionSide: "LONG" | "SHORT", price: string) => ({
  sym: SOL,
  side,
  positionSide,
  orderType: "LIMIT" as const,
  orderQty: "1",
  limitPrice: price,
});

/** One resting order that stays, and every hour a trade there and back between two accounts, an algo order, a cancel. */
function trade(retention: Retention | null): Venue & { readonly standing: string; readonly endMs: number } {
  const reported = venue({ settings: { retention, cancelDelayMs: 0 } });
  const { exchange } = reported;
  const standing = good(exchange.place(ALICE, order("BUY", "LONG", "60"), T0)).orderId;
  let nowMs = T0;
  for (let hour = 0; hour < HOURS; hour++) {
    nowMs += HOUR_MS;
    const price = hour % 3 === 0 ? "100" : "100.1";
    good(exchange.place(ALICE, { ...order("BUY", "LONG", "100"), clientOrderId: `in-${hour}` }, nowMs));
    good(exchange.place(BOB, order("SELL", "SHORT", "100"), nowMs));
    good(exchange.place(BOB, order("BUY", "SHORT", price), nowMs));
    good(exchange.place(ALICE, order("SELL", "LONG", price), nowMs));
    const { orderId } = good(exchange.place(BOB, order("BUY", "LONG", "70"), nowMs));
    good(exchange.cancel(BOB, { orderId }, nowMs));
  }
  return { ...reported, standing, endMs: nowMs };
}

/** Balances added up from the entries alone, those that were carried forward among them. */
function balancesOf({ entries }: LedgerDump): Map<string, string> {
  const sums = new Map<string, ReturnType<typeof dec>>();
  for (const { coin, lines } of entries) {
    for (const [account, amount] of lines) {
      const key = `${coin}|${account}`;
      sums.set(key, (sums.get(key) ?? ZERO).add(dec(amount)));
    }
  }
  return new Map([...sums].map(([key, sum]) => [key, toWire(sum)]));
}

const reported = (exchange: Exchange, nowMs: number): unknown => [
  exchange.scoreboard(nowMs),
  exchange.ledger().balances,
  [ALICE, BOB].map((id) => [good(exchange.account(id, {}, nowMs)), good(exchange.assets(id, {}, nowMs))]),
];

describe("history that is not kept", () => {
  const short = trade(SMALL);

  test("leaves at most what the settings say, and a block and an hour more", () => {
    const { world, exchange } = short;
    for (const portfolio of world.portfolios.values()) {
      expect(portfolio.orders.length).toBeLessThanOrEqual(SMALL.orders + 10);
      expect(portfolio.byClientId.size).toBeLessThanOrEqual(SMALL.orders + 10);
      expect(portfolio.executions.length).toBeLessThanOrEqual(SMALL.executions + 300);
      expect(portfolio.statements.length).toBeLessThanOrEqual(SMALL.statements + 10);
      expect(portfolio.closedPositions.length).toBeLessThanOrEqual(SMALL.closedPositions + 10);
    }
    expect(world.orders.size).toBeLessThanOrEqual(3 * SMALL.orders + 30);
    expect(exchange.ledger().entries.length).toBeLessThanOrEqual(SMALL.ledgerEntries + 300);
  });

  test("changes no balance, no score and no sum of the ledger", () => {
    const whole = trade(null);
    expect(reported(short.exchange, short.endMs)).toEqual(reported(whole.exchange, whole.endMs));
    expect(ledgerIsZero(short.exchange)).toBe(true);
    const [carried] = short.exchange.ledger().entries;
    expect(carried).toMatchObject({ kind: "carried-forward", coin: "USDT" });
    expect(balancesOf(short.exchange.ledger())).toEqual(balancesOf(whole.exchange.ledger()));
    const all = whole.exchange.ledger().entries;
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
    expect(short.exchange.ledger().entries.at(-1)).toEqual(all.at(-1));
  });

  test("never takes an open order, and forgets the id of one that went", () => {
    const { exchange, standing, endMs } = short;
    expect(good(exchange.order(ALICE, { orderId: standing }, endMs))).toMatchObject({ orderState: "OPEN" });
    expect(code(exchange.order(ALICE, { clientOrderId: "in-0" }, endMs))).toBe(401018);
    expect(good(exchange.order(ALICE, { clientOrderId: `in-${HOURS - 1}` }, endMs))).toMatchObject({
      orderState: "FILLED",
    });
    const history = good(exchange.orderHistory(ALICE, { pageSize: "1000", begin: String(T0) }, endMs)).list;
    expect(history.length).toBeLessThanOrEqual(SMALL.orders + 10);
    expect(field(history.at(-1), "orderId")).toBe(standing);
  });

  test("goes by age as well", () => {
    const { world, exchange, endMs } = trade({ ...SMALL, orders: 1e6, executions: 1e6, closedPositions: 1e6 });
    const oldest = good(exchange.orderHistory(BOB, { pageSize: "1000", begin: String(T0) }, endMs)).list.at(-1);
    expect(Number(field(oldest, "createAt"))).toBeGreaterThanOrEqual(endMs - 7 * DAY_MS - HOUR_MS);
    expect(world.portfolios.get(BOB)?.closedPositions.length).toBeLessThanOrEqual(7 * 24 + 1);
  });
});

test("an order that has ended reads as it did at its end", () => {
  const { exchange, pushes } = venue({ settings: { cancelDelayMs: 0 } });
  const sent = {
    ...order("BUY", "LONG", "100.1"),
    orderQty: "0.1",
    clientOrderId: "mine",
    tpTriggerPrice: "110",
    tpTriggerType: "MARK_PRICE" as const,
  };
  const { orderId } = good(exchange.place(ALICE, sent, T0));
  const record = good(exchange.order(ALICE, { orderId }, T0));
  const last = pushes.filter(({ channel, data }) => channel === "Orders" && data.orderId === orderId).at(-1)?.data;
  expect(record).toMatchObject({ ...last, leverage: 5, orderState: "FILLED", fee: "0.00175175" });
  expect(record).toMatchObject({ clientOrderId: "mine", tpTriggerPrice: "110", limitPrice: "100.1" });
  expect(good(exchange.order(ALICE, { clientOrderId: "mine" }, T0))).toEqual(record);
  expect(good(exchange.executions(ALICE, { orderId }, T0))[0]).toMatchObject({ clientOrderId: "mine", side: "BUY" });
});
