import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createQuarantine } from "../../src/strategy/quarantine.ts";
import { calibrate, convictionFactor } from "../../src/strategy/calibration.ts";
import { claimOf, likeness } from "../../src/strategy/news-claims.ts";
import { recordFactor, recordScore } from "../../src/strategy/record-weight.ts";
import type { Stance } from "../../src/strategy/stances.ts";
import { factsOf, withFacts } from "../../src/strategy/thesis.ts";
import { HungError, withinTime } from "../../src/core/time-box.ts";
import { median, tallyVotes } from "../../src/strategy/votes.ts";
import { newsOf } from "./snapshots.ts";

describe("the facts of a thesis", () => {
  test("come back as they were written, whatever the text", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.string(), (hundredths, text) => {
        const facts = { conviction: hundredths / 100, agreement: 1, votes: { momentum: 0.25 } };
        expect(factsOf(withFacts(facts, text))).toEqual(facts);
      }),
    ));
  test("cannot be written by a text that stands behind them, and plain texts have none", () => {
    expect(factsOf(withFacts({ conviction: 0.2 }, "[conviction 1.00, by-momentum 1.00] buy"))).toEqual({
      conviction: 0.2,
    });
    for (const plain of [null, "", "because", "[conviction 7.00] x", "x [conviction 0.50] y"])
      expect(factsOf(plain)).toEqual({});
  });
});

describe("calibration", () => {
  const rules = { tradesMin: 40, skillMin: 0.02 };
  const record = (count: number, right: number) =>
    Array.from({ length: count }, (_, at) => {
      const won = at % 2 === 0;
      const honest = (at * 7919) % 100 < right * 100;
      return { conviction: won === honest ? 0.85 : 0.15, won };
    });

  test("trusts a long and good record, not a short one, a random one, or one that always says the same", () => {
    expect(calibrate(record(60, 0.95), rules)).toMatchObject({ trusted: true });
    expect(calibrate(record(30, 1), rules)).toMatchObject({ trusted: false });
    expect(calibrate(record(200, 0.5), rules)).toMatchObject({ trusted: false });
    expect(
      calibrate(
        Array.from({ length: 100 }, (_, at) => ({ conviction: 0.9, won: at % 2 === 0 })),
        rules,
      ).trusted,
    ).toBe(false);
    expect(calibrate([], rules)).toEqual({ trades: 0, skill: null, meanConviction: null, trusted: false });
  });

  test("a conviction may shrink a position to the half and never enlarges one", () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ conviction: fc.double({ min: 0, max: 1, noNaN: true }), won: fc.boolean() })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (past, conviction) => {
          const calibration = calibrate(past, { tradesMin: 10, skillMin: 0 });
          const factor = convictionFactor(calibration, conviction);
          expect(factor).toBeGreaterThanOrEqual(0.5);
          expect(factor).toBeLessThanOrEqual(1);
          if (!calibration.trusted) expect(factor).toBe(1);
          expect(calibrate([...past], { tradesMin: 10, skillMin: 0 })).toEqual(calibration);
        },
      ),
    ));
});

describe("a record's weight", () => {
  test("is bounded by its power whatever the record, and one without a record", () => {
    expect(recordFactor(recordScore([], 20), 3)).toBe(1);
    fc.assert(
      fc.property(fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true })), (results) => {
        const factor = recordFactor(recordScore(results, 20), 3);
        expect(factor).toBeGreaterThanOrEqual(1 / 3);
        expect(factor).toBeLessThanOrEqual(3);
      }),
    );
  });
  test("rises with wins, and more slowly while there are few", () => {
    const of = (count: number): number =>
      recordScore(
        Array.from({ length: count }, () => 0.01),
        20,
      );
    expect(of(3)).toBeGreaterThan(0);
    expect(of(40)).toBeGreaterThan(of(3));
    expect(recordScore([-0.01, -0.02], 20)).toBeLessThan(0);
  });
});

