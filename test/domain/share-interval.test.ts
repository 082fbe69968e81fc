/** Wilson's interval against published figures, and at its ends. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { shareInterval } from "../../src/domain/share-interval.ts";

test("gives the known bounds of one in ten, none in ten and all of ten", () => {
  const bounds = (hits: number, count: number) =>
    Object.values(shareInterval(hits, count)).map((bound) => Number(bound).toFixed(3));
  expect(bounds(1, 10)).toEqual(["0.018", "0.404"]);
  expect(bounds(0, 10)).toEqual(["0.000", "0.278"]);
  expect(bounds(10, 10)).toEqual(["0.722", "1.000"]);
  expect(bounds(0, 0)).toEqual(["0.000", "1.000"]);
});

test("holds the share that was counted, and narrows with the count", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 500 }), (count, drawn) => {
      const hits = Math.min(count, drawn);
      const { low, high } = shareInterval(hits, count);
      expect(low).toBeLessThanOrEqual(hits / count + 1e-12);
      expect(high).toBeGreaterThanOrEqual(hits / count - 1e-12);
      const larger = shareInterval(hits * 10, count * 10);
      expect(larger.high - larger.low).toBeLessThan(high - low + 1e-12);
    }),
  );
});
