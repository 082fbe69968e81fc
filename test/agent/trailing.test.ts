import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, isMultipleOf, ONE, quantize } from "../../src/core/decimal.ts";
import {
  breakEvenPrice,
  clearOf,
  type HeldStop,
  nextStop,
  saferThan,
  type TrailRules,
} from "../../src/agent/books/trailing.ts";

const OFF: TrailRules = { breakEvenAfter: 0, activation: 0, distance: 0 };
const held = (change: Partial<HeldStop> = {}): HeldStop => ({
  side: "LONG",
  entry: dec("60000"),
  stop: dec("58800"),
  mark: dec("61000"),
  best: dec("61000"),
  entryFee: dec("0.0005"),
  exitFee: dec("0.0005"),
  tick: dec("0.1"),
  ...change,
});

describe("a stop", () => {
  test("stays while every rule is off, and before the price is far enough in favour", () => {
    expect(nextStop(held(), OFF, 0.001)).toBeNull();
    expect(nextStop(held(), { breakEvenAfter: 0.02, activation: 0.02, distance: 0.01 }, 0.001)).toBeNull();
  });

  test("goes to break-even, which is the entry and the fees of both sides", () => {
    const move = nextStop(held(), { ...OFF, breakEvenAfter: 0.015 }, 0.001);
    expect(move?.why).toBe("break-even");
    expect(move?.stop.toFixed()).toBe("60060.1");
    const short = held({ side: "SHORT", stop: dec("61200"), mark: dec("59000"), best: dec("59000") });
    expect(nextStop(short, { ...OFF, breakEvenAfter: 0.015 }, 0.001)?.stop.toFixed()).toBe("59940");
  });

  test("follows the best price at its distance, and takes the safer of two rules", () => {
    const rules = { breakEvenAfter: 0.01, activation: 0.01, distance: 0.01 };
    const move = nextStop(held({ best: dec("62000"), mark: dec("61900") }), rules, 0.001);
    expect(move?.why).toBe("trailing");
    expect(move?.stop.toFixed()).toBe("61380");
  });

  test("goes to break-even where the price has come back past the trailing price", () => {
    const rules = { breakEvenAfter: 0.01, activation: 0.01, distance: 0.01 };
    expect(nextStop(held({ best: dec("62000") }), rules, 0.001)?.stop.toFixed()).toBe("60060.1");
  });

  test("is not moved by less than the smallest step, nor to where the mark is already", () => {
    const rules = { ...OFF, activation: 0.01, distance: 0.01 };
    expect(nextStop(held({ stop: dec("60389.9") }), rules, 0.001)).toBeNull();
    expect(nextStop(held({ best: dec("62000"), mark: dec("61390") }), rules, 0.001)).toBeNull();
  });
});

describe("for all prices, rules and fees", () => {
  const price = fc.integer({ min: 1, max: 2_000_000 });
  const share = fc.double({ min: 0, max: 0.2, noNaN: true });
  const tick = fc.constantFrom(dec("0.01"), dec("0.1"), dec("1"));
  const facts = fc
    .record({
      side: fc.constantFrom("LONG" as const, "SHORT" as const),
      entry: price,
      stop: price,
      mark: price,
      best: price,
      entryFee: share,
      exitFee: share,
      tick,
    })
    .map(({ entry, stop, mark, best, entryFee, exitFee, ...rest }): HeldStop => {
      const exact = (value: number) => quantize(value / 10, rest.tick, "nearest").add(rest.tick);
      const fee = (value: number) => dec((value / 10).toFixed(6));
      return {
        ...rest,
        entry: exact(entry),
        stop: exact(stop),
        mark: exact(mark),
        best: exact(best),
        entryFee: fee(entryFee),
        exitFee: fee(exitFee),
      };
    });
  const rules = fc.record({ breakEvenAfter: share, activation: share, distance: share });

  test("a move is towards safety by at least the step, on the tick, and clear of the mark", () => {
    fc.assert(
      fc.property(facts, rules, share, (found, by, minStep) => {
        const move = nextStop(found, by, minStep);
        if (move === null) return;
        expect(saferThan(found.side, move.stop, found.stop)).toBe(true);
        expect(move.stop.sub(found.stop).abs().gte(found.stop.mul(minStep))).toBe(true);
        expect(isMultipleOf(move.stop, found.tick)).toBe(true);
        expect(clearOf(found.side, move.stop, found.mark)).toBe(true);
        expect(saferThan(found.side, found.mark, move.stop)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("closing at break-even loses nothing after the fees of both sides", () => {
    fc.assert(
      fc.property(facts, (found) => {
        const exit = breakEvenPrice(found);
        const gain = found.side === "LONG" ? exit.sub(found.entry) : found.entry.sub(exit);
        const paid = found.entry.mul(found.entryFee).add(exit.mul(found.exitFee));
        expect(gain.sub(paid).abs().lt(found.entry.mul("1e-30"))).toBe(true);
        const move = nextStop(found, { ...OFF, breakEvenAfter: 1e-9 }, 0);
        if (move) expect(saferThan(found.side, move.stop, exit) || move.stop.eq(exit)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("along any path the stop only ever goes one way, and never nearer to the best price than its distance", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("LONG" as const, "SHORT" as const),
        fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { maxLength: 60 }),
        (side, steps) => {
          const by = { ...OFF, activation: 0.004, distance: 0.01 };
          let now = held({
            side,
            stop: dec(side === "LONG" ? "58000" : "62000"),
            mark: dec("60000"),
            best: dec("60000"),
          });
          for (const step of steps) {
            const mark = quantize(now.mark.toNumber() * (1 + step), now.tick, "nearest");
            const best = saferThan(side, mark, now.best) ? mark : now.best;
            now = { ...now, mark, best };
            const move = nextStop(now, by, 0.001);
            if (!move) continue;
            expect(saferThan(side, move.stop, now.stop)).toBe(true);
            const room = ONE.sub(move.stop.div(best)).abs();
            expect(room.gte("0.01")).toBe(true);
            now = { ...now, stop: move.stop };
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
