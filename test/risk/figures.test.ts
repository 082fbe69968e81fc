import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { describeDrill, runDrills } from "../../src/risk/drills.ts";
import { exposureOf } from "../../src/risk/exposure.ts";
import { headroom } from "../../src/risk/headroom.ts";
import { heldLongEnough } from "../../src/risk/limits/pace.ts";
import { review } from "../../src/risk/review.ts";
import { RISK } from "../support/risk.ts";
import { gapFor } from "../../src/risk/settings.ts";
import { trimOf } from "../../src/risk/trim.ts";
import { allow, type Limit } from "../../src/risk/verdict.ts";
import type { RiskView } from "../../src/risk/view.ts";
import { BTC, draft, NOW_MS, openings, position, session, SOL, view } from "./support.ts";

const settings = { ...RISK, openingSpareUsdt: dec("0") };

describe("headroom", () => {
  test("an idle account may open, with these figures", () => {
    const room = headroom(view(), settings);
    expect(room).toMatchObject({ mayOpen: true, reason: "", leverageMax: 2 });
    expect(room.perOrderUsdt.toFixed()).toBe("400");
    expect(room.totalUsdt.toFixed()).toBe("1900");
    expect(room.cushionMajorUsdt.toFixed(2)).toBe("1475.41");
    expect(room.cushionOtherUsdt.toFixed(2)).toBe("714.29");
    expect(room.roundTripCost).toBeCloseTo(2 * 0.000175 + 0.1 / 150, 6);
  });

  test.each<[string, Partial<RiskView>, string]>([
    ["no session", { session: null }, "automation session"],
    ["HOLD", { floorState: "HOLD" }, "may only reduce risk"],
    ["a stream down", { streamsUp: { market: true, user: false } }, "user stream"],
    ["the day's loss", { equityUsdt: dec("930") }, "loss stop"],
    ["too many orders", { ...openings(60) }, "hour"],
    ["nothing left", { session: session({ usedNotional: dec("50000") }) }, "left"],
    ["an unknown holding", { positions: [position("X_PERP_Y_USDT", "LONG", "1", "1")] }, "valued"],
  ])("%s: may not open, and says why", (_name, change, word) => {
    const room = headroom(view(change), settings);
    expect(room.mayOpen).toBe(false);
    expect(room.reason).toContain(word);
  });

  test("what it says and what review does are one: a change of any limit moves both", () => {
    const change = fc.record({
      perOrderEquityShare: fc.integer({ min: 1, max: 60 }).map((n) => dec(n).div(100)),
      bufferUsdt: fc.integer({ min: 0, max: 150 }).map((n) => dec(n)),
      leverageSafety: fc.integer({ min: 10, max: 95 }).map((n) => dec(n).div(100)),
    });
    fc.assert(
      fc.property(change, (changed) => {
        const tuned = { ...settings, ...changed, perSymbolEquityShare: dec("5"), perDirectionEquityShare: dec("5") };
        const seen = view({ session: session({ maxNotionalPerOrder: dec("100000") }) });
        const room = headroom(seen, tuned);
        const reviewed = review(draft({ qty: "0.5" }), seen, allLimits(tuned));
        const value = reviewed.kind === "approved" ? reviewed.draft.order.qty.mul("60120.1002") : dec(0);
        const reported = [room.perOrderUsdt, room.totalUsdt, room.cushionMajorUsdt].reduce((a, b) => (a.lt(b) ? a : b));
        expect(value.lte(reported)).toBe(true);
        expect(reported.sub(value).lte("60.2")).toBe(true);
      }),
      { numRuns: 80 },
    );
  });
});

describe("settings", () => {
  test("majors are insured for less than the others", () => {
    expect([gapFor(settings, BTC), gapFor(settings, SOL), gapFor(settings, "?")].map(String)).toEqual([
      "0.12",
      "0.25",
      "0.25",
    ]);
  });

  test("a change of mind waits for the minimum holding time", () => {
    expect(heldLongEnough(NOW_MS - settings.minHolding + 1, NOW_MS, settings)).toBe(false);
    expect(heldLongEnough(NOW_MS - settings.minHolding, NOW_MS, settings)).toBe(true);
  });
});

