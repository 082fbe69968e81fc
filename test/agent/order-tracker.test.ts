/** The order tracker by itself: what replies, pushes, look-ups and readings do to one order, in any order. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { updateFromOrder } from "../../src/agent/books/order-evidence.ts";
import { createOrderTracker, type OrderTracker } from "../../src/agent/books/order-tracker.ts";
import { describeState, heldSideOf, type Tracked } from "../../src/agent/books/tracked.ts";
import { mayAmend } from "../../src/agent/books/amending.ts";
import type { PastIntent } from "../../src/agent/books/intents.ts";
import { wouldHaveTaken } from "../../src/agent/reconcile/handle-orders.ts";
import type { Order, OrderUpdate, PlaceOrder } from "../../src/domain/order.ts";

const AT = 1_700_000_000_000;
const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const ID = "2190000000000001";

const place = (change: Partial<PlaceOrder> = {}): PlaceOrder => ({
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  qty: dec("0.01"),
  limitPrice: dec("60000"),
  timeInForce: null,
  reduceOnly: false,
  clientOrderId: "c-1",
  ...change,
});

const intent = (change: Partial<PlaceOrder> = {}, opening = true): PastIntent => {
  const order = place(change);
  return {
    clientOrderId: order.clientOrderId,
    decisionId: "d-1",
    opening,
    draft: { order, stopPrice: dec("58800"), targetPrice: dec("63000") },
  };
};

/** The record that the venue would list. */
const record = (change: Partial<Order> = {}): Order => ({
  ...place(),
  timeInForce: "GTC",
  orderId: ID,
  state: "OPEN",
  executedQty: ZERO,
  avgPrice: ZERO,
  fee: ZERO,
  reason: "",
  cancelPending: false,
  createdAtMs: AT,
  updatedAtMs: AT,
  ...change,
});

/** A push with the five fields that are always there. */
const push = (change: Partial<OrderUpdate> = {}): OrderUpdate => ({
  orderId: ID,
  clientOrderId: "c-1",
  state: "OPEN",
  executedQty: ZERO,
  avgPrice: ZERO,
  symbol: null,
  side: null,
  positionSide: null,
  qty: null,
  limitPrice: null,
  fee: null,
  reason: "",
  cancelPending: false,
  updatedAtMs: null,
  ...change,
});

function promised(change: Partial<PlaceOrder> = {}): { orders: OrderTracker; tracked: Tracked } {
  const orders = createOrderTracker();
  return { orders, tracked: orders.promise(intent(change), AT) };
}

describe("an intent", () => {
  test("is live and findable, with nothing executed and no order id yet", () => {
    const { orders, tracked } = promised();
    expect(tracked).toMatchObject({
      clientOrderId: "c-1",
      decisionId: "d-1",
      ours: true,
      opening: true,
      symbol: BTC,
      leg: "LONG",
      fate: "promised",
      ending: "",
      stopPrice: dec("58800"),
      targetPrice: dec("63000"),
      promisedAtMs: AT,
      misses: 0,
      nextLookUpMs: Infinity,
      cancelAskedMs: null,
      settledQty: ZERO,
    });
    expect(tracked.order).toMatchObject({
      orderId: "",
      state: "NEW",
      executedQty: ZERO,
      avgPrice: ZERO,
      fee: ZERO,
      reason: "",
      cancelPending: false,
      createdAtMs: AT,
      updatedAtMs: AT,
    });
    expect(orders.get("c-1")).toBe(tracked);
    expect(orders.get("c-2")).toBeUndefined();
    expect(orders.byOrderId("")).toBeUndefined();
    expect(orders.live()).toEqual([tracked]);
    expect(orders.unsettled()).toEqual([]);
  });

  test.each([
    ["LIMIT", null, "GTC"],
    ["MARKET", null, "IOC"],
    ["LIMIT", "GTX", "GTX"],
    ["LIMIT", "FOK", "FOK"],
  ] as const)("of a %s order with time in force %s stands as %s", (orderType, timeInForce, stands) => {
    expect(promised({ orderType, timeInForce }).tracked.order.timeInForce).toBe(stands);
  });

  test("has a later turn than the one before it", () => {
    const { orders, tracked } = promised();
    const next = orders.promise(intent({ clientOrderId: "c-2" }), AT);
    const adopted = orders.adopt(record({ clientOrderId: "c-3", orderId: "7" }), true, AT);
    expect(next.sequence).toBeGreaterThan(tracked.sequence);
    expect(adopted.sequence).toBeGreaterThan(next.sequence);
    expect(orders.promise(intent({ clientOrderId: "c-4" }), AT).sequence).toBeGreaterThan(adopted.sequence);
  });

  test("of an earlier run keeps its time, but for one that lies ahead: the clock was wrong then", () => {
    const orders = createOrderTracker();
    const at = (clientOrderId: string, promisedAtMs: number) =>
      orders.promise({ ...intent({ clientOrderId }), promisedAtMs }, AT).promisedAtMs;
    expect([at("c-1", AT - 60_000), at("c-2", AT + 60_000)]).toEqual([AT - 60_000, AT]);
  });
});

