/** Delays that a plain timer would fire at once or never. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/core/clock.ts";

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a delay of months is waited out, and can be stopped on the way", () => {
  const clock = systemClock();
  const fired: string[] = [];
  clock.after(60 * DAY_MS, () => fired.push("two months"));
  const stop = clock.after(60 * DAY_MS, () => fired.push("stopped"));
  vi.advanceTimersByTime(30 * DAY_MS);
  stop();
  vi.advanceTimersByTime(30 * DAY_MS - 1);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(["two months"]);
});

test("a period beyond what a timer keeps does not become a storm", () => {
  let count = 0;
  const stop = systemClock().every(365 * DAY_MS, () => count++);
  vi.advanceTimersByTime(DAY_MS);
  stop();
  expect(count).toBe(0);
});

test("a negative delay is none", () => {
  let fired = false;
  systemClock().after(-5, () => (fired = true));
  vi.advanceTimersByTime(0);
  expect(fired).toBe(true);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("%s is refused", (ms) => {
  const clock = systemClock();
  expect(() => clock.after(ms, () => undefined)).toThrow("finite");
  expect(() => clock.every(ms, () => undefined)).toThrow("finite");
});
