/** A decimal of a few digits becomes a float without its text; it must be the float that the text would give. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Decimal, toFloat } from "../../src/core/decimal.ts";

it("gives the float nearest to the decimal, for figures of every length and size", () => {
  const figure = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.integer({ min: 0, max: 24 }),
      fc.integer({ max: 9, min: -30 }),
    )
    .map(([whole, digits, power]) => new Decimal(`${whole / 10n ** BigInt(digits)}e${power}`));
  fc.assert(
    fc.property(figure, (value) => {
      expect(toFloat(value)).toBe(Number(value.toString()));
    }),
    { numRuns: 2_000 },
  );
  for (const special of ["0", "-0", "NaN", "Infinity", "-Infinity"])
    expect(toFloat(new Decimal(special))).toBe(Number(special));
});