test.each([
  ["BUY", "LONG", false, "LONG"],
  ["SELL", "LONG", false, "LONG"],
  ["BUY", "SHORT", false, "SHORT"],
  ["BUY", "NONE", false, "LONG"],
  ["SELL", "NONE", true, "LONG"],
  ["SELL", "NONE", false, "SHORT"],
  ["BUY", "NONE", true, "SHORT"],
] as const)("%s %s, reduce-only %s, is of the position %s", (side, positionSide, reduceOnly, heldSide) => {
  expect(heldSideOf({ side, positionSide, reduceOnly })).toBe(heldSide);
});

describe("an order found at the venue", () => {
  test.each([
    ["BUY", "LONG", false, true],
    ["SELL", "LONG", false, false],
    ["SELL", "SHORT", false, true],
    ["BUY", "SHORT", false, false],
    ["BUY", "NONE", false, true],
    ["SELL", "NONE", true, false],
  ] as const)("%s %s, reduce-only %s: opening %s", (side, positionSide, reduceOnly, opening) => {
    const orders = createOrderTracker();
    const tracked = orders.adopt(record({ side, positionSide, reduceOnly }), false, AT);
    expect(tracked).toMatchObject({
      ours: false,
      opening,
      decisionId: null,
      fate: "known",
      stopPrice: null,
      targetPrice: null,
      promisedAtMs: AT,
    });
    expect(orders.get("c-1")).toBe(tracked);
    expect(orders.byOrderId(ID)).toBe(tracked);
    expect(orders.live()).toEqual([tracked]);
  });

  test("is called ours where we say so", () => {
    expect(createOrderTracker().adopt(record(), true, AT).ours).toBe(true);
  });
});

describe("the venue's answer", () => {
  test("accepted: known by its order id", () => {
    const { orders, tracked } = promised();
    orders.accepted(tracked, ID);
    expect(tracked).toMatchObject({ fate: "known", order: { orderId: ID, state: "NEW" } });
    expect(orders.byOrderId(ID)).toBe(tracked);
  });

  test("none: its fate is unknown, it stays live, and the first look-up comes after half a second", () => {
    const { orders, tracked } = promised();
    orders.markUnknown(tracked, AT);
    expect(tracked).toMatchObject({ fate: "unknown", nextLookUpMs: AT + 500 });
    expect(orders.live()).toEqual([tracked]);
    expect(describeState(tracked)).toBe("unknown");
    orders.accepted(tracked, ID);
    expect(tracked.fate).toBe("known");
  });

  test("none, after a push had reported it: what is known stays known", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, push(), AT);
    orders.markUnknown(tracked, AT);
    expect(tracked).toMatchObject({ fate: "known", nextLookUpMs: Infinity });
  });

  test("accepted, after it had ended: the id is kept, and it does not live again", () => {
    const { orders, tracked } = promised();
    orders.end(tracked, "not-sent");
    orders.accepted(tracked, ID);
    expect(tracked).toMatchObject({ fate: "ended", ending: "not-sent", order: { orderId: ID } });
    expect(orders.live()).toEqual([]);
  });
});

