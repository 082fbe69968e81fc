import { expect, test } from "vitest";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import type { Order } from "../../src/domain/order.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { type OpeningCandidate, chooseOpenings, takenSymbols } from "../../src/strategy/openings.ts";
import { accountOf, AT_MS, BTC, ETH, heldOf, snapshotOf } from "./snapshots.ts";

const SOL = perpSymbol("EXCHANGE_A", "SOL");
const XRP = perpSymbol("EXCHANGE_A", "XRP");

const resting = (symbol: string, change: Partial<Order> = {}): Order => ({
  orderId: "2190000000000001",
  clientOrderId: `i-${symbol}`,
  symbol,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  timeInForce: "GTX",
  qty: dec("1"),
  limitPrice: dec("100"),
  state: "OPEN",
  executedQty: dec("0"),
  avgPrice: dec("0"),
  fee: dec("0"),
  reduceOnly: false,
  reason: "",
  cancelPending: false,
  createdAtMs: AT_MS,
  updatedAtMs: AT_MS,
  ...change,
});
const SHORT = { side: "SELL", positionSide: "SHORT" } as const;
const NET = { positionSide: "NONE" } as const;

const candidate = (symbol: string, positionSide: "LONG" | "SHORT", edge: number): OpeningCandidate => ({
  target: {
    symbol,
    leg: positionSide,
    size: 0.5,
    stopDistance: 0.02,
    targetDistance: null,
    urgency: "take",
    reason: "r",
    evidence: [],
  },
  edge,
});
const LONGS = [candidate(SOL, "LONG", 0.02), candidate(XRP, "LONG", 0.01)];
const seen = (openOrders: readonly Order[], held = accountOf()): Snapshot =>
  snapshotOf({ account: { ...held, openOrders } });
const chosen = (snapshot: Snapshot, candidates = LONGS, caps = { maxPositions: 9, maxSameDirection: 2 }) =>
  chooseOpenings(candidates, snapshot, caps).map(({ symbol }) => symbol);

const BTC_LONG = accountOf([heldOf(BTC, "LONG", 5)]);

test.each<[string, Snapshot, readonly string[]]>([
  ["nothing", seen([]), [SOL, XRP]],
  ["a position that is held", seen([], BTC_LONG), [SOL]],
  ["an opening that rests", seen([resting(BTC)]), [SOL]],
  ["two that rest", seen([resting(BTC), resting(ETH)]), []],
  ["one held and one that rests", seen([resting(ETH)], BTC_LONG), []],
  ["one held and more of it resting", seen([resting(BTC)], BTC_LONG), [SOL]],
  ["one that rests in two parts", seen([resting(BTC), resting(BTC)]), [SOL]],
  ["openings on the other side", seen([resting(BTC, SHORT), resting(ETH, SHORT)]), [SOL, XRP]],
  ["orders that close shorts", seen([resting(BTC, { positionSide: "SHORT" })]), [SOL, XRP]],
  ["openings in one-way mode", seen([resting(BTC, NET), resting(ETH, { ...NET, side: "SELL" })]), [SOL]],
  ["what only reduces in one-way mode", seen([resting(BTC, { ...NET, reduceOnly: true })]), [SOL, XRP]],
])("counted on a side: %s", (_what, snapshot, symbols) => {
  expect(chosen(snapshot)).toEqual(symbols);
});

test("the best come first, and both sides have a count of their own", () => {
  const both = [...LONGS, candidate(BTC, "SHORT", 0.005), candidate(ETH, "LONG", 0.03)];
  expect(chosen(seen([]), both)).toEqual([ETH, SOL, BTC]);
  expect(chosen(seen([]), both, { maxPositions: 1, maxSameDirection: 2 })).toEqual([ETH]);
});

test("a symbol is taken when it is held or about to be", () => {
  expect([...takenSymbols(seen([resting(ETH), resting(SOL, { positionSide: "SHORT" })], BTC_LONG))]).toEqual([
    BTC,
    ETH,
  ]);
});
