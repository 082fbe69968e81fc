import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, type Decimal, isMultipleOf } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { exposureOf } from "../../src/risk/exposure.ts";
import { isApproved, review, reviewOperatorOrder } from "../../src/risk/review.ts";
import { RISK } from "../support/risk.ts";
import { allow, type Rule } from "../../src/risk/verdict.ts";
import type { Draft, RiskView } from "../../src/risk/view.ts";
import { BTC, draft, position, rules, session, SOL, symbolRisk, view } from "./support.ts";

const settings = RISK;
const limits = allLimits(settings);

describe("review", () => {
  test("a sound draft is approved as it is, with a verdict of every limit", () => {
    const reviewed = review(draft(), view(), limits);
    if (reviewed.kind !== "approved") throw new Error(JSON.stringify(reviewed.verdicts));
    expect(reviewed.draft).toEqual(draft());
    expect(isApproved(reviewed.draft)).toBe(true);
    expect(Object.isFrozen(reviewed.draft.order)).toBe(true);
    expect(reviewed.verdicts.map((verdict) => verdict.limit)).toEqual(limits.map((limit) => limit.name));
    expect(new Set(reviewed.verdicts.map((verdict) => verdict.kind))).toEqual(new Set(["allow"]));
  });

  test("a draft too big comes back smaller, and the verdict that shrank it is kept", () => {
    const reviewed = review(draft({ qty: "0.1" }), view(), limits);
    if (reviewed.kind !== "approved") throw new Error(JSON.stringify(reviewed.verdicts));
    expect(reviewed.draft.order.qty.toFixed()).toBe("0.006");
    const shrank = reviewed.verdicts.find((verdict) => verdict.limit === "per-order-notional");
    expect(shrank).toMatchObject({ kind: "shrink", qty: "0.006", found: "6012.01002", allowed: "400" });
  });

  test("one denial denies, and the others are reported too", () => {
    const reviewed = review(draft(), view({ floorState: "HALT", session: null }), limits);
    expect(reviewed.kind).toBe("denied");
    const denials = reviewed.verdicts.filter((verdict) => verdict.kind === "deny").map((verdict) => verdict.limit);
    expect(denials).toEqual(["session", "floor-ladder", "total-notional"]);
    expect(reviewed.verdicts).toHaveLength(limits.length);
  });

  test.each([
    ["LONG", "BUY", "60000", "58200"],
    ["SHORT", "SELL", "60000.1", "61800.1"],
  ] as const)("a %s without a stop gets the default one, on the tick", (positionSide, side, limitPrice, stop) => {
    const reviewed = review(draft({ positionSide, side, limitPrice }, { stop: null }), view(), limits);
    expect(reviewed).toMatchObject({ kind: "approved" });
    expect(reviewed.kind === "approved" && reviewed.draft.stopPrice?.toFixed()).toBe(stop);
  });

  test("limits at odds with each other deny instead of going round for ever", () => {
    let turn = 0;
    const restless: Rule = {
      name: "restless",
      judge: ({ order }) => ({
        ...allow({ limit: "restless", found: "", allowed: "", reason: "" }),
        kind: "shrink",
        qty: order.qty.sub("0.001").toFixed(),
        found: String(turn++),
      }),
    };
    expect(review(draft({ qty: "9" }), view(), [restless]).kind).toBe("denied");
    expect(turn).toBeLessThan(20);
    const stubborn: Rule = {
      name: "s",
      judge: ({ order }) => ({ ...restless.judge(draft(), view()), kind: "shrink", qty: order.qty.toFixed() }),
    };
    expect(review(draft(), view(), [stubborn]).kind).toBe("denied");
  });

  test("a review without limits is a mistake of ours", () => {
    expect(() => review(draft(), view(), [])).toThrow("at least one limit");
  });

  test("an operator's order is held to the venue's form and the stated ceiling", () => {
    const asked = { rules: rules(BTC), referencePrice: dec("60000"), maxNotionalUsdt: dec("300") };
    expect(reviewOperatorOrder(draft(), asked).kind).toBe("approved");
    expect(reviewOperatorOrder(draft({ qty: "0.006" }), asked).kind).toBe("denied");
    expect(reviewOperatorOrder(draft({ limitPrice: "60000.01" }), asked).kind).toBe("denied");
    expect(reviewOperatorOrder(draft({ clientOrderId: "" }), asked).kind).toBe("denied");
  });
});