describe("an update", () => {
  test("says how much was filled since the one before, and ends at an end", () => {
    const { orders, tracked } = promised();
    const first = orders.update(
      tracked,
      push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004"), avgPrice: dec("59990"), fee: dec("0.1") }),
      AT + 5,
    );
    expect(first).toMatchObject({ filledNow: dec("0.004"), endedNow: false, backNow: false, amendedNow: null });
    expect(tracked).toMatchObject({ fate: "known", ending: "" });
    expect(tracked.order).toMatchObject({ avgPrice: dec("59990"), fee: dec("0.1"), updatedAtMs: AT + 5 });
    expect(orders.byOrderId(ID)).toBe(tracked);
    expect(describeState(tracked)).toBe("PARTIALLY_FILLED");
    const last = orders.update(
      tracked,
      push({ state: "FILLED", executedQty: dec("0.01"), avgPrice: dec("59995"), fee: dec("0.3") }),
      AT + 9,
    );
    expect(last).toMatchObject({ filledNow: dec("0.006"), endedNow: true, backNow: false, amendedNow: null });
    expect(tracked).toMatchObject({ fate: "ended", ending: "FILLED" });
    expect(tracked.order).toMatchObject({ avgPrice: dec("59995"), fee: dec("0.3") });
    expect(orders.live()).toEqual([]);
    expect(orders.get("c-1")).toBe(tracked);
    expect(describeState(tracked)).toBe("FILLED");
  });

  test("that comes late takes nothing back: quantity, price and fee stay those of the larger fill", () => {
    const { orders, tracked } = promised();
    orders.update(
      tracked,
      push({ state: "PARTIALLY_FILLED", executedQty: dec("0.006"), avgPrice: dec("59995"), fee: dec("0.2") }),
      AT,
    );
    const late = orders.update(
      tracked,
      push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004"), avgPrice: dec("59990"), fee: dec("0.1") }),
      AT,
    );
    expect(late.filledNow).toEqual(ZERO);
    expect(tracked.order).toMatchObject({ executedQty: dec("0.006"), avgPrice: dec("59995"), fee: dec("0.2") });
  });

  test("of equal quantity may bring the price and the fee that were missing", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004") }), AT);
    expect(tracked.order).toMatchObject({ avgPrice: ZERO, fee: ZERO });
    orders.update(
      tracked,
      push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004"), avgPrice: dec("59990"), fee: dec("0.1") }),
      AT,
    );
    orders.update(tracked, push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004"), avgPrice: ZERO }), AT);
    expect(tracked.order).toMatchObject({ avgPrice: dec("59990"), fee: dec("0.1") });
  });

  test("without an order id keeps the known one, and one with another name is found by it", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, push({ orderId: "" }), AT);
    expect(tracked.order.orderId).toBe("");
    expect(orders.byOrderId("")).toBeUndefined();
    orders.accepted(tracked, ID);
    orders.update(tracked, push({ orderId: "" }), AT);
    expect(tracked.order.orderId).toBe(ID);
    orders.update(tracked, push({ orderId: "8" }), AT);
    expect(orders.byOrderId("8")).toBe(tracked);
  });

  test("takes an amended quantity and price, and leaves them where they are missing or zero", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, push({ qty: dec("0.02"), limitPrice: dec("59000") }), AT);
    expect(tracked.order).toMatchObject({ qty: dec("0.02"), limitPrice: dec("59000") });
    orders.update(tracked, push({ qty: ZERO, limitPrice: ZERO }), AT);
    orders.update(tracked, push(), AT);
    expect(tracked.order).toMatchObject({ qty: dec("0.02"), limitPrice: dec("59000") });
  });

  test("keeps the last reason that was said, and whether a cancel is on its way as reported now", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, push({ reason: "self-trade", cancelPending: true }), AT);
    expect(tracked.order).toMatchObject({ reason: "self-trade", cancelPending: true });
    orders.update(tracked, push(), AT);
    expect(tracked.order).toMatchObject({ reason: "self-trade", cancelPending: false });
  });

  test("ends the search: misses start again, and no look-up is due", () => {
    const { orders, tracked } = promised();
    orders.markUnknown(tracked, AT);
    for (let n = 0; n < 3; n++) orders.missed(tracked, AT + n * 20_000);
    orders.update(tracked, push(), AT + 61_000);
    expect(tracked).toMatchObject({ fate: "known", misses: 0, nextLookUpMs: Infinity });
    expect(orders.missed(tracked, AT + 62_000)).toBe(false);
  });

  test("after the end changes neither fate nor ending, and a fill in it is given", () => {
    const { orders, tracked } = promised();
    orders.end(tracked, "absent");
    const change = orders.update(tracked, push({ state: "FILLED", executedQty: dec("0.01") }), AT);
    expect(change).toMatchObject({ filledNow: dec("0.01"), endedNow: false });
    expect(tracked).toMatchObject({ fate: "ended", ending: "absent" });
  });

  test("a full record of the venue is one", () => {
    const { orders, tracked } = promised();
    const found = record({
      state: "PARTIALLY_FILLED",
      executedQty: dec("0.004"),
      avgPrice: dec("60001"),
      fee: dec("1"),
    });
    const change = orders.update(tracked, updateFromOrder(found), AT + 1);
    expect(change.filledNow).toEqual(dec("0.004"));
    expect(tracked.order).toEqual({ ...found, updatedAtMs: AT + 1 });
  });
});

