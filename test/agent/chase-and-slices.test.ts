/** The arithmetic of chasing and slicing, for drawn prices, sizes and books. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { chaseStep, entryBound, worseThan } from "../../src/agent/execute/chase.ts";
import { isEnough, nextSlice, smallestQty } from "../../src/agent/execute/slices.ts";
import { dec, Decimal, isMultipleOf } from "../../src/core/decimal.ts";

const positionSide = fc.constantFrom("LONG" as const, "SHORT" as const);
const tick = fc.constantFrom("0.1", "0.01", "0.0005", "1").map(dec);
const steps = (most: number) => fc.integer({ min: 1, max: most });

test("an entry follows only a price that ran away, to a price of the book, within its bound, not too often", () => {
  const given = fc.record({
    leg: positionSide,
    tick,
    decided: steps(100_000),
    price: steps(100_000),
    best: fc.option(steps(100_000)),
    chases: fc.integer({ min: 0, max: 5 }),
    agoMs: fc.integer({ min: 0, max: 12_000 }),
    restsMs: fc.integer({ min: 0, max: 60_000 }),
    bps: fc.integer({ min: 0, max: 500 }),
    sigmaHour: fc.option(fc.double({ min: 0.0001, max: 0.1, noNaN: true })),
  });
  fc.assert(
    fc.property(given, ({ leg: positionSide, tick, sigmaHour, bps, chases, ...it }) => {
      const at = (count: number): Decimal => tick.mul(count);
      const decided = at(it.decided).toNumber();
      const bound = entryBound(
        positionSide,
        { decided, sigmaHour, tick },
        { maxDistanceBps: bps, maxDistanceSigma: 0.3 },
      );
      expect(isMultipleOf(bound, tick)).toBe(true);
      expect(Math.abs(bound.toNumber() - decided)).toBeLessThanOrEqual((decided * bps) / 10_000 + 1e-9 * decided);
      const [price, best] = [at(it.price), it.best === null ? null : at(it.best)];
      const step = chaseStep({
        leg: positionSide,
        nowMs: 100_000,
        price,
        best,
        bound,
        chases,
        pricedAtMs: 100_000 - it.agoMs,
        deadlineMs: 100_000 - it.restsMs + 30_000,
        settings: { chases: 3, chaseEvery: 5_000 },
      });
      if (it.restsMs >= 30_000) expect(step.kind).toBe("end");
      if (step.kind !== "reprice") return;
      expect(best?.eq(step.price)).toBe(true);
      expect(worseThan(positionSide, step.price, price)).toBe(true);
      expect(worseThan(positionSide, step.price, bound)).toBe(false);
      expect(chases).toBeLessThan(3);
      expect(it.agoMs).toBeGreaterThanOrEqual(5_000);
    }),
    { numRuns: 500 },
  );
});

test("slices add up to the whole, in whole lots, none too small, and only the last beyond the depth", () => {
  const rules = fc.record({
    lotSize: fc.constantFrom("0.001", "1", "0.5").map(dec),
    minLots: steps(20),
    minNotional: fc.constantFrom("5", "20", "100").map(dec),
    contractSize: fc.constantFrom("1", "0.01").map(dec),
  });
  const given = fc.record({
    rules,
    price: fc.constantFrom("0.05", "8.2", "60000").map(dec),
    lots: steps(50_000),
    depths: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 5 }),
    share: fc.constantFrom(0.01, 0.25, 1),
    minUsdt: fc.constantFrom("10", "50").map(dec),
  });
  fc.assert(
    fc.property(given, ({ rules: { minLots, ...some }, price, lots, depths, share, minUsdt }) => {
      const rules = { ...some, minSize: some.lotSize.mul(minLots) };
      const smallest = smallestQty(price, rules);
      for (const qty of [lots, 1, 2].map((count) => rules.lotSize.mul(count)).concat(smallest))
        expect(isEnough(qty, price, rules)).toBe(qty.gte(smallest));
      const whole = Decimal.max(rules.lotSize.mul(lots), smallest);
      let left = whole;
      let sum = dec("0");
      for (let i = 0; left.gt(0) && i < 200; i++) {
        const depthUsdt = depths[i % depths.length] ?? 0;
        const settings = { depthShare: share, minUsdt };
        const slice = nextSlice({ left, price, rules, depthUsdt, settings });
        expect(isMultipleOf(slice, rules.lotSize)).toBe(true);
        expect(slice.gte(smallest)).toBe(true);
        const worth = slice.mul(price).mul(rules.contractSize);
        const most = Decimal.max(dec(depthUsdt).mul(share), minUsdt, smallest.mul(price).mul(rules.contractSize));
        // The last slice may carry what would be too small to stand alone.
        if (slice.lt(left)) expect(worth.lte(most)).toBe(true);
        else expect(worth.lte(most.add(smallest.mul(price).mul(rules.contractSize)))).toBe(true);
        left = left.sub(slice);
        sum = sum.add(slice);
      }
      expect(left.gt(0) ? sum.lt(whole) : sum.eq(whole)).toBe(true);
    }),
    { numRuns: 120 },
  );
});

test("nothing is cut where it is switched off, and where nothing is known of the book", () => {
  const rules = { lotSize: dec("1"), minSize: dec("1"), minNotional: dec("5"), contractSize: dec("1") };
  const of = (depthShare: number, depthUsdt: number | null) =>
    nextSlice({ left: dec("100"), price: dec("10"), rules, depthUsdt, settings: { depthShare, minUsdt: dec("50") } });
  expect(of(0, 10).toFixed()).toBe("100");
  expect(of(0.5, null).toFixed()).toBe("100");
  expect(of(0.5, 400).toFixed()).toBe("20");
  expect(of(0.5, 0).toFixed()).toBe("5");
});
