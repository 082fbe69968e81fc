import { expect, test } from "vitest";
import { seededEntropy } from "../../src/core/entropy.ts";
import { createMoves } from "../../src/agent/books/moves.ts";
import { createCadence } from "../../src/agent/state/cadence.ts";
import { settingsOf } from "../support/agent-world.ts";

test("a move is logged once when it is far beyond the symbol's own unrest, and ordinary unrest is not", () => {
  const moves = createMoves();
  const entropy = seededEntropy(5);
  let price = 100;
  let nowMs = 0;
  const step = (change: number): number | null => {
    price *= 1 + change;
    nowMs += 5_000;
    return moves.sample("X", price, { nowMs, sigma: 5 });
  };
  const calm = Array.from({ length: 600 }, () => step(entropy.normal("step") * 0.0002));
  expect(calm.filter((found) => found !== null)).toHaveLength(0);
  const jump = [step(-0.01), ...Array.from({ length: 11 }, () => step(0))];
  expect(jump.filter((found) => found !== null)).toHaveLength(1);
  expect(jump[0]).toBeLessThan(-5);
});

test("events inside the gap become one trigger with all their reasons", () => {
  const cadence = createCadence();
  const settings = {
    every: 60_000,
    minGap: 10_000,
    firstAfter: 1_000,
    onNews: true,
    newsSymbolsMax: 5,
    onFill: true,
    moveSigma: 4,
  };
  expect(cadence.due(5_000, settings)).toBeNull();
  expect(cadence.isDue(5_000, settings)).toBe(false);
  cadence.start(10_000);
  expect([10_999, 11_000].map((atMs) => cadence.isDue(atMs, settings))).toEqual([false, true]);
  expect(cadence.due(10_500, settings)).toBeNull();
  expect(cadence.due(11_000, settings)).toMatchObject({ reasons: ["first decision"] });
  expect(cadence.isDue(70_999, settings)).toBe(false);
  expect(cadence.isDue(71_000, settings)).toBe(true);
  cadence.happen("fill", "BTC", 12_000);
  cadence.happen("news", "n1", 13_000);
  expect(cadence.due(15_000, settings)).toBeNull();
  expect([20_999, 21_000].map((atMs) => cadence.isDue(atMs, settings))).toEqual([false, true]);
  expect(cadence.due(21_000, settings)).toEqual({ reasons: ["fill: BTC", "news: n1"], urgent: true });
  expect(cadence.due(40_000, settings)).toBeNull();
  expect(cadence.due(81_000, settings)).toMatchObject({ reasons: ["clock"], urgent: false });
});

test("an event that falls on the clock or on the first decision may use the money kept for events", () => {
  const settings = { ...settingsOf().cadence, every: 60_000, minGap: 10_000, firstAfter: 1_000 };
  const cadence = createCadence();
  cadence.start(0);
  cadence.happen("news", "n1", 500);
  expect(cadence.due(1_000, settings)).toEqual({ reasons: ["first decision", "news: n1"], urgent: true });
  cadence.happen("limit", "floor WARN", 60_900);
  expect(cadence.due(61_000, settings)).toEqual({ reasons: ["clock", "limit: floor WARN"], urgent: true });
});
