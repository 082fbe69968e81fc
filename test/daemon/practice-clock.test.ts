/** A practice clock that runs faster than the machine's does not go back when its process starts again. */
import { expect, test } from "vitest";
import { newestRowMs, practiceClock } from "../../src/daemon/practice-clock.ts";

const HOUR_MS = 3_600_000;

async function firstMs(speed: number, lastMs: number): Promise<number> {
  const clock = await practiceClock(undefined, speed, lastMs);
  if (!clock.ok) throw new Error(clock.error);
  return clock.value.nowMs();
}

test("a faster clock goes on from where it was left, or from the machine's time if that is later", async () => {
  const ahead = Date.now() + HOUR_MS;
  expect(await firstMs(5, ahead)).toBeGreaterThanOrEqual(ahead);
  const before = Date.now();
  const since = (await firstMs(5, before - HOUR_MS)) - before;
  expect(since).toBeGreaterThanOrEqual(0);
  expect(since).toBeLessThan(HOUR_MS);
});

test("a folder without a journal has no newest row", () => {
  expect(newestRowMs("/no/such/folder")).toBe(0);
});
