/** The floor ladder: which equity leads to which rung, and back. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { equityQuorum, nextFloor, rungOf } from "../../src/risk/floor.ts";
import { settings } from "./support.ts";

describe("the ladder", () => {
  test.each([
    ["880", "NORMAL"],
    ["879.99", "WARN"],
    ["850", "WARN"],
    ["849.99", "HOLD"],
    ["820", "HOLD"],
    ["819.99", "FLATTEN"],
  ])("equity %s stands on %s", (equity, rung) => {
    expect(rungOf(dec(equity), settings)).toBe(rung);
  });

  const all = (rest: string, stream = rest, own = rest) => ({ rest: dec(rest), stream: dec(stream), own: dec(own) });
  const lone = (rest: string) => ({ rest: dec(rest), stream: null, own: null });

  test("WARN ends half a percent above its level and HOLD at it", () => {
    const next = (from: "WARN" | "HOLD", equity: string): string => nextFloor(from, all(equity), settings).state;
    expect([next("WARN", "884.39"), next("WARN", "884.4")]).toEqual(["WARN", "NORMAL"]);
    expect([next("HOLD", "879.99"), next("HOLD", "880")]).toEqual(["HOLD", "NORMAL"]);
  });

  test("what cannot be valued leaves the ladder where it is below holdUsdt, and is no way out of HOLD", () => {
    const next = (from: "NORMAL" | "WARN" | "HOLD", equity: string, under = settings): string =>
      nextFloor(from, all(equity), under, null).state;
    expect([next("NORMAL", "840"), next("WARN", "840"), next("HOLD", "840")]).toEqual(["HOLD", "WARN", "HOLD"]);
    expect([next("WARN", "819"), next("HOLD", "819")]).toEqual(["FLATTEN", "FLATTEN"]);
    expect(nextFloor("WARN", lone("840"), settings).state).toBe("WARN");
    expect(next("WARN", "840", { ...settings, holdEquityShare: dec("0") })).toBe("HOLD");
  });

  test("an account that holds little leaves HOLD with a small allowance, and keeps it up to twice that", () => {
    const next = (from: "NORMAL" | "WARN" | "HOLD", equity: string, held: string): string =>
      nextFloor(from, all(equity), settings, dec(held)).state;
    expect([next("HOLD", "840", "84"), next("HOLD", "840", "84.01"), next("HOLD", "821", "0")]).toEqual([
      "WARN",
      "HOLD",
      "WARN",
    ]);
    expect([next("WARN", "840", "168"), next("WARN", "840", "168.01"), next("WARN", "819", "0")]).toEqual([
      "WARN",
      "HOLD",
      "FLATTEN",
    ]);
    expect([next("NORMAL", "840", "0"), next("HOLD", "860", "0"), next("HOLD", "860", "300")]).toEqual([
      "HOLD",
      "WARN",
      "HOLD",
    ]);
    expect(nextFloor("HOLD", all("840"), settings, dec("0")).reason).toBe(
      "equity 840 moves HOLD to WARN, with an allowance of 84 USDT",
    );
    expect(nextFloor("HOLD", lone("840"), settings, dec("0")).state).toBe("HOLD");
    const none = { ...settings, holdEquityShare: dec("0") };
    expect(nextFloor("HOLD", all("840"), none, dec("0")).state).toBe("HOLD");
  });

  test("no equity between the buffer and HOLD leaves a flat account without an allowance for good", () => {
    for (let cents = 82_000; cents < 88_000; cents += 25) {
      const equity = dec(cents).div(100).toFixed();
      const first = nextFloor("NORMAL", all(equity), settings, dec("0")).state;
      const second = nextFloor(first, all(equity), settings, dec("0")).state;
      expect([equity, second]).toEqual([equity, "WARN"]);
    }
  });

  test("reports each change, and nothing where nothing changes", () => {
    expect(nextFloor("NORMAL", all("879.994"), settings)).toEqual({
      state: "WARN",
      equityUsdt: dec("879.994"),
      agreed: true,
      reason: "equity 879.99 moves NORMAL to WARN",
    });
    expect(nextFloor("NORMAL", all("1000"), settings).reason).toBe("");
    expect(nextFloor("NORMAL", all("0", "849", "849"), settings).reason).toBe(
      "equity 849 moves NORMAL to HOLD; rest 0 disagrees with stream 849, own 849",
    );
    expect(nextFloor("NORMAL", lone("900"), settings)).toMatchObject({ reason: "only rest 900 is known" });
  });

  test("a lone reading moves it down as far as HOLD, and never up", () => {
    const next = (from: "NORMAL" | "WARN" | "HOLD" | "FLATTEN" | "HALT", equity: string): string =>
      nextFloor(from, lone(equity), settings).state;
    expect([next("NORMAL", "870"), next("NORMAL", "840"), next("NORMAL", "500")]).toEqual(["WARN", "HOLD", "HOLD"]);
    expect([next("HOLD", "870"), next("FLATTEN", "500"), next("HALT", "500")]).toEqual(["HOLD", "FLATTEN", "HALT"]);
    expect([next("WARN", "1000"), next("HOLD", "1000")]).toEqual(["WARN", "HOLD"]);
  });

  test("readings agree within three percent of the larger, or within one USDT", () => {
    const agreed = (a: string, b: string): boolean =>
      equityQuorum({ rest: dec(a), stream: dec(b), own: null }, settings).agreed;
    expect([agreed("1000", "970"), agreed("1000", "969.99"), agreed("970", "1000")]).toEqual([true, false, true]);
    expect([agreed("1", "0"), agreed("1.01", "0"), agreed("-0.5", "0.5"), agreed("-100", "-97")]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test("says what it believes and why", () => {
    const none = { rest: null, stream: null, own: null };
    expect(equityQuorum(all("1000", "1001", "999"), settings)).toEqual({
      equityUsdt: dec("999"),
      agreed: true,
      reason: "",
    });
    expect(equityQuorum(all("1000", "500", "100.126"), settings)).toEqual({
      equityUsdt: null,
      agreed: false,
      reason: "the readings disagree: rest 1000, stream 500, own 100.13",
    });
    expect(equityQuorum(none, settings)).toEqual({ equityUsdt: null, agreed: false, reason: "no reading of equity" });
    expect(equityQuorum(lone("900"), settings)).toEqual({
      equityUsdt: dec("900"),
      agreed: false,
      reason: "only rest 900 is known",
    });
    expect(equityQuorum(lone("0"), settings)).toMatchObject({ equityUsdt: null, reason: "only rest 0 is known" });
  });
});
