/**
 * Writes are the scarcest thing: by REST one order call in 5 s, by the user stream 1200 in a minute. Whatever is asked when,
 * what protects goes before what closes, that before cancels, replacements and openings, and none of these waits longer
 * than one slot behind something less urgent.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createRateLimiter, PRIORITIES, type Priority } from "../../src/net/rate-limit.ts";
import { amendOrder } from "../../src/protocol/trading/amend-order.ts";
import { placeAlgo } from "../../src/protocol/trading/place-algo.ts";
import { placeOrder } from "../../src/protocol/trading/place-order.ts";
import { USER_ACTIONS } from "../../src/protocol/user/actions.ts";

const LANES = {
  "an order by REST": placeOrder.limit,
  "a change by REST": amendOrder.limit,
  "a stop by REST": placeAlgo.limit,
  "an order by the user stream": USER_ACTIONS.place_order.limit,
};
/** The limiter's own margin over a documented window. */
const MARGIN = 1.04;

interface Asked {
  readonly priority: Priority;
  readonly askedMs: number;
  grantedMs: number | null;
}

type Step = readonly [aheadMs: number, priority: Priority];

async function play(limit: { readonly requests: number; readonly perMs: number }, steps: readonly Step[]) {
  const clock = virtualClock(0);
  const limiter = createRateLimiter(clock);
  const all: Asked[] = [];
  for (const [aheadMs, priority] of steps) {
    await clock.advance(aheadMs);
    const asked: Asked = { priority, askedMs: clock.monotonicMs(), grantedMs: null };
    all.push(asked);
    void limiter.take("lane", limit, { priority, patienceMs: 3_600_000 }).then((turn) => {
      if (!turn.ok) return;
      asked.grantedMs = clock.monotonicMs();
      turn.value.arrived();
    });
  }
  await clock.advance(steps.length * limit.perMs * 2 + 1_000);
  return all;
}

const rank = (priority: Priority): number => PRIORITIES.indexOf(priority);

describe.each(Object.entries(LANES))("%s", (_name, limit) => {
  test("goes to the most urgent that waits, and nothing urgent waits longer than a slot behind the others", async () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: Math.min(limit.perMs, 6_000) }), fc.constantFrom(...PRIORITIES)),
      { minLength: 2, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        const all = await play(limit, drawn);
        for (const one of all) {
          const grantedMs = one.grantedMs ?? Infinity;
          expect(grantedMs).toBeLessThan(Infinity);
          const overtaken = all.filter(
            (other) =>
              rank(other.priority) > rank(one.priority) &&
              other.askedMs > one.askedMs &&
              (other.grantedMs ?? Infinity) < grantedMs,
          );
          expect(overtaken).toEqual([]);
          const before = all.filter((other) => rank(other.priority) <= rank(one.priority) && other !== one).length;
          const slots = Math.ceil((before + limit.requests) / limit.requests);
          expect(grantedMs - one.askedMs).toBeLessThanOrEqual(slots * limit.perMs * MARGIN + 1);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("under a burst of twenty openings a close, and a stop, wait at most one slot", async () => {
    const burst: readonly Step[] = Array.from({ length: 20 }, () => [0, "open"] as const);
    for (const priority of ["close", "protect"] as const) {
      const all = await play(limit, [...burst, [100, priority]]);
      const last = all.at(-1);
      expect((last?.grantedMs ?? Infinity) - (last?.askedMs ?? 0)).toBeLessThanOrEqual(limit.perMs * MARGIN);
    }
  });
});

test("what waits longer than its patience is refused: no opening goes on an old judgement", async () => {
  const clock = virtualClock(0);
  const limiter = createRateLimiter(clock);
  const take = (priority: Priority, patienceMs: number) =>
    limiter.take("lane", placeOrder.limit, { priority, patienceMs });
  expect((await take("open", 1_000)).ok).toBe(true);
  expect((await take("open", 1_000)).ok).toBe(false);
  const closing = take("close", 30_000);
  await clock.advance(5_200);
  expect((await closing).ok).toBe(true);
});
