/** The pure rules of an order's life: which of two states is later, how venues spell them, what opens and what reduces. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import {
  CLIENT_ORDER_ID_PATTERN,
  isOpening,
  isTerminal,
  laterState,
  ORDER_ID_PATTERN,
  type OrderState,
  readOrderState,
  remainingQty,
} from "../../src/domain/order.ts";

const STATES: readonly OrderState[] = ["NEW", "OPEN", "PARTIALLY_FILLED", "FILLED", "CANCELLED", "REJECTED"];

describe("the later of two states", () => {
  test.each<[OrderState, OrderState, OrderState]>([
    ["NEW", "OPEN", "OPEN"],
    ["OPEN", "NEW", "OPEN"],
    ["OPEN", "PARTIALLY_FILLED", "PARTIALLY_FILLED"],
    ["PARTIALLY_FILLED", "OPEN", "PARTIALLY_FILLED"],
    ["PARTIALLY_FILLED", "CANCELLED", "CANCELLED"],
    ["PARTIALLY_FILLED", "FILLED", "FILLED"],
    ["NEW", "REJECTED", "REJECTED"],
    ["NEW", "NEW", "NEW"],
  ])("%s, then %s: %s", (before, now, later) => {
    expect(laterState(before, now)).toBe(later);
  });

  test("an end is final, whatever is said afterwards", () => {
    for (const end of ["FILLED", "CANCELLED", "REJECTED"] as const)
      for (const late of STATES) expect(laterState(end, late)).toBe(end);
    expect(STATES.filter(isTerminal)).toEqual(["FILLED", "CANCELLED", "REJECTED"]);
  });
});

test.each<[string, OrderState]>([
  ["NEW", "NEW"],
  ["ACCEPTED", "NEW"],
  ["PARTIALLY_FILLED", "PARTIALLY_FILLED"],
  ["filled", "FILLED"],
  ["CANCELLED", "CANCELLED"],
  ["Canceled", "CANCELLED"],
  ["CANCEL_COMPLETE", "CANCELLED"],
  ["EXPIRED", "CANCELLED"],
  ["REJECTED", "REJECTED"],
  ["REJECT", "REJECTED"],
  ["FAIL", "REJECTED"],
  ["OPEN", "OPEN"],
  // A word nobody has heard keeps its exposure counted.
  ["PENDING_SOMETHING", "OPEN"],
  ["", "OPEN"],
])("the venue's %j reads as %s", (word, state) => {
  expect(readOrderState(word)).toBe(state);
});

test("what is left to fill is never less than nothing", () => {
  expect(remainingQty({ qty: dec("1.5"), executedQty: dec("0.4") }).toFixed()).toBe("1.1");
  expect(remainingQty({ qty: dec("1"), executedQty: dec("1.1") }).toFixed()).toBe("0");
});

describe("opening or reducing", () => {
  test.each([
    ["BUY", "LONG", false, true],
    ["SELL", "LONG", false, false],
    ["SELL", "SHORT", false, true],
    ["BUY", "SHORT", false, false],
    ["BUY", "NONE", false, true],
    ["SELL", "NONE", false, true],
    ["SELL", "NONE", true, false],
    ["BUY", "LONG", true, false],
  ] as const)("%s %s, reduce-only %s: opening %s", (side, positionSide, reduceOnly, opening) => {
    expect(isOpening({ side, positionSide, reduceOnly })).toBe(opening);
  });
});

describe("ids", () => {
  test.each([
    ["a", true],
    ["Az09-_", true],
    ["x".repeat(40), true],
    ["x".repeat(41), false],
    ["", false],
    ["a b", false],
    ["a&b", false],
    ["ä", false],
    ["a\nb", false],
  ])("client order id %j: %s", (id, fits) => {
    expect(CLIENT_ORDER_ID_PATTERN.test(id)).toBe(fits);
  });

  test.each([
    ["2190000000000001", true],
    ["219000000000000", false],
    ["21900000000000011", false],
    ["x190000000000001", false],
    ["2190000000000001x", false],
  ])("order id %j: %s", (id, fits) => {
    expect(ORDER_ID_PATTERN.test(id)).toBe(fits);
  });
});
