import { describe, expect, test } from "vitest";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { createAnswerCache } from "../../../src/llm/gateway/cache.ts";

describe("the answer cache", () => {
  test("keeps an answer for less than its time to live, by either clock", async () => {
    const clock = virtualClock(Date.parse("2026-01-31T00:00:00Z"));
    const cache = createAnswerCache<{ n: number }>(clock, 300_000);
    cache.set("k", { n: 1 });
    await clock.advance(299_999);
    expect(cache.get("k")).toEqual({ n: 1 });
    await clock.advance(1);
    expect(cache.get("k")).toBeNull();
    for (const step of [300_000, -300_000]) {
      cache.set("k", { n: 2 });
      clock.stepWall(step);
      expect(cache.get("k")).toBeNull();
    }
  });

  test("makes an answer once for all who ask meanwhile, also a failing one", async () => {
    const cache = createAnswerCache<{ n: number }>(virtualClock(0), 1);
    let made = 0;
    const make = async (): Promise<{ n: number }> => {
      await Promise.resolve();
      made += 1;
      if (made === 1) throw new Error("first");
      return { n: made };
    };
    expect((await Promise.allSettled([cache.once("k", make), cache.once("k", make)])).map((one) => one.status)).toEqual(
      ["rejected", "rejected"],
    );
    const second = await Promise.all([cache.once("k", make), cache.once("k", make), cache.once("other", make)]);
    expect(second.map(({ joined }) => joined)).toEqual([false, true, false]);
    expect(made).toBe(3);
  });

  test("forgets the oldest beyond its size", () => {
    const cache = createAnswerCache<{ n: number }>(virtualClock(0), 1_000);
    for (let n = 0; n < 600; n++) cache.set(`k${n}`, { n });
    expect(cache.get("k0")).toBeNull();
    expect(cache.get("k599")).toEqual({ n: 599 });
  });
});
