/** Whole numbers say what decimals say, to the last digit, or leave it to them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, toWire, ZERO } from "../../../../src/core/decimal.ts";
import { moneyOf, Sum, toDecimal } from "../../../../src/sim/exchange/state/amount.ts";
import { averageEntry, joinAverage, profitOf } from "../../../../src/sim/exchange/positions/average.ts";
import { priceOf, roundMoney, roundPrice } from "../../../../src/sim/exchange/state/figures.ts";
import { scaleOf } from "../../../../src/sim/exchange/positions/gauge.ts";
import { idOf, numberOf } from "../../../../src/sim/exchange/state/ids.ts";
import { newPosition } from "../../../../src/sim/exchange/positions/positions.ts";
import { Rows } from "../../../../src/sim/exchange/state/rows.ts";
import { newWorld } from "../../../../src/sim/exchange/world.ts";
import { SOL, spec, T0 } from "../venue.ts";

const whole = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
const steps = fc.constantFrom("0.00000175", "0.0000875", "1e-9", "0.05", "12", "0.000000000001", "0.00000000000035");

describe("amounts", () => {
  test("are rounded half away from zero, as decimals are", () => {
    fc.assert(
      fc.property(whole, steps, (amount, text) => {
        const step = dec(Number(text));
        const found = moneyOf(amount, scaleOf(step));
        if (found !== null) expect(toWire(toDecimal(found))).toBe(toWire(roundMoney(step.mul(amount))));
      }),
      { numRuns: 3000 },
    );
    expect([5, -5, 4, 15].map((amount) => moneyOf(amount, scaleOf(dec("0.000000001"))))).toEqual([1, -1, 0, 2]);
    expect(moneyOf(2 ** 52, scaleOf(dec("0.000000011")))).toBe(null);
  });

  test("add up exactly, whole and decimal, far beyond what a float holds", () => {
    const large = fc.oneof(whole, fc.maxSafeInteger());
    const any = fc.oneof(
      large,
      whole.map((units) => dec("0.0000000001").mul(units)),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (parts) => {
        const sum = new Sum();
        let wanted = ZERO;
        for (const part of parts) {
          sum.add(part);
          wanted = wanted.add(toDecimal(part));
        }
        expect(toWire(sum.value)).toBe(toWire(wanted));
        expect(toWire(toDecimal(sum.money))).toBe(toWire(wanted));
        expect(sum.value).toBe(sum.value);
      }),
    );
  });
});

describe("average entries", () => {
  const ticks = fc.integer({ min: 1, max: 2_000_000 });
  const fill = fc.tuple(ticks, fc.integer({ min: 1, max: 500_000 }));
  const tickSizes = fc.constantFrom("0.1", "0.00001", "0.5", "0.0000001");

  test("and profits are those of decimals, fill after fill", () => {
    fc.assert(
      fc.property(fc.array(fill, { minLength: 1, maxLength: 12 }), tickSizes, fill, (fills, tick, [exit, lots]) => {
        const rules = { tickSize: dec(tick), pricePrecision: 7, lotSize: dec("0.001") };
        const world = newWorld({ symbols: [spec(SOL, rules)], phase: 2, startMs: T0 });
        const instrument = world.instruments.get(SOL);
        if (instrument === undefined) throw new Error("the venue carries SOL");
        const position = newPosition(world, "LONG");
        let average = ZERO;
        for (const [price, added] of fills) {
          const held = position.lots;
          const paid = average.mul(held).add(priceOf(instrument, price).mul(added));
          average = held === 0 ? priceOf(instrument, price) : roundPrice(paid.div(held + added));
          joinAverage(instrument, position, added, price);
          position.lots += added;
          expect(toWire(averageEntry(instrument, position))).toBe(toWire(average));
        }
        const profit = roundMoney(priceOf(instrument, exit).sub(average).mul(instrument.lotBase).mul(lots));
        expect(toWire(toDecimal(profitOf(instrument, position, lots, exit)))).toBe(toWire(profit));
      }),
      { numRuns: 400 },
    );
  });
});

test("ids are read back as the numbers they were made of, and nothing else is one", () => {
  for (const no of [1, 9_999, 10_000, 123_456_789, 10 ** 12]) expect(numberOf(idOf(no))).toBe(no);
  for (const text of ["", "2190000000000000", "2200000000000001", "219000000000000x", "21900000000000001"]) {
    expect([text, numberOf(text)]).toEqual([text, 0]);
  }
});

test("rows keep their numbers while the oldest are forgotten", () => {
  const rows = new Rows(2);
  for (let i = 0; i < 1_000; i++) {
    rows.add();
    rows.cells[rows.at] = i;
    while (rows.hasMoreThan(300)) rows.dropBlock();
  }
  expect(rows.length).toBeGreaterThanOrEqual(300);
  expect(rows.length).toBeLessThan(300 + 256);
  for (let row = rows.first; row < rows.end; row++) expect(rows.read(row)[0]).toBe(row);
});
