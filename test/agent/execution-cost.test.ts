import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import {
  type CostQuestion,
  learnCosts,
  type LearntCosts,
  lessonOf,
  type OrderCost,
  predictCost,
  slippageOf,
  sumCosts,
  walkBook,
} from "../../src/agent/books/execution-cost.ts";

const learnFrom = (costs: readonly OrderCost[], prior: LearntCosts["fee"]): LearntCosts =>
  learnCosts(costs.map(lessonOf), prior);

const asks = [
  { price: 100.1, qty: 1 },
  { price: 100.2, qty: 2 },
  { price: 100.5, qty: 3 },
];
const question = (change: Partial<CostQuestion> = {}): CostQuestion => ({
  side: "BUY",
  qty: 1,
  bid: 99.9,
  ask: 100.1,
  levels: asks,
  restsAt: null,
  limit: null,
  fee: { TAKER: 0.0005, MAKER: 0.0002 },
  volatilityHour: 0.01,
  bias: 0,
  ...change,
});
const cost = (change: Partial<OrderCost> = {}): OrderCost => ({
  orderId: "1",
  clientOrderId: "c",
  symbol: "BTC",
  leg: "BTC|LONG",
  what: "open",
  side: "BUY",
  atMs: 0,
  valueUsdt: dec("100"),
  feeUsdt: dec("0.0175"),
  predictedFeeUsdt: dec("0.05"),
  makerShare: 0,
  slippageBps: 3,
  predictedSlippageBps: 1,
  biasBps: 0,
  noiseBps: 1,
  ...change,
});

/** Before any order: taker and maker fees as fractions of value. */
const PRIOR = { TAKER: 0.0005, MAKER: 0.0002 };

describe("a prediction", () => {
  test("of a small taking order is the touch: half a spread and the taker fee", () => {
    const found = predictCost(question());
    expect(found).toMatchObject({ mid: 100, price: 100.1, liquidity: "TAKER", depthShare: 1 });
    expect(found?.slippageBps).toBeCloseTo(10, 6);
    expect(found?.feeBps).toBeCloseTo(5, 9);
  });

  test("of a larger one walks the book", () => {
    const found = predictCost(question({ qty: 3 }));
    expect(found?.price).toBeCloseTo((100.1 + 2 * 100.2) / 3, 9);
    expect(walkBook(asks, 3)).toEqual({ price: (100.1 + 2 * 100.2) / 3, share: 1 });
  });

  test("beyond the visible book grows with the unrest, and never passes the limit", () => {
    const calm = predictCost(question({ qty: 12, volatilityHour: 0.001 }));
    const wild = predictCost(question({ qty: 12, volatilityHour: 0.05 }));
    expect(calm?.depthShare).toBe(0.5);
    expect(wild?.slippageBps).toBeGreaterThan(calm?.slippageBps ?? Infinity);
    expect(predictCost(question({ qty: 12, volatilityHour: 0.05, limit: 100.3 }))?.price).toBeLessThanOrEqual(100.3);
  });

  test("of an order that rests pays the maker fee and gains half the spread", () => {
    const found = predictCost(question({ restsAt: 99.9, bias: 4 }));
    expect(found).toMatchObject({ liquidity: "MAKER", price: 99.9, biasBps: 0 });
    expect(found?.slippageBps).toBeCloseTo(-10, 6);
    expect(found?.feeBps).toBeCloseTo(2, 9);
  });

  test("adds what was learnt for takers; there is none without a two-sided quote", () => {
    expect(predictCost(question({ bias: 2 }))?.slippageBps).toBeCloseTo(12, 6);
    expect(predictCost(question({ bid: NaN }))).toBeNull();
    expect(predictCost(question({ bid: 101 }))).toBeNull();
    expect(predictCost(question({ qty: 0 }))).toBeNull();
  });

  test("a taker's cost is never better than the touch, and a larger order never costs less", () => {
    const level = fc.record({
      up: fc.double({ min: 0, max: 0.01, noNaN: true }),
      qty: fc.double({ min: 0.01, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom("BUY" as const, "SELL" as const),
        fc.array(level, { maxLength: 12 }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        (side, steps, qty, more) => {
          const sign = side === "BUY" ? 1 : -1;
          const touch = side === "BUY" ? 100.1 : 99.9;
          let price = touch;
          const levels = steps.map(({ up, qty: rests }, at) => ({
            price: at === 0 ? touch : (price += sign * up),
            qty: rests,
          }));
          const one = predictCost(question({ side, qty, levels }));
          const larger = predictCost(question({ side, qty: qty * more, levels }));
          expect((one?.slippageBps ?? 0) + 1e-9).toBeGreaterThanOrEqual(slippageOf(side, touch, 100));
          expect((larger?.slippageBps ?? 0) + 1e-6).toBeGreaterThanOrEqual(one?.slippageBps ?? 0);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("what was measured", () => {
  test("is summed by value: fees exactly, slippage weighted, stops beyond their price apart", () => {
    const sum = sumCosts([
      cost(),
      cost({
        valueUsdt: dec("300"),
        feeUsdt: dec("0.1"),
        predictedFeeUsdt: dec("0.15"),
        slippageBps: 7,
        predictedSlippageBps: 5,
      }),
      cost({ what: "stop", predictedFeeUsdt: null, predictedSlippageBps: null, slippageBps: 4 }),
    ]);
    expect(sum.orders).toBe(3);
    expect(sum.feesUsdt.toFixed()).toBe("0.135");
    expect(sum.slippageBps).toBeCloseTo(6, 9);
    expect(sum.predictedSlippageBps).toBeCloseTo(4, 9);
    expect(sum.feeBps).toBeCloseTo(2.9375, 9);
    expect(sum.predictedFeeBps).toBeCloseTo(5, 9);
    expect(sum.stopSlippageBps).toBeCloseTo(4, 9);
    expect(sumCosts([])).toMatchObject({ orders: 0, slippageBps: null, feeBps: null });
  });

  test("teaches slowly: after twenty orders half of the way, and one order cannot teach much", () => {
    const half = learnFrom(
      Array.from({ length: 20 }, () => cost()),
      PRIOR,
    );
    expect(half.fee.TAKER).toBeCloseTo((0.0005 + 0.000175) / 2, 9);
    expect(half.fee.MAKER).toBeCloseTo(0.0002, 9);
    expect(half.bias).toBeCloseTo(1, 9);
    expect(Math.abs(learnFrom([cost({ slippageBps: 900 })], PRIOR).bias)).toBeLessThan(1);
  });

  test("what was learnt is not learnt off again: with a prediction that is right by now the belief stays", () => {
    const right = (bias: number) => cost({ slippageBps: 3, predictedSlippageBps: 1 + bias, biasBps: bias });
    let costs: OrderCost[] = [];
    for (let n = 0; n < 400; n++) costs = [...costs, right(learnFrom(costs, PRIOR).bias)];
    expect(learnFrom(costs, PRIOR).bias).toBeGreaterThan(1.8);
    expect(learnFrom(costs, PRIOR).bias).toBeLessThanOrEqual(2);
  });

  test("maker and taker fees are learnt apart, from orders that were wholly one of them", () => {
    const learnt = learnFrom(
      [
        ...Array.from({ length: 200 }, () => cost({ makerShare: 1, feeUsdt: dec("-0.005") })),
        cost({ makerShare: 0.5, feeUsdt: dec("9") }),
      ],
      PRIOR,
    );
    expect(learnt.fee.MAKER).toBeLessThan(0);
    expect(learnt.fee.TAKER).toBe(0.0005);
  });
});
