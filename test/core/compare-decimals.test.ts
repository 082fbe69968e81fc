/** Comparisons and ratios that spare the library's copies: each must give what the library gives. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Decimal, floatRatio, maxDecimal, minDecimal } from "../../src/core/decimal.ts";

const figure = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([digits, places, short]) => new Decimal(`${digits / 10n ** BigInt(short * 6)}e-${places}`));
/** Also pairs that share their first digits, their exponent or everything. */
const pair = fc.oneof(
  fc.tuple(figure, figure),
  figure.map((one) => [one, new Decimal(one)] as const),
  fc.tuple(figure, fc.constantFrom("1e-18", "-1e-9", "1")).map(([one, by]) => [one, one.add(by)] as const),
  figure.map((one) => [one, one.neg()] as const),
);
const SPECIALS = ["NaN", "Infinity", "-Infinity", "0", "-0", "1", "-1"].map((text) => new Decimal(text));

test("decimals compare as their difference says, with decimals, numbers and text", () => {
  fc.assert(
    fc.property(pair, ([one, other]) => {
      const difference = one.sub(other);
      const order = difference.isZero() ? 0 : difference.s;
      expect(one.cmp(other)).toBe(order);
      expect(one.cmp(other.toFixed())).toBe(order);
      expect([one.gt(other), one.lt(other), one.eq(other)]).toEqual([order > 0, order < 0, order === 0]);
      expect([one.gte(other), one.lte(other)]).toEqual([order >= 0, order <= 0]);
      expect(one.gt(0)).toBe(!one.isZero() && one.s > 0);
    }),
  );
});

test("what is no figure compares as in floats", () => {
  for (const one of SPECIALS)
    for (const other of SPECIALS) {
      const [left, right] = [one.toNumber(), other.toNumber()];
      expect(one.cmp(other)).toBe(left > right ? 1 : left < right ? -1 : left === right ? 0 : NaN);
      expect(one.gt(0)).toBe(left > 0);
    }
});

test("the least and the greatest are those of the library", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(figure, fc.constantFrom(...SPECIALS)), { minLength: 1, maxLength: 5 }), (values) => {
      const [first, ...rest] = values as [Decimal, ...Decimal[]];
      expect(minDecimal(first, ...rest).toNumber()).toBe(Decimal.min(...values).toNumber());
      expect(maxDecimal(first, ...rest).toNumber()).toBe(Decimal.max(...values).toNumber());
    }),
  );
});

test("a ratio is the float nearest to the quotient", () => {
  fc.assert(
    fc.property(pair, ([value, unit]) => {
      expect(floatRatio(value, unit)).toBe(value.div(unit).toNumber());
      const price = unit.abs().toDecimalPlaces(4).add("0.0001");
      const spread = value.abs().mod(10).toDecimalPlaces(4);
      expect(floatRatio(spread, price)).toBe(spread.div(price).toNumber());
    }),
  );
  for (const special of SPECIALS) expect(floatRatio(special, new Decimal(0))).toBe(special.div(0).toNumber());
});
