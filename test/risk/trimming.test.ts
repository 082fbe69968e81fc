/** What is given up once equity no longer carries the positions. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { RiskSettings } from "../../src/risk/settings.ts";
import { trimOf } from "../../src/risk/trim.ts";
import type { RiskView } from "../../src/risk/view.ts";
import { settings, BTC, position, rules, SOL, symbolRisk, view, X, flight, openOrder } from "./support.ts";

describe("trimming", () => {
  const held = [position(BTC, "LONG", "0.01", "60000"), position(SOL, "LONG", "2", "150")];
  const trimmed = (seen: Partial<RiskView>, change: Partial<RiskSettings> = {}) => {
    const { reductions, ...rest } = trimOf(view(seen), { ...settings, ...change });
    return { ...rest, reductions: reductions.map((one) => [one.symbol, one.leg, one.qty.toFixed(), one.whole]) };
  };

  test("begins when the buffer would be used in a gap, not a cent earlier, and restores what openings spare", () => {
    // Loss in the gap 148.80; the floor and the buffer leave equity - 820.
    const spared = { openingSpareUsdt: dec("10") };
    expect(trimmed({ positions: held, equityUsdt: dec("968.80") }, spared).reason).toBe("");
    expect(trimmed({ positions: held, equityUsdt: dec("968.79") }, spared)).toEqual({
      cancelOpenings: false,
      reason: "a gap would cost 148.80, and the cushion allows 148.79 USDT",
      // 10.01 too much, at 0.252 a unit of exposure: 39.72 of 300, in lots rounded up.
      reductions: [[SOL, "LONG", "0.265", false]],
    });
  });

  test("gives up the whole of a position whose symbol has no rules: its steps are not known", () => {
    const much = [position(BTC, "LONG", "0.02", "60000"), position(X, "LONG", "100", "10")];
    const symbols = new Map([...view().symbols, [X, symbolRisk(X, "10", { rules: null })]]);
    for (const known of [view().symbols, symbols]) {
      const { reductions } = trimmed({ positions: much, equityUsdt: dec("950"), symbols: known });
      expect(reductions.map(([symbol, , qty, whole]) => [symbol, qty, whole])).toEqual([
        [X, "100", true],
        [BTC, "0.003", false],
      ]);
    }
  });

  test("begins when exposure is above the phase's leverage", () => {
    const much = [position(BTC, "LONG", "0.04", "60000")];
    const noGap = { gapMajors: dec("0.01"), symbols: undefined };
    const seen = { positions: much };
    expect(trimmed({ ...seen, equityUsdt: dec("1200") }, noGap).reason).toBe("");
    // Down to 0.95 of 2 x 1,199: 121.90 too much.
    expect(trimmed({ ...seen, equityUsdt: dec("1199") }, noGap)).toEqual({
      cancelOpenings: false,
      reason: "exposure 2400.00 is above 2398.00 USDT",
      reductions: [[BTC, "LONG", "0.003", false]],
    });
    expect(trimmed({ ...seen, phase: 2, equityUsdt: dec("1199") }, noGap).reason).toBe("");
  });

  test("cancels openings where there are any, at the venue or in flight, and reckons without them", () => {
    const waiting = { positions: held, equityUsdt: dec("958.80"), inFlight: [flight(SOL, "LONG", "10")] };
    expect(trimmed(waiting)).toMatchObject({
      cancelOpenings: true,
      reductions: [[SOL, "LONG", expect.any(String), false]],
    });
    const order = { positions: held.slice(0, 1), equityUsdt: dec("890"), openOrders: [openOrder()] };
    // 600 held need 73.20 of the 70 above the whole buffer; the order goes first, the rest is trimmed to the buffer.
    expect(trimmed(order)).toMatchObject({ cancelOpenings: true, reductions: [[BTC, "LONG", "0.001", false]] });
    const enough = { positions: held.slice(0, 1), equityUsdt: dec("900"), openOrders: [openOrder()] };
    expect(trimmed(enough)).toMatchObject({ cancelOpenings: true, reductions: [] });
  });

  test("gives up the costliest gap first, by value times gap and in contracts", () => {
    const order = (positions: RiskView["positions"], seen: Partial<RiskView> = {}): unknown[] =>
      trimmed({ positions, equityUsdt: dec("815"), ...seen }).reductions.map(([symbol, , , whole]) => [symbol, whole]);
    // 600 x 0.12 = 72 against 300 x 0.25 = 75, and against 270 x 0.25 = 67.5.
    expect(order(held)).toEqual([
      [SOL, true],
      [BTC, true],
    ]);
    const lighter = [position(SOL, "LONG", "1.8", "150"), position(BTC, "LONG", "0.01", "60000")];
    expect(order(lighter)).toEqual([
      [BTC, true],
      [SOL, true],
    ]);
    const contracts = new Map([
      [BTC, symbolRisk(BTC, "60000", { rules: rules(BTC, { contractSize: dec("0.01") }) })],
      [SOL, symbolRisk(SOL, "150")],
    ]);
    expect(
      order([position(BTC, "LONG", "0.1", "60000"), held[1] ?? position(SOL, "LONG", "2", "150")], {
        symbols: contracts,
      }),
    ).toEqual([
      [SOL, true],
      [BTC, true],
    ]);
  });

  test("what cannot be valued goes whole", () => {
    const unknown = position(X, "LONG", "500", "1");
    // The known holding alone is too much already.
    expect(trimmed({ positions: [unknown, ...held], equityUsdt: dec("900") }).reductions[0]).toEqual([
      X,
      "LONG",
      "500",
      true,
    ]);
  });

  test("goes on to the next position only as far as needed", () => {
    // 130 above the buffer's end less 85: SOL whole (75.6) is not quite enough, BTC gives the rest.
    expect(trimmed({ positions: held, equityUsdt: dec("885") }).reductions).toEqual([
      [SOL, "LONG", "2", true],
      [BTC, "LONG", "0.002", false],
    ]);
  });
});
