/**
 * Drawn histories of an account: whatever arrives, in whatever sequence, however late, and over deaths, the agent never counts
 * less than is held, and in the end it knows what is. More: `npm run evidence`.
 */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { PositionMode } from "../../src/domain/position.ts";
import { createReductions } from "../../src/agent/positions/reductions.ts";
import { playEvidence } from "./play.ts";

/** Each of these has found something. */
const ONCE_WRONG = [
  178, 269, 466, 913, 1759, 5420, 7957, 9995, 14999, 108971, 109560, 115278, 122476, 122523, 128718, 1229763, 1317791,
  1343395, 1354170, 1363314, 1466504, 2146104, 4217161, 4833920, 6972360,
];

/** The same in one-way mode. */
const ONCE_WRONG_NET = [5412419, 6424239, 8120053, 8342133];

test("drawn histories end right, and never count less than is held", () => {
  const drawn = Array.from({ length: 200 }, (_, at) => at + 1);
  const wrongIn = (mode: PositionMode, seeds: readonly number[]) =>
    seeds.flatMap((seed) => playEvidence(seed, mode).wrong.map((what) => `history ${seed}, ${mode}: ${what}`));
  const wrong = [...wrongIn("BOTH", [...ONCE_WRONG, ...drawn]), ...wrongIn("NET", [...ONCE_WRONG_NET, ...drawn])];
  expect(wrong).toEqual([]);
});

test("so they do where records lack the client's name of an order", () => {
  const wrong = Array.from({ length: 300 }, (_, at) => at + 1).flatMap((seed) =>
    (["BOTH", "NET"] as const).flatMap((mode) =>
      playEvidence(seed, mode, { nameless: 0.3 }).wrong.map((what) => `history ${seed}, ${mode}: ${what}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("a history is the same each time, and its agents die and hear much", () => {
  const [one, again] = [playEvidence(7, "BOTH"), playEvidence(7, "BOTH")];
  expect(again).toEqual(one);
  const played = Array.from({ length: 50 }, (_, at) => playEvidence(at + 1, "BOTH"));
  expect(played.reduce((sum, { deaths }) => sum + deaths, 0)).toBeGreaterThan(25);
  expect(played.reduce((sum, { messages }) => sum + messages, 0)).toBeGreaterThan(800);
});

test("a fill from after an order's record adds to it, one from before is part of it, whichever comes first", () => {
  const totals = (...reports: readonly ((known: ReturnType<typeof createReductions>) => unknown)[]): string => {
    const known = createReductions();
    for (const report of reports) report(known);
    return known.total("1").toFixed();
  };
  const record = (qty: string, atMs: number) => (known: ReturnType<typeof createReductions>) =>
    known.order("1", dec(qty), atMs);
  const fill = (qty: string, atMs: number) => (known: ReturnType<typeof createReductions>) =>
    known.fill("1", dec(qty), atMs);
  const [before, at, after] = [fill("3", 10), record("3", 10), fill("1", 20)];
  for (const reports of [
    [before, at, after],
    [before, after, at],
    [at, before, after],
    [at, after, before],
    [after, before, at],
    [after, at, before],
  ])
    expect(totals(...reports)).toBe("4");
  expect(totals(after, at)).toBe("4");
  expect(totals(at, at)).toBe("3");
});

test("what an order had filled by a time is what is known of it until then", () => {
  const known = createReductions();
  known.fill("1", dec("2"), 10);
  known.order("1", dec("5"), 20);
  known.fill("1", dec("1"), 30);
  expect([5, 10, 20, 30].map((atMs) => known.until("1", atMs).toFixed())).toEqual(["0", "2", "5", "6"]);
  expect(known.until("2", 30).toFixed()).toBe("0");
});
