/** Rounding to a power of ten takes a short cut; it must lead to the same place as division. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Decimal, quantize, roundToStep, type Rounding } from "../../src/core/decimal.ts";

const MODES = { down: Decimal.ROUND_FLOOR, up: Decimal.ROUND_CEIL, nearest: Decimal.ROUND_HALF_UP } as const;

it("agrees with the division it spares, for steps of every kind", () => {
  const figure = fc
    .tuple(fc.bigInt({ min: -(10n ** 34n), max: 10n ** 34n }), fc.integer({ min: 0, max: 30 }))
    .map(([whole, places]) => new Decimal(`${whole}e-${places}`));
  const step = fc.constantFrom("0.00000001", "0.001", "0.01", "0.05", "0.1", "0.25", "1", "3", "10", "100");
  const rounding = fc.constantFrom<Rounding>("down", "up", "nearest");
  fc.assert(
    fc.property(figure, step, rounding, (value, text, how) => {
      const size = new Decimal(text);
      const divided = value.div(size).toDecimalPlaces(0, MODES[how]).mul(size);
      expect(roundToStep(value, size, how).toFixed()).toBe(divided.toFixed());
    }),
  );
});

it("quantizes a float to the multiple that its exact figure rounds to, in the form the library gives it", () => {
  const value = fc.oneof(
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100),
  );
  const step = fc.constantFrom("0.00000001", "0.0000001", "0.00001", "0.001", "0.05", "0.1", "1", "3", "100");
  const rounding = fc.constantFrom<Rounding>("down", "up", "nearest");
  fc.assert(
    fc.property(value, step, rounding, (one, text, how) => {
      const found = quantize(one, new Decimal(text), how);
      const exact = roundToStep(new Decimal(one), new Decimal(text), how);
      if (!exact.isZero()) expect(found).toEqual(new Decimal(exact.toFixed()));
      else expect(found.isZero()).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
