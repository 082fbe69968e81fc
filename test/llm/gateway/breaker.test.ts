import { describe, expect, test } from "vitest";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { createBreaker, REST_MAX_MS } from "../../../src/llm/gateway/breaker.ts";

const times = (count: number, act: () => void): void => Array.from({ length: count }).forEach(() => act());

describe("the breaker", () => {
  test("rests after three failures in a row, longer each time, up to the cap, and lets one try through", async () => {
    const clock = virtualClock(0);
    const breaker = createBreaker(clock);
    const rests: number[] = [];
    for (let n = 0; n < 3; n++) {
      expect(breaker.admit()).toBe(true);
      breaker.failed();
    }
    for (let n = 0; n < 7; n++) {
      rests.push(breaker.state().untilMs - clock.nowMs());
      expect(breaker.admit()).toBe(false);
      await clock.advance(rests.at(-1) ?? 0);
      expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
      breaker.failed();
    }
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, REST_MAX_MS, REST_MAX_MS]);
  });

  test("is whole again after one success", () => {
    const breaker = createBreaker(virtualClock(0));
    times(2, breaker.failed);
    breaker.succeeded();
    times(2, breaker.failed);
    expect(breaker.admit()).toBe(true);
  });

  test("gives a try back that did not take place", async () => {
    const clock = virtualClock(0);
    const breaker = createBreaker(clock);
    times(3, breaker.failed);
    await clock.advance(30_000);
    expect(breaker.admit()).toBe(true);
    breaker.release();
    expect(breaker.admit()).toBe(true);
  });
});