describe("trim", () => {
  const held = [position(BTC, "LONG", "0.01", "60000"), position(SOL, "LONG", "2", "150")];

  test("nothing while the cushion holds", () => {
    expect(trimOf(view({ positions: held }), settings)).toEqual({ cancelOpenings: false, reductions: [], reason: "" });
  });

  test("the costliest position goes first, by as many lots as needed", () => {
    // Gap loss: 600 x 0.12 + 300 x 0.25 + 900 x 0.002 = 148.80; equity 950 leaves 130.
    const trim = trimOf(view({ positions: held, equityUsdt: dec("950") }), settings);
    expect(trim.reductions).toMatchObject([{ symbol: SOL, leg: "LONG", whole: false }]);
    expect(trim.reductions[0]?.qty.toFixed()).toBe("0.498");
    expect(trim.reason).toContain("148.80");
  });

  test("with nothing to spare all goes, and openings are cancelled first", () => {
    const flights = [{ clientOrderId: "f", symbol: SOL, leg: "LONG", notionalUsdt: dec("10") }] as const;
    const trim = trimOf(view({ positions: held, equityUsdt: dec("815"), inFlight: flights }), settings);
    expect(trim.cancelOpenings).toBe(true);
    expect(trim.reductions.map(({ symbol, whole }) => [symbol, whole])).toEqual([
      [SOL, true],
      [BTC, true],
    ]);
  });

  test("after the trim the cushion holds, whatever was held", () => {
    const qty = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(qty, qty, fc.integer({ min: 780, max: 1_100 }), (btc, sol, equity) => {
        const positions = [
          position(BTC, "LONG", `0.0${10 + btc}`, "60000"),
          position(SOL, "SHORT", `${1 + sol}`, "150"),
        ];
        const seen = view({ positions, equityUsdt: dec(equity) });
        const cut = new Map(trimOf(seen, settings).reductions.map(({ symbol, qty: part }) => [symbol, part]));
        const left = positions
          .map((one) => ({ ...one, qty: one.qty.sub(cut.get(one.symbol) ?? 0) }))
          .filter((one) => one.qty.gt(0));
        const exposure = exposureOf({ ...seen, positions: left }, settings);
        const bound = left.length === 0 ? dec(0) : dec(equity).sub(820).add(10);
        expect(exposure.lossAtGapUsdt.lte(bound)).toBe(true);
        expect(exposure.grossUsdt.lte(dec(equity).mul(2))).toBe(true);
      }),
    );
  });
});

describe("drills", () => {
  test("under the defaults every guard fires and the sound orders pass, in either mode and phase", () => {
    for (const seen of [view(), view({ hedgeMode: false }), view({ phase: 2 })]) {
      const failed = runDrills(settings, seen).filter((result) => !result.passed);
      expect(failed).toEqual([]);
    }
    expect(runDrills(settings, view())).toHaveLength(allLimits(settings).length + 2);
  });

  test("disabling any one guard fails exactly its drill", () => {
    const limits = allLimits(settings);
    for (const broken of limits) {
      const mutated = limits.map((limit) =>
        limit === broken
          ? { ...limit, judge: () => allow({ limit: limit.name, found: "", allowed: "", reason: "Broken." }) }
          : limit,
      );
      const failed = runDrills(settings, view(), mutated).filter(
        (result) => !result.passed && !["smallest", "typical"].includes(result.drill),
      );
      expect(failed.map((result) => result.drill)).toEqual([broken.name]);
    }
  });

  test("settings that block every order are found at start", () => {
    const blocking = { ...settings, perOrderEquityShare: dec("0.001") };
    const failed = runDrills(blocking, view()).filter((result) => !result.passed);
    expect(failed.map((result) => result.drill)).toContain("smallest");
    expect(failed[0]).toMatchObject({ passed: false, verdict: { limit: "per-order-notional" } });
    expect(failed.map(describeDrill)[0]).toMatch(/^the smallest sound order is refused by per-order-notional: /);
  });

  test("a consent too small for any order is found at start, one that fits is not", () => {
    const failedWith = (perOrder: string): readonly string[] =>
      runDrills(settings, { ...view(), caps: { perOrderUsdt: dec(perOrder), totalUsdt: dec("20000") } })
        .filter((result) => !result.passed)
        .map((result) => result.drill);
    expect(failedWith("400")).toEqual([]);
    expect(failedWith("25")).toEqual([]);
    expect(failedWith("4")).toEqual(["smallest", "typical"]);
  });

  test("a limit that lets pass what it says it must refuse counts as failed", () => {
    const extra: Limit = {
      name: "new-limit",
      judge: () => allow({ limit: "new-limit", found: "", allowed: "", reason: "." }),
      spoil: (scene) => scene,
    };
    const results = runDrills(settings, view(), [...allLimits(settings), extra]);
    expect(results.at(-1)).toMatchObject({ drill: "new-limit", passed: false });
  });
});