const cents = (min: number, max: number): fc.Arbitrary<Decimal> =>
  fc.integer({ min: min * 100, max: max * 100 }).map((value) => dec(value).div(100));

const anyView: fc.Arbitrary<RiskView> = fc
  .record({
    equity: cents(700, 1_500),
    mark: cents(1, 90_000),
    solMark: cents(1, 300),
    phase: fc.constantFrom(1 as const, 2 as const),
    leverage: fc.integer({ min: 1, max: 6 }),
    held: fc.integer({ min: 0, max: 3_000 }),
    heldSide: fc.constantFrom("LONG" as const, "SHORT" as const),
    flying: cents(0, 800),
    used: cents(0, 1_000),
    perOrder: cents(1, 900),
  })
  .map((given) =>
    view({
      equityUsdt: given.equity,
      phase: given.phase,
      positions:
        given.held > 0 ? [position(SOL, given.heldSide, (given.held / 1_000).toFixed(3), given.solMark.toFixed())] : [],
      inFlight: [{ clientOrderId: "f", symbol: SOL, leg: "LONG", notionalUsdt: given.flying }],
      symbols: new Map([
        [BTC, symbolRisk(BTC, given.mark.toFixed(1), { leverage: given.leverage })],
        [SOL, symbolRisk(SOL, given.solMark.toFixed(1), { leverage: given.leverage })],
      ]),
      session: session({
        maxNotionalPerOrder: given.perOrder,
        maxTotalNotional: dec("1500"),
        usedNotional: given.used,
      }),
    }),
  );

const openingFor = (seen: RiskView, lots: number, side: "BUY" | "SELL"): Draft => {
  const mark = seen.symbols.get(BTC)?.mark?.toFixed() ?? "1";
  const change = {
    qty: (lots / 1_000).toFixed(3),
    limitPrice: mark,
    side,
    positionSide: side === "BUY" ? "LONG" : "SHORT",
  } as const;
  return draft(change, { stop: null });
};

/** Counted here again, without the code under test. */
function grossWith(seen: RiskView, { order }: Draft): { gross: number; gapLoss: number } {
  const mark = Number(seen.symbols.get(BTC)?.mark);
  const worse = Math.max(Number(order.limitPrice), mark) * Number(order.qty);
  const held = seen.positions.reduce(
    (sum, { qty, markPrice, side }) => sum + (side === "LONG" ? Number(qty) * Number(markPrice) : 0),
    0,
  );
  const heldShort = seen.positions.reduce(
    (sum, { qty, markPrice, side }) => sum + (side === "SHORT" ? Number(qty) * Number(markPrice) : 0),
    0,
  );
  const flying = Number(seen.inFlight[0]?.notionalUsdt ?? 0);
  return {
    gross: worse + held + heldShort + flying,
    gapLoss: worse * 0.12 + Math.max(held + flying, heldShort) * 0.25,
  };
}

