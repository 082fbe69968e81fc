/** A service that is stricter than it says is believed, written down, shown, and slowly trusted again. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { learnt, spacingAt } from "../../src/net/learned-spacing.ts";
import { createRateLimiter, type Priority, type RateLimit } from "../../src/net/rate-limit.ts";

const START = 1_784_500_000_000;
const STREAM: RateLimit = { requests: 1_200, perMs: 60_000 };
const REST: RateLimit = { requests: 1, perMs: 5_000 };
const HOUR = 3_600_000;

/** A service whose true limit is one in `everyMs`, whatever its documents say; asked for a turn every 500 ms. */
async function strictService(everyMs: number, documented: RateLimit, forMs: number) {
  const clock = virtualClock(START);
  const limiter = createRateLimiter(clock);
  const refusals: number[] = [];
  let lastMs = -Infinity;
  let taken = 0;
  for (let gone = 0; gone < forMs; gone += 500) {
    void limiter.take("order", documented, { priority: "open", patienceMs: 0 }).then((turn) => {
      if (!turn.ok) return;
      turn.value.arrived();
      const strict = clock.monotonicMs() - lastMs < everyMs;
      if (strict) {
        refusals.push(clock.monotonicMs());
        limiter.refused("order", clock.nowMs() + 1_000);
      } else {
        taken += 1;
        lastMs = clock.monotonicMs();
      }
    });
    await clock.advance(500);
  }
  return { limiter, refusals, taken };
}

describe("a service that is stricter than documented", () => {
  test("refuses a few times and then hardly ever, while what it does take keeps coming", async () => {
    const { refusals, taken, limiter } = await strictService(5_000, STREAM, 600_000);
    expect(refusals.filter((ms) => ms < 60_000).length).toBeLessThanOrEqual(5);
    expect(refusals.length).toBeLessThanOrEqual(8);
    expect(taken).toBeGreaterThan(600_000 / 10_000);
    expect(limiter.tightened()).toMatchObject([{ key: "order" }]);
  });

  test("is remembered by the next process, and trusted again after a while", async () => {
    const clock = virtualClock(START);
    const limiter = createRateLimiter(clock);
    const go = async (): Promise<void> => void (await limiter.take("order", REST, { priority: "open", patienceMs: 0 }));
    await go();
    await clock.advance(5_200);
    await go();
    expect(limiter.refused("order", clock.nowMs())).toMatchObject({ key: "order", spacingMs: 10_000 });
    const saved = JSON.parse(JSON.stringify(limiter.snapshot())) as ReturnType<typeof limiter.snapshot>;
    const next = createRateLimiter(clock);
    next.restore(saved);
    const soon = await next.take("order", REST, { priority: "open", patienceMs: 8_000 });
    expect(soon.ok).toBe(false);
    await clock.advance(HOUR);
    expect(next.tightened()).toEqual([]);
    expect((await next.take("order", REST, { priority: "open", patienceMs: 0 })).ok).toBe(true);
  });

  test.each<[Priority, boolean]>([
    ["protect", true],
    ["close", true],
    ["cancel", true],
    ["replace", false],
    ["open", false],
    ["read", true],
  ])("never holds up what must go: %s at once after the documented window is %s", async (priority, ok) => {
    const clock = virtualClock(START);
    const limiter = createRateLimiter(clock);
    for (let i = 0; i < 2; i++) {
      await limiter.take("order", REST, { priority: "open", patienceMs: 0 });
      await clock.advance(5_200);
    }
    limiter.refused("order", clock.nowMs());
    expect((await limiter.take("order", REST, { priority, patienceMs: 0 })).ok).toBe(ok);
  });

  test("a read, a cancel, a close or a stop that is refused teaches nothing but the pause", async () => {
    for (const priority of ["read", "cancel", "close", "protect"] as const) {
      const clock = virtualClock(START);
      const limiter = createRateLimiter(clock);
      for (let i = 0; i < 2; i++) {
        await limiter.take("k", REST, { priority, patienceMs: 0 });
        await clock.advance(5_200);
      }
      expect(limiter.refused("k", clock.nowMs())).toBeNull();
      expect(limiter.tightened()).toEqual([]);
    }
  });

  test("several refused together teach once, and a refusal after a long silence nothing", async () => {
    const clock = virtualClock(START);
    const limiter = createRateLimiter(clock);
    for (let i = 0; i < 4; i++) await limiter.take("s", STREAM, { priority: "open", patienceMs: 0 });
    const first = limiter.refused("s", clock.nowMs());
    expect(first?.spacingMs).toBe(100);
    expect(limiter.refused("s", clock.nowMs())).toBeNull();
    expect(limiter.tightened()).toMatchObject([{ spacingMs: 100 }]);
    const quiet = createRateLimiter(clock);
    await quiet.take("s", REST, { priority: "open", patienceMs: 0 });
    await clock.advance(120_000);
    await quiet.take("s", REST, { priority: "open", patienceMs: 0 });
    expect(quiet.refused("s", clock.nowMs() + 5_000)).toBeNull();
    expect(quiet.tightened()).toEqual([]);
  });
});

test("the distance grows with refusals, never beyond its bound, and only shrinks with time", () => {
  const limits = fc.record({
    requests: fc.integer({ min: 1, max: 2_000 }),
    perMs: fc.integer({ min: 100, max: 60_000 }),
  });
  const refusals = fc.array(fc.tuple(fc.integer({ min: 0, max: 7_200_000 }), fc.integer({ min: 0, max: 20_000 })), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(limits, refusals, (limit, steps) => {
      const base = limit.perMs / limit.requests;
      const most = Math.max(4 * base, 10_000);
      let learned = null;
      let nowMs = 0;
      for (const [aheadMs, sinceMs] of steps) {
        const before = spacingAt(learned, limit, nowMs);
        nowMs += aheadMs;
        expect(spacingAt(learned, limit, nowMs)).toBeLessThanOrEqual(before);
        const worn = spacingAt(learned, limit, nowMs);
        const next = learnt(learned, { limit, sinceMs, nowMs });
        if (sinceMs > most) expect(next).toBeNull();
        if (!next) continue;
        learned = next;
        const spacing = spacingAt(learned, limit, nowMs);
        expect(spacing).toBeLessThanOrEqual(most);
        expect(spacing).toBeGreaterThanOrEqual(Math.min(worn, most));
        expect(spacing === most || spacing >= sinceMs).toBe(true);
      }
      expect(spacingAt(learned, limit, nowMs + 24 * HOUR)).toBe(0);
    }),
    { numRuns: 200 },
  );
});