describe("look-ups that find nothing", () => {
  test("come further and further apart: 2 s, 8 s, 20 s, and every 20 s from there", () => {
    const { orders, tracked } = promised();
    const gaps: number[] = [];
    for (let n = 0; n < 5; n++) {
      orders.missed(tracked, AT + n);
      gaps.push(tracked.nextLookUpMs - AT - n);
    }
    expect(gaps).toEqual([2_000, 8_000, 20_000, 20_000, 20_000]);
  });

  test("make it absent at the fourth, if half a minute lies between the first and the last", () => {
    const { orders, tracked } = promised();
    expect([0, 1, 2].map((n) => orders.missed(tracked, AT + n))).toEqual([false, false, false]);
    expect(orders.missed(tracked, AT + 29_999)).toBe(false);
    expect(orders.missed(tracked, AT + 30_000)).toBe(true);
    expect(tracked.firstMissMs).toBe(AT);
  });

  test("do not make it absent at the third, however long ago the first was", () => {
    const { orders, tracked } = promised();
    expect([0, 40_000, 80_000].map((ms) => orders.missed(tracked, AT + ms))).toEqual([false, false, false]);
    expect(orders.missed(tracked, AT + 80_001)).toBe(true);
  });

  test("may be put off or called at once", () => {
    const { orders, tracked } = promised();
    orders.lookUpLater(tracked, AT, 5_000);
    expect(tracked.nextLookUpMs).toBe(AT + 5_000);
    orders.lookUpLater(tracked, AT + 7, 0);
    expect(tracked.nextLookUpMs).toBe(AT + 7);
  });
});

describe("the end", () => {
  test("is said once: the first word stays", () => {
    const { orders, tracked } = promised();
    orders.end(tracked, "refused");
    orders.end(tracked, "absent");
    expect(tracked).toMatchObject({ fate: "ended", ending: "refused" });
    expect(describeState(tracked)).toBe("refused");
  });

  test("is taken back where the venue shows the order standing, unless the venue itself had gave it", () => {
    const { orders, tracked } = promised();
    orders.end(tracked, "refused");
    tracked.unsent = true;
    expect(orders.update(tracked, push(), AT).backNow).toBe(true);
    expect(tracked).toMatchObject({ fate: "known", ending: "", promised: false, unsent: false });
    expect(orders.live()).toEqual([tracked]);
    orders.update(tracked, push({ state: "CANCELLED" }), AT);
    expect(orders.update(tracked, push(), AT).backNow).toBe(false);
    expect(tracked).toMatchObject({ fate: "ended", ending: "CANCELLED" });
  });

  test("500 ended orders are kept for late evidence, by either id; the oldest goes when another ends", () => {
    const orders = createOrderTracker();
    const living = orders.adopt(record({ clientOrderId: "living", orderId: "1" }), true, AT);
    for (let n = 0; n < 500; n++) {
      const tracked = orders.promise(intent({ clientOrderId: `c-${n}` }), AT);
      orders.accepted(tracked, `o-${n}`);
      orders.end(tracked, "CANCELLED");
    }
    expect(orders.get("c-0")?.ending).toBe("CANCELLED");
    expect(orders.byOrderId("o-0")?.clientOrderId).toBe("c-0");
    orders.end(orders.promise(intent({ clientOrderId: "last" }), AT), "not-sent");
    expect(orders.get("c-0")).toBeUndefined();
    expect(orders.byOrderId("o-0")).toBeUndefined();
    expect(orders.get("c-1")?.ending).toBe("CANCELLED");
    expect(orders.byOrderId("o-1")?.clientOrderId).toBe("c-1");
    expect(orders.live()).toEqual([living]);
  });
});

