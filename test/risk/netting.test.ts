/** A coin held both ways: its larger side counts whole, its smaller one with what the two may move apart. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { exposureOf } from "../../src/risk/exposure.ts";
import { cushionRoom } from "../../src/risk/limits/cushion.ts";
import { review } from "../../src/risk/review.ts";
import { gapFor } from "../../src/risk/settings.ts";
import { trimOf } from "../../src/risk/trim.ts";
import type { RiskView } from "../../src/risk/view.ts";
import { draft, flight, position, session, settings, short, symbolRisk, text, view } from "./support.ts";

const COINS = ["BTC", "SOL"] as const;
const on = (exchange: "A" | "B", base: string): string => perpSymbol(`EXCHANGE_${exchange}`, base);
const [HERE, THERE] = [on("A", "BTC"), on("B", "BTC")];

const lossOf = (change: Partial<RiskView>): number => exposureOf(view(change), settings).lossAtGapUsdt.toNumber();

describe("the loss in the gap", () => {
  test("counts the smaller side of a coin with the residual, on whichever exchanges the sides are", () => {
    const pair = [flight(HERE, "LONG", "600", "a"), flight(THERE, "SHORT", "500", "b")];
    // 600 x 0.12 + 500 x 0.04 + 1100 x 0.002
    expect(lossOf({ inFlight: pair })).toBeCloseTo(94.2, 9);
    const sameWay = [flight(HERE, "LONG", "600", "a"), flight(THERE, "LONG", "500", "b")];
    expect(lossOf({ inFlight: sameWay })).toBeCloseTo(134.2, 9);
  });

  test("nets no coin against another", () => {
    const two = [flight(HERE, "LONG", "600", "a"), flight(on("B", "SOL"), "SHORT", "500", "b")];
    expect(lossOf({ inFlight: two })).toBeCloseTo(600 * 0.12 + 500 * 0.25 + 2.2, 9);
  });

  interface Side {
    readonly symbol: string;
    readonly leg: "LONG" | "SHORT";
    readonly usdt: number;
    /** Whether this side is still there, or was ever filled, when the gap comes. */
    readonly stands: boolean;
    /** How far it is from its coin, as a share of the residual. */
    readonly apart: number;
  }
  const side = fc.record({
    symbol: fc.constantFrom(...COINS.flatMap((base) => [on("A", base), on("B", base)])),
    leg: fc.constantFrom("LONG" as const, "SHORT" as const),
    usdt: fc.integer({ min: 1, max: 3_000 }),
    stands: fc.boolean(),
    apart: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const share = fc.double({ min: -1, max: 1, noNaN: true });

  test("is never below what the declared moves can cost, whichever of the sides are left by then", () => {
    fc.assert(
      fc.property(fc.array(side, { maxLength: 8 }), share, share, (sides: readonly Side[], moveBtc, moveSol) => {
        const stated = lossOf({
          inFlight: sides.map(({ symbol, leg, usdt }, at) => flight(symbol, leg, `${usdt}`, `${at}`)),
        });
        const residual = settings.gapHedged.toNumber();
        const lost = sides.reduce((sum, { symbol, leg, usdt, stands, apart }) => {
          if (!stands) return sum;
          const gap = gapFor(settings, symbol).toNumber();
          const moves = (symbol.includes("BTC") ? moveBtc : moveSol) * gap;
          // Of two symbols of a coin one moves as the coin does, and the other up to the residual from it.
          const off = symbol.startsWith("EXCHANGE_B") ? (leg === "LONG" ? -1 : 1) * apart * residual : 0;
          const by = Math.max(-gap, Math.min(gap, moves + off));
          return sum + (leg === "LONG" ? -by : by) * usdt + usdt * settings.exitCost.toNumber();
        }, 0);
        expect(lost).toBeLessThanOrEqual(stated + 1e-6);
      }),
      { numRuns: 2_000 },
    );
  });

  test("never falls when anything is added", () => {
    fc.assert(
      fc.property(fc.array(side, { minLength: 1, maxLength: 8 }), (sides: readonly Side[]) => {
        const all = sides.map(({ symbol, leg, usdt }, at) => flight(symbol, leg, `${usdt}`, `${at}`));
        expect(lossOf({ inFlight: all.slice(1) })).toBeLessThanOrEqual(lossOf({ inFlight: all }));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a market-neutral book", () => {
  const symbols = new Map([HERE, THERE].map((symbol) => [symbol, symbolRisk(symbol, "60000")]));
  const wide = { ...settings, perOrderEquityShare: dec("1"), perSymbolEquityShare: dec("1") };
  const held: Partial<RiskView> = {
    symbols,
    universe: [HERE, THERE],
    session: session({ symbols: [HERE, THERE], maxNotionalPerOrder: dec("5000") }),
    accounts: new Map(
      ["EXCHANGE_A", "EXCHANGE_B"].map((name) => [name, { availableUsdt: dec("1000"), hedgeMode: true }]),
    ),
    positions: [position(HERE, "LONG", "0.015", "60000")],
  };
  const other = draft({ ...short, symbol: THERE, qty: "0.015" }, { stop: "61000" });

  test("opens at a size at which two unhedged positions would not", () => {
    const qtyUnder = (risk: typeof settings): string => {
      const outcome = review(other, view(held), allLimits(risk));
      return outcome.kind === "approved" ? outcome.draft.order.qty.toFixed() : JSON.stringify(outcome.verdicts);
    };
    expect(qtyUnder(wide)).toBe("0.015");
    expect(Number(qtyUnder({ ...wide, gapHedged: wide.gapMajors }))).toBeLessThan(0.01);
  });

  test("has room at the residual for its other side, and at the whole gap beyond it", () => {
    const seen = view({ ...held, equityUsdt: dec("950") });
    const exposure = exposureOf(seen, settings);
    const left = dec("950").sub(820).sub(settings.openingSpareUsdt).sub(exposure.lossAtGapUsdt);
    expect(text(cushionRoom(seen, settings, dec("0.12"), dec("100")))).toBe(
      text(left.sub(dec("4.2")).div("0.122").add(100)),
    );
    expect(text(cushionRoom(seen, settings, dec("0.12"), dec("5000")))).toBe(text(left.div("0.042")));
  });

  test("is reduced on both sides, as reducing one of them spares little", () => {
    const positions = [position(HERE, "LONG", "0.015", "60000"), position(THERE, "SHORT", "0.015", "60000")];
    const { reductions } = trimOf(view({ ...held, positions, equityUsdt: dec("960") }), settings);
    expect(reductions.map(({ symbol }) => symbol)).toEqual([HERE, THERE]);
    const [one, two] = reductions.map(({ qty }) => qty.toNumber()) as [number, number];
    expect(Math.abs(one - two)).toBeLessThanOrEqual(0.003);
    const left = positions.map((each, at) => ({ ...each, qty: each.qty.sub(reductions[at]?.qty ?? 0) }));
    expect(trimOf(view({ ...held, positions: left, equityUsdt: dec("960") }), settings).reason).toBe("");
  });
});