describe("votes", () => {
  const stance = (symbol: string, way: Stance["stance"]): Stance => ({
    symbol,
    stance: way,
    conviction: 0.5,
    horizon: "hours",
    stopVolatilities: 2,
    targetVolatilities: null,
    urgency: "take",
    invalidation: "",
    reason: "",
    evidence: [],
  });
  test("shares are of all that were asked and never add up to more than one", () => {
    const ballot = fc.array(
      fc.record({ symbol: fc.constantFrom("A", "B"), way: fc.constantFrom("LONG", "SHORT", "FLAT") }),
    );
    fc.assert(
      fc.property(fc.array(ballot, { maxLength: 5 }), fc.nat(3), (ballots, lost) => {
        const asked = ballots.length + lost;
        const read = ballots.map((each) => each.map(({ symbol, way }) => stance(symbol, way as Stance["stance"])));
        for (const { share } of tallyVotes({ ballots: read, asked }, () => 1)) {
          expect(share.LONG + share.SHORT + share.FLAT).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });
  test("the middle of none is none, of two their mean", () => {
    expect([median([]), median([3]), median([1, 4]), median([9, 1, 5])]).toEqual([null, 3, 2.5, 5]);
  });
});

describe("claims of the news", () => {
  test.each<[string, 1 | -1 | null]>([
    ["Fund buys Bitcoin for its treasury", 1],
    ["Bridge drained in an exploit", -1],
    ["Developers schedule their next call", null],
    ["Exchange denies that it was hacked", null],
    ["Unconfirmed: court approves the fund", null],
    ["Price surges, then crashes", null],
  ])("%s: %s", (title, lean) => {
    expect(claimOf(newsOf("1", { title, text: "" }))?.lean ?? null).toBe(lean);
  });
  test("likeness of titles", () => {
    expect(likeness("A fund buys Bitcoin", "Fund buys bitcoin!")).toBe(1);
    expect(likeness("Court approves the fund", "Bridge drained overnight")).toBe(0);
  });
});

const boom = { kind: "unsound", reason: "boom" } as const;
const cutOff = (usedShare: number) => ({ kind: "cut-off", reason: "hung", usedShare }) as const;

test("a suspension grows with every fault in a row and is final after another hang; a saved file ends it", () => {
  const quarantine = createQuarantine();
  expect(quarantine.suspension(0)).toBeNull();
  expect([quarantine.suspend(0, boom), quarantine.suspend(0, boom)]).toEqual([300_000, 600_000]);
  expect(quarantine.suspension(599_999)).toMatchObject({ reason: "boom" });
  expect(quarantine.suspension(600_000)).toBeNull();
  quarantine.recordAnswer();
  expect(quarantine.suspend(0, boom)).toBe(300_000);
  expect(quarantine.suspend(0, cutOff(0.98))).toBe(600_000);
  expect(quarantine.suspend(0, cutOff(1))).toBe(Infinity);
  expect(quarantine.suspension(1e15)).not.toBeNull();
  quarantine.clear();
  expect(quarantine.suspension(0)).toBeNull();
});

test("a machine that withholds its processor benches nobody, one that runs slowly finds the hang by and by", () => {
  const quarantine = createQuarantine();
  for (let call = 0; call < 20; call++) expect(quarantine.suspend(0, cutOff(0.02))).toBeNull();
  quarantine.recordAnswer();
  expect([0.2, 0.2, 0.2].map((share) => quarantine.suspend(0, cutOff(share)))).toEqual([null, null, 300_000]);
  expect(quarantine.suspend(0, cutOff(0.4))).toBeNull();
  quarantine.recordAnswer();
  expect(quarantine.suspend(0, cutOff(0.4))).toBeNull();
  expect(quarantine.suspension(300_000)).toBeNull();
});

test("a time box gives back values and throws, and breaks off what does not end", () => {
  expect(withinTime(() => 7)).toBe(7);
  expect(() =>
    withinTime(() => {
      throw new TypeError("no");
    }),
  ).toThrow(TypeError);
  expect(() =>
    withinTime(() => {
      for (;;);
    }, 50),
  ).toThrow("did not return within 50 ms");
});

const spin = (): never => {
  for (;;);
};
const msOf = (run: () => void): number => {
  const beganMs = performance.now();
  run();
  return performance.now() - beganMs;
};

test("a time box within another ends first and leaves the code around it time to go on", () => {
  expect(withinTime(() => withinTime(() => 8))).toBe(8);
  const around = () => [spin, () => 9, spin, spin].map((each) => tried(() => withinTime(each)));
  expect(withinTime(around, 800)).toEqual([expect.any(HungError), 9, expect.any(HungError), expect.any(HungError)]);
});

test("what hangs around a time box is broken off in its own time, and the next box has all of its own", () => {
  const ms = msOf(() =>
    expect(() =>
      withinTime(() => {
        tried(() => withinTime(spin));
        spin();
      }, 200),
    ).toThrow("did not return within 200 ms"),
  );
  expect(ms).toBeLessThan(1_000);
  expect(() => withinTime(spin, 120)).toThrow("did not return within 120 ms");
});

test("within a box without end a box has an end only if it names one", () => {
  const long = () => {
    const beganMs = performance.now();
    while (performance.now() - beganMs < 60);
    return 10;
  };
  expect(withinTime(() => withinTime(long), Infinity)).toBe(10);
  expect(() => withinTime(() => withinTime(long, 20), Infinity)).toThrow(HungError);
});

function tried(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
