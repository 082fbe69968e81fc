/** Market days in small, and what is broken on purpose so that the watch is seen to bite. All of them: `npm run market-days`. */
import { describe, expect, test } from "vitest";
import { mostLost, mostLostAtGaps } from "./bound.ts";
import { runDay } from "./day.ts";
import { type DayPlan, drawDay, drawPairedDay } from "./plan.ts";
import { addDay, newTally, summary } from "./tally.ts";

const run = (from: number, count: number, beyond: boolean, draw = drawDay) => {
  const tally = newTally();
  for (let number = from; number < from + count; number++) {
    const outcome = runDay(draw(number, beyond));
    expect(outcome.violations, `day ${number}`).toEqual([]);
    addDay(tally, outcome);
  }
  return tally;
};

const struck = (share: number): DayPlan => ({
  // The second holds most of what its limits allow when the gap comes.
  ...drawDay(2, false),
  phase: 1,
  mode: "BOTH",
  startUsdt: "1000",
  bases: ["SOL", "DOGE"],
  risk: "wide",
  lossy: 0,
  events: [
    {
      what: "gap",
      atMs: 600_000,
      moment: { kind: "fullest" },
      gap: { share, parts: 1, breadth: "held", against: true },
    },
  ],
});

describe("market days on the light profile", () => {
  test("gaps up to the declared size never take equity under 800", { timeout: 240_000 }, () => {
    const tally = run(1, 8, false);
    expect(tally.lowUsdt, summary(tally, 0)).toBeGreaterThanOrEqual(800);
    expect(tally.gaps).toBeGreaterThan(8);
    expect(tally.orders).toBeGreaterThan(50);
  });

  test("nor do they while a coin is held both ways and its prices part", { timeout: 240_000 }, () => {
    const tally = run(1, 8, false, drawPairedDay);
    expect(tally.lowUsdt, summary(tally, 0)).toBeGreaterThanOrEqual(800);
    expect(tally.pairs).toBeGreaterThan(8);
  });

  test("a fall while no prices stream is seen in the lists of positions", { timeout: 120_000 }, () => {
    expect(run(23, 1, false).outages).toBeGreaterThan(0);
  });

  test("beyond the declared size the loss stays on the stated bound", { timeout: 240_000 }, () => {
    const tally = run(1, 5, true);
    expect(tally.ofBound, summary(tally, 0)).toBeLessThanOrEqual(1);
    expect(tally.lowUsdt).toBeLessThan(800);
  });

  test("a day is the same day again", { timeout: 120_000 }, () => {
    expect(runDay(drawDay(7, false))).toEqual(runDay(drawDay(7, false)));
  });

  test("a gap twice as wide as declared is seen as what it is", { timeout: 120_000 }, () => {
    expect(runDay(struck(1)).violations).toEqual([]);
    expect(runDay(struck(2)).violations.join()).toMatch(/^equity [67]\d\d\./);
  });
});

describe("the declared gaps", () => {
  const long = { symbol: "EXCHANGE_A_PERP_X_USDT", leg: "LONG", notionalUsdt: 700, tickUsdt: 0 } as const;
  const short = { ...long, symbol: "EXCHANGE_B_PERP_X_USDT", leg: "SHORT", notionalUsdt: 500 } as const;
  const declared = { gap: () => 0.25, apart: 0.04 };

  test("take a coin's larger side whole, and its smaller one as far as the two may part", () => {
    const lost = mostLostAtGaps({ held: [long], resting: [short] }, declared);
    expect(lost).toBeCloseTo(700 * 0.25 + 500 * 0.04 + 1_200 * 1.25 * 0.002, 6);
  });

  test("take two coins whole", () => {
    const other = { ...short, symbol: "EXCHANGE_B_PERP_Y_USDT" };
    const lost = mostLostAtGaps({ held: [long, other], resting: [] }, declared);
    expect(lost).toBeCloseTo(1_200 * 0.25 + 1_200 * 1.25 * 0.002, 6);
  });
});

describe("the bound", () => {
  const long = { symbol: "X", leg: "LONG", notionalUsdt: 700, tickUsdt: 0 } as const;

  test("is the value times the move, and what it takes to get out at the far end", () => {
    expect(mostLost({ held: [long], resting: [] }, () => -0.25, false)).toBeCloseTo(700 * 0.25 + 700 * 0.75 * 0.002, 6);
  });

  test("sets no gain of one symbol against the loss of another", () => {
    const short = { ...long, symbol: "Y", leg: "SHORT" } as const;
    const both = mostLost({ held: [long, short], resting: [] }, () => -0.25, false);
    expect(both).toBeGreaterThanOrEqual(700 * 0.25);
  });

  test("counts orders that rest in the way, and the fee of a forced close", () => {
    const resting = mostLost({ held: [], resting: [long] }, () => -0.5, false);
    expect(resting).toBeCloseTo(350 + 0.7, 6);
    expect(mostLost({ held: [long], resting: [] }, () => -0.5, true)).toBeCloseTo(350 + 350 * 0.032, 6);
  });
});
