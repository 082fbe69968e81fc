/** The review of an order that the operator gives. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { isApproved, reviewOperatorOrder } from "../../src/risk/review.ts";
import type { Draft } from "../../src/risk/view.ts";
import { BTC, draft, rules } from "./support.ts";

describe("an operator's order", () => {
  const asked = { rules: rules(BTC), referencePrice: dec("60000"), maxNotionalUsdt: dec("300") };
  const words = (given: Draft, change: Partial<typeof asked> = {}): readonly (readonly string[])[] =>
    reviewOperatorOrder(given, { ...asked, ...change }).verdicts.map(({ limit, kind, found, allowed, reason }) => [
      limit,
      kind,
      found,
      allowed,
      reason,
    ]);
  const SHAPE = ["order-shape", "allow", "0.005", "lots of 0.001", "The order fits the symbol's rules."];
  const ID = [
    "client-order-id",
    "allow",
    "agent-1",
    "1 to 40 of A-Z a-z 0-9 - _",
    "The client order id is well formed.",
  ];
  const CEILING = ["max-notional", "allow", "300", "300", "The value is within the stated ceiling."];

  test("that fits is reported in all three points, and approved", () => {
    expect(words(draft())).toEqual([SHAPE, ID, CEILING]);
    const reviewed = reviewOperatorOrder(draft(), asked);
    expect(reviewed.kind === "approved" && isApproved(reviewed.draft)).toBe(true);
  });

  test("that does not is denied in the point that it fails", () => {
    expect(words(draft({ limitPrice: "59999.95" }))).toEqual([
      [
        "order-shape",
        "deny",
        "59999.95",
        "a positive multiple of the tick 0.1",
        "The price does not fit the symbol's rules.",
      ],
      ID,
      [CEILING[0], "allow", "299.99975", "300", CEILING[4]],
    ]);
    expect(words(draft({ clientOrderId: "a b" }))[1]).toEqual([
      "client-order-id",
      "deny",
      "a b",
      "1 to 40 of A-Z a-z 0-9 - _",
      "The client order id is malformed.",
    ]);
    expect(words(draft(), { maxNotionalUsdt: dec("299.99") })[2]).toEqual([
      "max-notional",
      "deny",
      "300",
      "299.99",
      "The value is above the stated ceiling.",
    ]);
    for (const given of [draft({ limitPrice: "59999.95" }), draft({ clientOrderId: "a b" })])
      expect(reviewOperatorOrder(given, asked).kind).toBe("denied");
  });

  test("without a price is valued at the reference", () => {
    const market = draft({ orderType: "MARKET", limitPrice: null });
    expect(words(market, { referencePrice: dec("61000") })[2]?.slice(0, 3)).toEqual(["max-notional", "deny", "305"]);
    const rulesOf300 = { rules: rules(BTC, { minNotional: dec("301") }) };
    expect(words(market, rulesOf300)[0]?.slice(0, 4)).toEqual(["order-shape", "deny", "300", "at least 301"]);
  });
});