describe("whatever the account and the draft", () => {
  test("what is approved keeps leverage, cushion and notional", () => {
    let approvals = 0;
    let asks = 0;
    fc.assert(
      fc.property(
        anyView,
        fc.integer({ min: 1, max: 900_000 }),
        fc.constantFrom("BUY" as const, "SELL" as const),
        (seen, lots, side) => {
          asks++;
          const asked = openingFor(seen, lots, side);
          const reviewed = review(asked, seen, limits);
          if (reviewed.kind === "denied") return;
          approvals++;
          const { order, stopPrice } = reviewed.draft;
          const equity = Number(seen.equityUsdt);
          const { gross, gapLoss } = grossWith(seen, reviewed.draft);
          expect(gross).toBeLessThanOrEqual(equity * (seen.phase === 1 ? 2 : 5) * 0.95);
          expect(gapLoss).toBeLessThanOrEqual(equity - 820);
          const value = Number(order.qty) * Number(seen.symbols.get(BTC)?.mark);
          expect(value).toBeLessThanOrEqual(Number(seen.session?.maxNotionalPerOrder));
          expect(value + Number(seen.session?.usedNotional)).toBeLessThanOrEqual(1_500);
          expect(seen.symbols.get(BTC)?.leverage).toBeLessThanOrEqual(seen.phase === 1 ? 2 : 5);
          expect(order.qty.lte(asked.order.qty)).toBe(true);
          expect(isMultipleOf(order.qty, dec("0.001"))).toBe(true);
          expect(
            stopPrice !== null &&
              (side === "BUY"
                ? stopPrice.lt(seen.symbols.get(BTC)?.mark ?? 0)
                : stopPrice.gt(seen.symbols.get(BTC)?.mark ?? 0)),
          ).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
    expect(approvals).toBeGreaterThan(asks / 20);
  });

  test("asking for more never gets less, and what was approved is approved again unchanged", () => {
    fc.assert(
      fc.property(
        anyView,
        fc.integer({ min: 1, max: 50_000 }),
        fc.integer({ min: 0, max: 50_000 }),
        (seen, lots, more) => {
          const small = review(openingFor(seen, lots, "BUY"), seen, limits);
          const large = review(openingFor(seen, lots + more, "BUY"), seen, limits);
          if (small.kind === "denied") return;
          expect(large.kind).toBe("approved");
          if (large.kind === "approved") expect(large.draft.order.qty.gte(small.draft.order.qty)).toBe(true);
          const again = review(small.draft, seen, limits);
          expect(again.kind === "approved" && again.draft.order.qty.eq(small.draft.order.qty)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("less equity never allows more", () => {
    fc.assert(
      fc.property(anyView, cents(0, 300), (seen, loss) => {
        const poorer = { ...seen, equityUsdt: seen.equityUsdt.sub(loss) };
        const [rich, poor] = [seen, poorer].map((one) => review(openingFor(one, 50_000, "BUY"), one, limits));
        if (poor?.kind !== "approved") return;
        expect(rich?.kind === "approved" && rich.draft.order.qty.gte(poor.draft.order.qty)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("exposure", () => {
  test("an order known at the venue is not counted twice, one in flight is counted once", () => {
    const open = { ...draft().order, limitPrice: dec("60000"), executedQty: dec("0.002"), orderId: "1" };
    const openOrders = [open] as unknown as RiskView["openOrders"];
    const flights = [{ clientOrderId: "agent-1", symbol: BTC, leg: "LONG", notionalUsdt: dec("300") }] as const;
    const known = exposureOf(view({ openOrders, inFlight: flights }), settings);
    expect(known.grossUsdt.toFixed()).toBe(dec("60000.1").mul("1.002").mul("0.003").toFixed());
    expect(exposureOf(view({ inFlight: flights }), settings).grossUsdt.toFixed()).toBe("300");
  });

  test("positions of one coin add up for leverage; for the gap the smaller counts with the residual", () => {
    const positions = [position(BTC, "LONG", "0.01", "60000"), position(BTC, "SHORT", "0.004", "60000")];
    const exposure = exposureOf(view({ positions }), { ...settings, exitCost: dec("0") });
    expect(exposure.grossUsdt.toFixed()).toBe("840");
    expect(exposure.lossAtGapUsdt.toFixed()).toBe("81.6");
  });

  test("contracts are counted in base units", () => {
    const positions = [position(BTC, "LONG", "5", "60000")];
    const symbols = new Map([[BTC, symbolRisk(BTC, "60000", { rules: rules(BTC, { contractSize: dec("0.001") }) })]]);
    expect(exposureOf(view({ positions, symbols }), settings).grossUsdt.toFixed()).toBe("300");
  });
});
