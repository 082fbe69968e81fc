/** The way of a price through a bar: within its range, through both extremes, and through every price that was seen. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BarPrices, knownPrices, pathOf, priceOn } from "../../src/lab/fast/bar-path.ts";

const BAR: BarPrices = { open: 100, high: 104, low: 98, close: 101 };
const prices = (path: readonly { readonly price: number }[]) => path.map(({ price }) => price);

describe("a bar with only its four prices", () => {
  test("goes to the extreme against the position first; without one, to the low first when it rises", () => {
    expect(prices(pathOf(BAR, 1, []))).toEqual([100, 98, 104, 101]);
    expect(prices(pathOf(BAR, -1, []))).toEqual([100, 104, 98, 101]);
    expect(prices(pathOf(BAR, 0, []))).toEqual([100, 98, 104, 101]);
    expect(prices(pathOf({ ...BAR, close: 99 }, 0, []))).toEqual([100, 104, 98, 99]);
  });

  test("moves in straight lines and stays at its ends outside", () => {
    const path = pathOf(BAR, 1, []);
    expect([0, 0.15, 0.3, 0.65, 1].map((share) => priceOn(path, share))).toEqual([100, 99, 98, 104, 101]);
    expect([priceOn(path, -1), priceOn(path, 2)]).toEqual([100, 101]);
    expect(priceOn([], 0.5)).toBeNaN();
  });
});

describe("a bar in which prices were seen", () => {
  test("reaches each extreme where the detour is shortest", () => {
    const path = pathOf(BAR, 1, [{ share: 0.5, price: 103 }]);
    // 98 lies next to the open; 104 costs the same before and after 103.
    expect(prices(path)).toEqual([100, 98, 104, 103, 101]);
    expect(priceOn(path, 0.5)).toBe(103);
    expect(prices(pathOf(BAR, 1, [{ share: 0.4, price: 98 }]))).toEqual([100, 98, 104, 101]);
  });

  test("a price beyond its range counts as the extreme: a quote is not a trade", () => {
    expect(prices(pathOf(BAR, 1, [{ share: 0.5, price: 110 }]))).toEqual([100, 98, 104, 101]);
  });

  test("both extremes are reached, nothing lies outside, and the way leads through all that was seen", () => {
    // Sightings have whole milliseconds, so between any two there is room for an extreme.
    const share = fc.integer({ min: 600, max: 59_400 }).map((ms) => ms / 60_000);
    const seen = fc.array(fc.record({ share, price: fc.integer({ min: 98, max: 104 }) }), { maxLength: 5 });
    fc.assert(
      fc.property(seen, fc.constantFrom(-1, 0, 1), (found, leaning) => {
        const known = [...new Map(found.map((each) => [each.share, each])).values()].sort((a, b) => a.share - b.share);
        const path = pathOf(BAR, leaning, known);
        expect(Math.max(...prices(path))).toBe(104);
        expect(Math.min(...prices(path))).toBe(98);
        expect(path.every(({ share }, at) => at === 0 || share > (path[at - 1]?.share ?? 1))).toBe(true);
        for (const { share, price } of known) expect(priceOn(path, share)).toBeCloseTo(price, 9);
      }),
    );
  });

  test("only sightings within the bar count, as shares of its length", () => {
    const known = knownPrices([0, 60_000, 75_000, 90_000, 120_000].map((atMs) => ({ atMs, price: atMs })));
    expect(known.within(60_000, 60_000)).toEqual([
      { share: 0.25, price: 75_000 },
      { share: 0.5, price: 90_000 },
    ]);
    expect(known.within(600_000, 60_000)).toEqual([]);
  });
});