describe("fills that no reading of positions shows yet", () => {
  const filled = { state: "PARTIALLY_FILLED", executedQty: dec("0.004") } as const;

  test("are named until they are included in the position, and again when more is filled", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, push(filled), AT);
    expect(orders.unsettled()).toEqual([tracked]);
    tracked.settledQty = dec("0.004");
    expect(orders.unsettled()).toEqual([]);
    orders.update(tracked, push({ state: "FILLED", executedQty: dec("0.01") }), AT);
    expect(orders.unsettled()).toEqual([tracked]);
  });

  test("are not those of orders that reduce", () => {
    const orders = createOrderTracker();
    const tracked = orders.promise(intent({ side: "SELL" }, false), AT);
    orders.update(tracked, push(filled), AT);
    expect(orders.unsettled()).toEqual([]);
  });
});

describe("when a fill was reported", () => {
  test("is the time at which the executed quantity last grew, not that of any later record", () => {
    const { orders, tracked } = promised();
    expect(tracked.grewMs).toBe(AT);
    orders.update(tracked, push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004") }), AT + 10);
    orders.update(tracked, push({ state: "PARTIALLY_FILLED", executedQty: dec("0.004") }), AT + 20);
    orders.update(tracked, push({ executedQty: dec("0.001") }), AT + 30);
    expect(tracked.grewMs).toBe(AT + 10);
    orders.update(tracked, push({ state: "FILLED", executedQty: dec("0.01") }), AT + 40);
    expect(tracked.grewMs).toBe(AT + 40);
  });
});

describe("price and size, which may change both ways", () => {
  const shape = (qty: string, price: string, updatedAtMs: number | null): OrderUpdate =>
    push({ qty: dec(qty), limitPrice: dec(price), updatedAtMs });
  const shapeOf = ({ order }: Tracked): readonly (string | undefined)[] => [
    order.qty.toFixed(),
    order.limitPrice?.toFixed(),
  ];

  test("are those of the newest record by the venue's time; of equal times, the one that came last", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, shape("0.02", "61000", AT + 5), AT + 10);
    orders.update(tracked, shape("0.01", "60000", AT + 4), AT + 20);
    expect(shapeOf(tracked)).toEqual(["0.02", "61000"]);
    orders.update(tracked, shape("0.03", "62000", AT + 5), AT + 30);
    expect(shapeOf(tracked)).toEqual(["0.03", "62000"]);
    orders.update(tracked, shape("0.01", "60000", AT + 4), AT + 40);
    expect(shapeOf(tracked)).toEqual(["0.03", "62000"]);
  });

  test("are taken from a record without a time, which makes no other one older", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, shape("0.02", "61000", null), AT);
    expect(shapeOf(tracked)).toEqual(["0.02", "61000"]);
    orders.update(tracked, shape("0.03", "62000", AT - 1_000), AT);
    expect(shapeOf(tracked)).toEqual(["0.03", "62000"]);
    orders.update(tracked, shape("0.04", "63000", null), AT);
    expect(shapeOf(tracked)).toEqual(["0.04", "63000"]);
  });

  test("a push without a time may be late: it makes nothing smaller that a change has made larger", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, shape("0.01", "60000", null), AT);
    orders.amend(tracked, { intentId: "a-1", price: dec("61000"), qty: dec("0.02") });
    orders.update(tracked, shape("0.02", "61000", null), AT + 1);
    orders.update(tracked, shape("0.01", "60000", null), AT + 2);
    expect(shapeOf(tracked)).toEqual(["0.02", "61000"]);
    // As a list shows it.
    orders.update(tracked, shape("0.01", "60000", 0), AT + 3);
    expect(shapeOf(tracked)).toEqual(["0.01", "60000"]);
  });

  test("but what was asked for, it makes smaller", () => {
    const { orders, tracked } = promised();
    orders.update(tracked, shape("0.02", "61000", null), AT);
    orders.amend(tracked, { intentId: "a-1", price: dec("60000"), qty: dec("0.01") });
    const { amendedNow } = orders.update(tracked, shape("0.01", "60000", null), AT + 1);
    expect(amendedNow?.intentId).toBe("a-1");
    expect(shapeOf(tracked)).toEqual(["0.01", "60000"]);
  });

  test.each<[string, Partial<OrderUpdate>]>([
    ["size", { limitPrice: dec("61000") }],
    ["price", { qty: dec("0.02") }],
  ])("a record that lacks its %s does not make an earlier whole one old", (_, change) => {
    const { orders, tracked } = promised();
    orders.update(tracked, push({ ...change, updatedAtMs: AT + 9 }), AT);
    orders.update(tracked, shape("0.05", "65000", AT + 5), AT);
    expect(shapeOf(tracked)).toEqual(["0.05", "65000"]);
  });
});

