/** The whole gateway against a service that lies about money: what was truly charged never passes the limit. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Decimal, dec } from "../../../src/core/decimal.ts";
import { MINUTE_MS } from "../../../src/core/time.ts";
import { type VirtualClock, virtualClock } from "../../../src/core/virtual-clock.ts";
import { createModelGateway } from "../../../src/llm/gateway/gateway.ts";
import type { ModelGateway } from "../../../src/llm/contract/port.ts";
import type { ModelPrice } from "../../../src/llm/contract/settings.ts";
import { tokenCount } from "../../../src/llm/prompts/tokens.ts";
import { KEY_INFO_WAYS, type KeyInfoWay, lyingService, type LyingService, type Way, WAYS } from "./lying-service.ts";
import { KEY, listLog, memoryStore, type MemoryStore, prompts, PROBE_DIR, question, settings } from "../support.ts";
import { rawRow } from "../../support/raw-row.ts";

const LIMIT = dec(10);
// A question costs some tenths of a dollar, so that ten dollars are soon spent.
const DEAR: ModelPrice = {
  name: "model-1",
  speech: "chat",
  inputPerMillionUsd: dec(600),
  outputPerMillionUsd: dec(1_000),
  cachedPerMillionUsd: dec(100),
};
/** A quarter of it: the worst case of one question is then some percent of the day; in real use it is a tenth of that. */
const USUAL: ModelPrice = {
  ...DEAR,
  inputPerMillionUsd: dec(150),
  outputPerMillionUsd: dec(250),
  cachedPerMillionUsd: dec(25),
};
const MAX_TOKENS = 60;
const library = prompts(PROBE_DIR);

interface World {
  readonly price: ModelPrice;
  readonly clock: VirtualClock;
  readonly service: LyingService;
  gateway: ModelGateway;
  runNumber: number;
  asked: number;
  /** Rows of a process that was killed do not reach the disk any more. */
  alive: { yes: boolean };
  readonly store: MemoryStore;
  readonly pending: Set<Promise<unknown>>;
}

function world(price: ModelPrice): World {
  const clock = virtualClock(Date.parse("2026-01-31T20:00:00Z"));
  const service = lyingService(clock, price);
  const store = memoryStore(clock.nowMs);
  const made = {
    price,
    clock,
    service,
    store,
    runNumber: 1,
    asked: 0,
    alive: { yes: true },
    pending: new Set<Promise<unknown>>(),
  };
  return Object.assign(made, { gateway: born(made) });
}

function born({ price, service, store, runNumber, alive }: Omit<World, "gateway">): ModelGateway {
  const mine = alive;
  return createModelGateway({
    env: service.env(runNumber),
    log: listLog(),
    settings: settings({
      names: [price],
      dayLimitUsd: LIMIT,
      maxConcurrent: 64,
      cache: 0,
      aiUrl: "http://gateway.invalid/ai",
    }),
    apiKey: KEY,
    ledger: {
      rowsSince: (sinceMs, atLeast) => store.rowsSince(sinceMs, atLeast),
      append: (row) => {
        if (!mine.yes) throw new Error("the process is gone");
        return store.append(row);
      },
    },
    prompts: library,
  });
}

function crash(at: World): void {
  at.alive.yes = false;
  at.alive = { yes: true };
  at.runNumber += 1;
  at.gateway = born(at);
}

function ask(at: World, count: number): void {
  for (let i = 0; i < count; i++) {
    const one = at.gateway.ask(question({ fingerprint: `f${++at.asked}`, maxOutputTokens: MAX_TOKENS }));
    const done: Promise<unknown> = one.finally(() => at.pending.delete(done));
    at.pending.add(done);
  }
}

/** Lets what is under way end; nothing in this world waits for real time. */
async function settle(at: World): Promise<void> {
  for (let turns = 0; at.pending.size > 0; turns++) {
    if (turns > 2_000) throw new Error("it does not come to rest");
    await new Promise((resolve) => setImmediate(resolve));
    await at.clock.advance(100);
    expectWithin(at);
  }
}

const overshoot = (at: World): Decimal => at.service.spentIn24h().sub(LIMIT);
function expectWithin(at: World): void {
  expect(overshoot(at).gt(0) ? overshoot(at).toFixed() : "0.00").toBe("0.00");
}

type Step =
  | { readonly kind: "ask"; readonly count: number; readonly way: Way }
  | { readonly kind: "crash"; readonly count: number; readonly way: Way }
  | { readonly kind: "reconcile"; readonly way: KeyInfoWay }
  | { readonly kind: "pass"; readonly minutes: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("ask" as const),
        count: fc.integer({ min: 1, max: 16 }),
        way: fc.constantFrom(...WAYS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("crash" as const),
        count: fc.integer({ min: 0, max: 8 }),
        way: fc.constantFrom(...WAYS),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("reconcile" as const), way: fc.constantFrom(...KEY_INFO_WAYS) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("pass" as const),
        minutes: fc.constantFrom(1, 15, 241, 720, 1_439, 1_441),
      }),
    },
  ),
  { maxLength: 14 },
);

async function run(at: World, step: Step): Promise<void> {
  switch (step.kind) {
    case "ask":
      at.service.way = step.way;
      ask(at, step.count);
      return settle(at);
    case "crash":
      // Killed with questions under way: what they cost is charged all the same.
      at.service.way = step.way;
      ask(at, step.count);
      await new Promise((resolve) => setImmediate(resolve));
      crash(at);
      return settle(at);
    case "reconcile":
      at.service.keyInfo = step.way;
      return at.gateway.reconcile();
    case "pass":
      await at.clock.advance(step.minutes * MINUTE_MS);
  }
}

beforeAll(() => tokenCount("warm"));

describe("what is truly charged", () => {
  test("never passes the limit in any 24 hours, whatever the service says and however often the process dies", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const at = world(DEAR);
        for (const step of list) {
          await run(at, step);
          expectWithin(at);
        }
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});

describe("at least 95 percent of the money is usable when asked for", () => {
  test("with a service that states its bills", async () => {
    const at = world(USUAL);
    at.service.way = "header";
    for (let round = 0; round < 120 && at.gateway.budget().usedUsd.lt(dec("9.5")); round++) {
      ask(at, 8);
      await settle(at);
      await at.clock.advance(1_000);
    }
    expect(at.service.spentIn24h().toNumber()).toBeGreaterThanOrEqual(9.5);
    expectWithin(at);
  });

  test("and 32 questions at once at 9.90 spent get what fits, to the cent", async () => {
    const at = world(USUAL);
    const earlier = { attemptId: "ask-0", atMs: at.clock.nowMs(), costUsd: "9.9", how: "actual" };
    at.store.append(rawRow("model-settle", earlier));
    crash(at);
    ask(at, 32);
    await settle(at);
    expect(at.service.spentIn24h().toNumber()).toBeLessThanOrEqual(0.1);
    expect(at.gateway.budget().usedUsd.lte(LIMIT)).toBe(true);
    expect(at.gateway.budget().outcomes["over-budget"]).toBeGreaterThan(0);
  });
});

test("a bill far below what was asked and answered is not believed: its bound is booked", async () => {
  const at = world(USUAL);
  at.service.way = "usage far too low";
  ask(at, 1);
  await settle(at);
  expect(at.store.rows.at(-1)?.body).toMatchObject({ how: "bound" });
  expect(at.gateway.budget().usedUsd.gte(at.service.spentIn24h())).toBe(true);
});
