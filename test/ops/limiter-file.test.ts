/** Rate-limit windows outlive the process: no restart loop exceeds a documented limit. Invariant I10. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { virtualClock, type VirtualClock } from "../../src/core/virtual-clock.ts";
import { persistentLimiter } from "../../src/ops/limiter-file.ts";
import { createRateLimiter, type RateLimit, type RateLimiter } from "../../src/net/rate-limit.ts";

const START = Date.UTC(2026, 0, 5);
const ORDER: RateLimit = { requests: 1, perMs: 5_000 };
const ALGO: RateLimit = { requests: 3, perMs: 50_000 };

function file(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "limits-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return path.join(dir, "limits.json");
}

/** A process that begins now: a new limiter on a monotonic clock of its own. */
const reopened = (where: string, clock: VirtualClock, troubles: string[] = []): RateLimiter =>
  persistentLimiter(createRateLimiter(clock), {
    file: where,
    nowMs: clock.nowMs(),
    onTrouble: (reason) => troubles.push(reason),
  });

const target = { priority: "open", patienceMs: 120_000 } as const;

test("a restart knows what the last run has sent", async () => {
  const where = file();
  const clock = virtualClock(START);
  expect((await reopened(where, clock).take("POST /order", ORDER, target)).ok).toBe(true);
  await clock.advance(1_000);
  const again = reopened(where, virtualClock(clock.nowMs()));
  const refused = await again.take("POST /order", ORDER, { ...target, patienceMs: 3_000 });
  expect(refused.ok).toBe(false);
  if (!refused.ok) expect(refused.error.retryAtMs).toBeGreaterThanOrEqual(START + 5_000);
});

test("the turn is on the disk before it is given out", async () => {
  const where = file();
  const clock = virtualClock(START);
  const limiter = reopened(where, clock);
  const taken = limiter.take("POST /order", ORDER, target).then(() => readFileSync(where, "utf8"));
  expect(JSON.parse(await taken)).toEqual({ "POST /order": { at: [START], pausedUntilMs: 0 } });
});

test("a pause that the venue asked for is kept too", async () => {
  const where = file();
  const clock = virtualClock(START);
  reopened(where, clock).pause("POST /order", START + 60_000);
  const again = reopened(where, virtualClock(START + 2_000));
  expect((await again.take("POST /order", ORDER, { ...target, patienceMs: 50_000 })).ok).toBe(false);
});

test("what a refusal for haste has taught is kept too", async () => {
  const where = file();
  const clock = virtualClock(START);
  const limiter = reopened(where, clock);
  for (let i = 0; i < 2; i++) {
    await limiter.take("POST /order", ORDER, target);
    await clock.advance(5_200);
  }
  expect(limiter.refused("POST /order", clock.nowMs())).toMatchObject({ spacingMs: 10_000 });
  const again = reopened(where, virtualClock(clock.nowMs()));
  expect(again.tightened()).toMatchObject([{ key: "POST /order", spacingMs: 10_000 }]);
  expect((await again.take("POST /order", ORDER, { ...target, patienceMs: 1_000 })).ok).toBe(false);
});

test("what a clock that ran ahead has written down holds nobody up for hours", async () => {
  const where = file();
  const ahead = virtualClock(START + 86_400_000);
  const earlier = reopened(where, ahead);
  await earlier.take("POST /order", ORDER, target);
  earlier.pause("POST /order", START + 2 * 86_400_000);
  const clock = virtualClock(START);
  const again = reopened(where, clock);
  const taken = again.take("POST /order", ORDER, { ...target, patienceMs: 700_000 });
  await clock.advance(610_000);
  expect((await taken).ok).toBe(true);
});

test("killed again and again at any moment, no window is ever exceeded", async () => {
  const moments = fc.array(fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.boolean()), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(moments, fc.constantFrom(ORDER, ALGO), async (steps, limit) => {
      const where = file();
      let clock = virtualClock(START);
      let limiter = reopened(where, clock);
      const sent: number[] = [];
      for (const [aheadMs, killed] of steps) {
        if (killed) {
          clock = virtualClock(clock.nowMs());
          limiter = reopened(where, clock);
        }
        const at = clock;
        void limiter.take("write", limit, { ...target, patienceMs: 8_000 }).then((turn) => {
          // What a killed process still had in hand never left it.
          if (turn.ok && at === clock) sent.push(at.nowMs());
        });
        await clock.advance(aheadMs);
      }
      for (const [index, at] of sent.entries()) {
        const inWindow = sent.slice(index).filter((other) => other < at + limit.perMs);
        expect(inWindow.length).toBeLessThanOrEqual(limit.requests);
      }
    }),
    { numRuns: 60 },
  );
});

test.each(["", "[]", "{", '{"a":{"at":["x"],"pausedUntilMs":0}}', '{"a":null}'])(
  "a file that cannot be read (%j) is no reason not to start",
  async (text) => {
    const where = file();
    writeFileSync(where, text);
    expect((await reopened(where, virtualClock(START)).take("read", ORDER, target)).ok).toBe(true);
  },
);

test("a disk that takes nothing is logged once, and requests go on", async () => {
  const troubles: string[] = [];
  const clock = virtualClock(START);
  const limiter = reopened(path.join(path.dirname(file()), "no-such-folder", "limits.json"), clock, troubles);
  const first = await limiter.take("a", ORDER, target);
  const second = await limiter.take("b", ORDER, target);
  expect(first.ok && second.ok).toBe(true);
  expect(troubles).toHaveLength(1);
});