describe("an intended change", () => {
  const changing = () => {
    const made = promised();
    made.orders.update(made.tracked, updateFromOrder(record()), AT);
    const amend = made.orders.amend(made.tracked, { intentId: "a-1", price: dec("61000"), qty: dec("0.02") });
    return { ...made, amend };
  };
  const changed = updateFromOrder(record({ qty: dec("0.02"), limitPrice: dec("61000"), updatedAtMs: AT + 1 }));

  test("keeps the order of intents, and begins without evidence", () => {
    const { orders, tracked, amend } = changing();
    const next = orders.promise(intent({ clientOrderId: "c-2" }), AT);
    expect(tracked.amend).toBe(amend);
    expect(amend).toMatchObject({ intentId: "a-1", fate: "promised", reads: 0, firstReadMs: 0 });
    expect([tracked.sequence, amend.sequence, next.sequence]).toEqual([0, 1, 2]);
  });

  test("is looked up until it ends, although a list shows the order unchanged", () => {
    const { orders, tracked } = changing();
    orders.lookUpLater(tracked, AT, 2_000);
    orders.update(tracked, updateFromOrder(record()), AT);
    expect(tracked.nextLookUpMs).toBe(AT + 2_000);
    orders.update(tracked, changed, AT);
    expect(tracked.nextLookUpMs).toBe(Infinity);
  });

  test("is logged once: by the record that shows it", () => {
    const { orders, tracked, amend } = changing();
    expect(orders.update(tracked, updateFromOrder(record()), AT).amendedNow).toBeNull();
    expect(tracked.amend).toBe(amend);
    expect(orders.update(tracked, changed, AT).amendedNow).toBe(amend);
    expect(tracked.amend).toBeNull();
    expect(orders.update(tracked, changed, AT).amendedNow).toBeNull();
  });

  test("ends with its order, however that ended", () => {
    const { orders, tracked, amend } = changing();
    expect(orders.update(tracked, updateFromOrder(record({ state: "CANCELLED" })), AT).amendedNow).toBe(amend);
    expect(tracked.amend).toBeNull();
  });
});

test("an order rests on an intent of this run or on none, and counts as sent until it is looked up", () => {
  const { orders, tracked } = promised();
  expect(tracked).toMatchObject({ promised: true, unsent: false });
  expect(orders.adopt(record({ orderId: "o-9", clientOrderId: "c-9" }), true, AT)).toMatchObject({ promised: false });
});

describe("what an order allows", () => {
  /** An order of ours that rests, as the venue has it. */
  const restingOrder = (change: Partial<Order> = {}): Tracked => {
    const tracker = createOrderTracker();
    const tracked = tracker.promise(intent(), AT);
    tracker.accepted(tracked, ID);
    tracker.update(tracked, updateFromOrder(record(change)), AT);
    return { ...tracked, order: { ...tracked.order, ...change } };
  };

  test.each<[string, Partial<Order>, boolean]>([
    ["a post-only order that rests", { timeInForce: "GTX" }, true],
    ["one that is good till cancelled", { timeInForce: "GTC" }, true],
    ["one that is partly filled", { timeInForce: "GTX", state: "PARTIALLY_FILLED", executedQty: dec("0.001") }, true],
    ["an IOC order", { timeInForce: "IOC" }, false],
    ["an order at the market", { timeInForce: "GTC", orderType: "MARKET" }, false],
    ["one that has ended", { timeInForce: "GTX", state: "CANCELLED" }, false],
    ["one with a cancel on its way", { timeInForce: "GTX", cancelPending: true }, false],
  ])("%s may be amended: %s", (_what, change, may) => {
    expect(mayAmend(restingOrder(change))).toBe(may);
  });

  test.each<[string, Partial<Order>, boolean]>([
    ["a post-only order rejected on arrival", { timeInForce: "GTX", state: "REJECTED" }, true],
    ["a post-only order that the venue cancelled", { timeInForce: "GTX", state: "CANCELLED" }, true],
    ["a post-only order that rests", { timeInForce: "GTX", state: "OPEN" }, false],
    ["a post-only order that is filled", { timeInForce: "GTX", state: "FILLED", executedQty: dec("0.01") }, false],
    ["an IOC order that the venue cancelled", { timeInForce: "IOC", state: "CANCELLED" }, false],
  ])("%s would have taken: %s", (_what, change, would) => {
    expect(wouldHaveTaken(restingOrder(change))).toBe(would);
  });
});
