/** How a limit answers: allowed, denied, or shrunk to what fits, with exact figures. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { allow, deny, figure, fitInto, judged, reducing, type Verdict, verdictText } from "../../src/risk/verdict.ts";
import { BTC, draft, rules } from "./support.ts";

test("the log shortens long figures of a verdict to five digits, and leaves short ones as they are", () => {
  const said = {
    limit: "cushion",
    reason: "Too little is left.",
    found: "812.345678 USDT of 17",
    allowed: "0.000123456",
  };
  expect(verdictText(said)).toBe("cushion: Too little is left (found 812.35 USDT of 17, allowed 0.00012346)");
  expect(verdictText({ ...said, found: "12.50", allowed: "1234.5" })).toContain("(found 12.50, allowed 1234.5)");
});

describe("verdicts", () => {
  const figures = { limit: "l", found: dec("1.123456789"), allowed: 5, reason: "Why." };
  test("carry figures as text, money to eight places", () => {
    expect(allow(figures)).toEqual({ kind: "allow", limit: "l", found: "1.12345679", allowed: "5", reason: "Why." });
    expect(deny({ ...figures, found: "as it is" })).toMatchObject({ kind: "deny", found: "as it is" });
    expect([judged(true, figures).kind, judged(false, figures).kind]).toEqual(["allow", "deny"]);
    expect([figure(2.5), figure(dec("0.100"))]).toEqual(["2.5", "0.1"]);
    expect(reducing("l")).toMatchObject({ kind: "allow", limit: "l", found: "reducing", allowed: "reducing" });
  });

  /** 100 a unit, by lots of 0.1, at least 0.2 of them and 30 USDT. */
  const fit = (qty: string, roomUsdt: string, limitPrice = "100", contractSize = "1"): Verdict =>
    fitInto({
      limit: "l",
      draft: draft({ qty, limitPrice }),
      rules: rules(BTC, {
        lotSize: dec("0.1"),
        minSize: dec("0.2"),
        minNotional: dec("30"),
        contractSize: dec(contractSize),
      }),
      price: dec("100"),
      roomUsdt: dec(roomUsdt),
      found: ZERO,
      allowed: ZERO,
      reason: "Why.",
    });
  const kindOf = (verdict: Verdict): string => (verdict.kind === "shrink" ? verdict.qty : verdict.kind);

  test.each([
    ["1", "100", "allow"],
    ["1", "99.99", "0.9"],
    ["1", "30", "0.3"],
    ["1", "29.99", "deny"],
    ["1", "0", "deny"],
    ["1", "-100", "deny"],
  ])("%s units into %s USDT: %s", (qty, room, answer) => {
    expect(kindOf(fit(qty, room))).toBe(answer);
  });

  test("the smallest value is reckoned at the lower of limit and counted price, the size in contracts", () => {
    expect(kindOf(fit("1", "35", "99"))).toBe("deny");
    expect(kindOf(fit("1", "40", "99"))).toBe("0.4");
    expect(kindOf(fit("1", "30", "101"))).toBe("0.3");
    expect(kindOf(fit("200", "100", "100", "0.01"))).toBe("100");
    expect(fit("1", "1")).toMatchObject({ reason: "Why. What still fits is less than the venue's smallest order." });
    expect(fit("1", "50")).toEqual({
      kind: "shrink",
      limit: "l",
      found: "0",
      allowed: "0",
      reason: "Why.",
      qty: "0.5",
    });
  });

  test("a MARKET order shrinks like any other", () => {
    const market = draft({ orderType: "MARKET", limitPrice: null, qty: "1" });
    const small = { limit: "l", draft: market, rules: rules(BTC, { lotSize: dec("0.1") }), price: dec("100") };
    const said = fitInto({ ...small, roomUsdt: dec("55"), found: ZERO, allowed: ZERO, reason: "Why." });
    expect(kindOf(said)).toBe("0.5");
  });

  test("a lot smaller than the venue's smallest size is not offered", () => {
    const { rules: tiny } = { rules: rules(BTC, { lotSize: dec("0.1"), minSize: dec("0.5"), minNotional: ZERO }) };
    const small = { limit: "l", draft: draft({ qty: "1", limitPrice: "100" }), rules: tiny, price: dec("100") };
    const of = (roomUsdt: string): Verdict =>
      fitInto({ ...small, roomUsdt: dec(roomUsdt), found: ZERO, allowed: ZERO, reason: "Why." });
    expect([of("49"), of("50")].map(kindOf)).toEqual(["deny", "0.5"]);
    const none = { ...small, rules: rules(BTC, { lotSize: dec("0.1"), minSize: ZERO, minNotional: ZERO }) };
    expect(fitInto({ ...none, roomUsdt: dec("5"), found: ZERO, allowed: ZERO, reason: "Why." }).kind).toBe("deny");
  });
});
