import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scaledClock } from "../../src/core/clock.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createRateLimiter, PRIORITIES, type Priority } from "../../src/net/rate-limit.ts";

const ONE_PER_5S = { requests: 1, perMs: 5_000 };
const START = 1_784_500_000_000;

function testLimiter() {
  const clock = virtualClock(START);
  const limiter = createRateLimiter(clock);
  const story: string[] = [];
  const ask = (name: string, priority: Priority, patienceMs = 60_000, limit = ONE_PER_5S): void => {
    void limiter.take("order", limit, { priority, patienceMs }).then((turn) => {
      story.push(`${clock.monotonicMs()} ${name}${turn.ok ? "" : ` refused until ${turn.error.retryAtMs - START}`}`);
      if (turn.ok) turn.value.arrived();
    });
  };
  return { clock, limiter, story, ask };
}

describe("one request per window", () => {
  test("the first goes at once, the next after the window and its margin", async () => {
    const { clock, story, ask } = testLimiter();
    ask("a", "open");
    ask("b", "open");
    await clock.advance(20_000);
    expect(story).toEqual(["0 a", "5200 b"]);
  });
  test("the most urgent takes the next slot, whoever asked first", async () => {
    const { clock, story, ask } = testLimiter();
    ask("a", "open");
    ask("b", "open");
    ask("c", "cancel");
    await clock.advance(1_000);
    ask("d", "protect");
    await clock.advance(20_000);
    expect(story).toEqual(["0 a", "5200 d", "10400 c", "15600 b"]);
  });
  test("a wait longer than the patience is refused at once, with the time to come back", async () => {
    const { clock, story, ask } = testLimiter();
    ask("a", "open");
    ask("b", "open", 5_199);
    await clock.advance(0);
    expect(story).toEqual(["0 a", "0 b refused until 5200"]);
  });
  test("a promised turn that a more urgent one took is refused when the patience ends", async () => {
    const { clock, story, ask } = testLimiter();
    ask("a", "open");
    ask("b", "open", 6_000);
    await clock.advance(1_000);
    ask("c", "protect");
    await clock.advance(20_000);
    expect(story).toEqual(["0 a", "5200 c", "6001 b refused until 6001"]);
  });
  test("the window counts from the answer, because the service may have counted that late", async () => {
    const { clock, limiter } = testLimiter();
    const first = await limiter.take("order", ONE_PER_5S, { priority: "open", patienceMs: 0 });
    await clock.advance(300);
    if (first.ok) first.value.arrived();
    const second = await limiter.take("order", ONE_PER_5S, { priority: "open", patienceMs: 0 });
    expect(second).toMatchObject({ ok: false, error: { retryAtMs: START + 5_500 } });
  });
  test("however late that is, unless the next has gone meanwhile", async () => {
    const { clock, limiter } = testLimiter();
    const target = { priority: "open", patienceMs: 0 } as const;
    const first = await limiter.take("order", ONE_PER_5S, target);
    await clock.advance(9_000);
    if (first.ok) first.value.arrived();
    expect(await limiter.take("order", ONE_PER_5S, target)).toMatchObject({ error: { retryAtMs: START + 14_200 } });
    await clock.advance(5_200);
    const second = await limiter.take("order", ONE_PER_5S, target);
    await clock.advance(5_200);
    const third = await limiter.take("order", ONE_PER_5S, target);
    await clock.advance(100);
    if (third.ok) third.value.arrived();
    await clock.advance(4_000);
    if (second.ok) second.value.arrived();
    expect(await limiter.take("order", ONE_PER_5S, target)).toMatchObject({ error: { retryAtMs: START + 24_700 } });
  });
});

test("a step of the wall clock neither blocks nor frees", async () => {
  const { clock, story, ask } = testLimiter();
  ask("a", "open");
  clock.stepWall(-3_600_000);
  ask("b", "open");
  await clock.advance(5_199);
  clock.stepWall(7_200_000);
  expect(story).toEqual(["0 a"]);
  await clock.advance(1);
  expect(story).toEqual(["0 a", "5200 b"]);
});

test("a pause that the service asked for holds everybody, the urgent first afterwards", async () => {
  const { clock, limiter, story, ask } = testLimiter();
  limiter.pause("order", START + 30_000);
  ask("a", "open", 10_000);
  ask("b", "open");
  ask("c", "protect");
  await clock.advance(60_000);
  expect(story).toEqual(["0 a refused until 30000", "30000 c", "35200 b"]);
});

test("a restart keeps its windows and pauses", async () => {
  const { clock, limiter, ask } = testLimiter();
  ask("a", "open");
  await clock.advance(2_000);
  limiter.pause("algo", START + 10_000);
  const saved = JSON.parse(JSON.stringify(limiter.snapshot())) as ReturnType<typeof limiter.snapshot>;
  const next = createRateLimiter(clock);
  next.restore(saved);
  expect(next.snapshot()).toEqual(saved);
  const turn = await next.take("order", ONE_PER_5S, { priority: "protect", patienceMs: 0 });
  expect(turn).toMatchObject({ ok: false, error: { retryAtMs: START + 5_200 } });
  const algo = await next.take("algo", ONE_PER_5S, { priority: "protect", patienceMs: 0 });
  expect(algo).toMatchObject({ ok: false, error: { retryAtMs: START + 10_000 } });
});

test("a pause lasts no longer than was left of it, where the clock was set back before the restart", async () => {
  const { clock, limiter } = testLimiter();
  limiter.pause("order", START + 5_000);
  const saved = limiter.snapshot();
  clock.stepWall(-3_600_000);
  const next = createRateLimiter(clock);
  next.restore(saved);
  const turn = next.take("order", ONE_PER_5S, { priority: "open", patienceMs: 5_000 });
  await clock.advance(5_000);
  expect((await turn).ok).toBe(true);
});

test("the queue is bounded", async () => {
  const { clock, story, ask } = testLimiter();
  for (let i = 0; i < 70; i++) ask(String(i), "read", 1_000_000);
  await clock.advance(0);
  expect(story.filter((line) => line.includes("refused"))).toHaveLength(5);
});

test("on a faster clock the waits are shorter in real time, not in its own", async () => {
  const base = virtualClock(START);
  const clock = scaledClock(base, 10, START);
  const limiter = createRateLimiter(clock);
  const at: number[] = [];
  for (let i = 0; i < 2; i++) {
    void limiter
      .take("k", ONE_PER_5S, { priority: "open", patienceMs: 60_000 })
      .then(() => at.push(base.monotonicMs()));
  }
  await base.advance(1_000);
  expect(at).toEqual([0, 520]);
});

test("no window ever holds more than its limit, whatever is asked when", async () => {
  const asks = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(...PRIORITIES)), {
    maxLength: 30,
  });
  const limits = fc.record({ requests: fc.integer({ min: 1, max: 4 }), perMs: fc.integer({ min: 50, max: 4_000 }) });
  await fc.assert(
    fc.asyncProperty(asks, limits, async (gaps, limit) => {
      const clock = virtualClock(START);
      const limiter = createRateLimiter(clock);
      const sent: number[] = [];
      for (const [gapMs, priority] of gaps) {
        void limiter.take("k", limit, { priority, patienceMs: 20_000 }).then((turn) => {
          if (turn.ok) sent.push(clock.monotonicMs());
        });
        await clock.advance(gapMs);
      }
      await clock.advance(100_000);
      for (const [i, at] of sent.entries()) {
        const before = sent[i - limit.requests];
        if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(limit.perMs);
      }
    }),
    { numRuns: 60 },
  );
});
