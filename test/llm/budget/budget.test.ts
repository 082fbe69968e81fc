import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, type Decimal, sumDecimals } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { type VirtualClock, virtualClock } from "../../../src/core/virtual-clock.ts";
import { createLedger } from "../../../src/llm/budget/ledger.ts";
import type { BudgetLedger } from "../../../src/llm/budget/ledger.ts";
import type { Reservation } from "../../../src/llm/budget/entries.ts";
import { envOn, listLog, memoryStore, type MemoryStore } from "./ledger-support.ts";

const START_MS = Date.parse("2026-01-31T20:00:00Z");
const LIMIT = dec(10);

interface World {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  ledger: BudgetLedger;
  under: Reservation[];
  /** Monotonic instant of each booking, which no clock step moves. */
  readonly bookedAt: Map<string, number>;
}

function world(dayBoundaryUtcHour = 0): World {
  const clock = virtualClock(START_MS);
  const store = memoryStore(clock.nowMs);
  const made = (): BudgetLedger =>
    createLedger({
      env: envOn(clock),
      log: listLog(),
      store,
      rules: { limitUsd: LIMIT, boundaryMs: dayBoundaryUtcHour * HOUR_MS },
    });
  return { clock, store, ledger: made(), under: [], bookedAt: new Map() };
}

const restart = (at: World, runNumber: number): void => {
  at.ledger = createLedger({
    env: envOn(at.clock, runNumber),
    log: listLog(),
    store: at.store,
    rules: { limitUsd: LIMIT, boundaryMs: 0 },
  });
  at.under = [];
};

const reserve = (at: World, boundUsd: Decimal): boolean => {
  const made = at.ledger.reserve({ decisionId: "d", purpose: "decision", model: "m", boundUsd });
  if (made.ok) at.under.push(made.value);
  return made.ok;
};

const settle = (at: World, pick: number, share: number | null): void => {
  const [reservation] = at.under.splice(pick % Math.max(1, at.under.length), 1);
  if (!reservation) return;
  at.ledger.settle(reservation, share === null ? null : reservation.boundUsd.mul(dec(share)).toDecimalPlaces(9));
  at.bookedAt.set(reservation.attemptId, at.clock.monotonicMs());
};

/** What an outsider reads from the rows: each charge with its amount now, its reservation and its booking. */
function charges({
  rows,
}: MemoryStore): { id: string; amount: Decimal; reservedMs: number; settledMs: number | null }[] {
  const text = (value: unknown): string => String(value);
  return rows
    .filter((row) => row.kind === "model-reserve")
    .map((row) => {
      const id = text(row.body["attemptId"]);
      const end = rows.find((other) => other.kind === "model-settle" && other.body["attemptId"] === id);
      const amount = dec(text(end ? end.body["costUsd"] : row.body["boundUsd"]));
      return { id, amount, reservedMs: row.atMs, settledMs: end?.atMs ?? null };
    });
}

function expectWithin({ store, clock }: World): void {
  const now = clock.nowMs();
  const all = charges(store);
  const day = (ms: number): number => Math.floor(ms / DAY_MS);
  const sum = (picked: typeof all): Decimal => sumDecimals(picked.map((charge) => charge.amount));
  for (const oneDay of new Set(all.map((charge) => day(charge.reservedMs)))) {
    expect(sum(all.filter((charge) => day(charge.reservedMs) === oneDay)).lte(LIMIT)).toBe(true);
  }
  // A reservation in the wall clock's future belongs to a later window.
  const rolling = all.filter(
    ({ reservedMs, settledMs }) => reservedMs <= now && (settledMs === null || settledMs > now - DAY_MS),
  );
  expect(sum(rolling).lte(LIMIT)).toBe(true);
}

type Step =
  | { kind: "reserve"; cents: number }
  | { kind: "settle"; pick: number; share: number | null }
  | { kind: "crash" }
  | { kind: "pass"; minutes: number }
  | { kind: "wall"; minutes: number };

const steps = (withCrash: boolean): fc.Arbitrary<Step[]> => {
  const arms: fc.Arbitrary<Step>[] = [
    fc.record({ kind: fc.constant("reserve" as const), cents: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant("reserve" as const), cents: fc.integer({ min: 1, max: 900 }) }),
    fc.record({
      kind: fc.constant("settle" as const),
      pick: fc.nat(20),
      share: fc.option(fc.constantFrom(0, 0.1, 0.5, 1), { nil: null }),
    }),
    fc.record({ kind: fc.constant("pass" as const), minutes: fc.constantFrom(1, 60, 239, 241, 720, 1_439, 1_441) }),
    fc.record({
      kind: fc.constant("wall" as const),
      minutes: fc.constantFrom(-1_500, -300, -60, 60, 300, 1_500, 3_000),
    }),
  ];
  if (withCrash) arms.push(fc.constant({ kind: "crash" as const }));
  return fc.array(fc.oneof(...arms), { maxLength: 60 });
};

async function run(at: World, step: Step, runNumber: number): Promise<void> {
  if (step.kind === "reserve") reserve(at, dec(step.cents).div(100));
  else if (step.kind === "settle") settle(at, step.pick, step.share);
  else if (step.kind === "crash") restart(at, runNumber + 2);
  else if (step.kind === "pass") await at.clock.advance(step.minutes * 60_000);
  else at.clock.stepWall(step.minutes * 60_000);
}

describe("never above the limit", () => {
  test("in any day and any 24 hours, through crashes and steps of the clock", () =>
    fc.assert(
      fc.asyncProperty(steps(true), async (list) => {
        const at = world();
        for (const [runNumber, step] of list.entries()) {
          await run(at, step, runNumber);
          expectWithin(at);
        }
      }),
      { numRuns: 300 },
    ));

  test("in any 24 true hours, whatever the wall clock says", () =>
    fc.assert(
      fc.asyncProperty(steps(false), async (list) => {
        const at = world();
        for (const [runNumber, step] of list.entries()) {
          await run(at, step, runNumber);
          const now = at.clock.monotonicMs();
          const recent = charges(at.store).filter(({ id }) => now - (at.bookedAt.get(id) ?? now) < DAY_MS);
          expect(sumDecimals(recent.map((charge) => charge.amount)).lte(LIMIT)).toBe(true);
        }
      }),
      { numRuns: 300 },
    ));

  test("and the whole limit can be used: a call that fits exactly is made, one cent more is not", () => {
    const at = world();
    expect(reserve(at, dec("9.9"))).toBe(true);
    expect(reserve(at, dec("0.11"))).toBe(false);
    expect(reserve(at, dec("0.1"))).toBe(true);
    expect(reserve(at, dec("0.000000000001"))).toBe(false);
  });
});

describe("a reservation", () => {
  test("that a crash left open counts though the clock was set ahead by a week before the restart. Fault C2", () => {
    const at = world();
    reserve(at, dec("8.5"));
    at.clock.stepWall(7 * DAY_MS);
    restart(at, 2);
    expect(at.ledger.used()).toMatchObject({ rollingUsd: dec("8.5"), leftUsd: dec("1.5") });
  });

  test("that a crash left open is booked at its bound", () => {
    const at = world();
    reserve(at, dec("1.5"));
    restart(at, 2);
    expect(at.ledger.used()).toMatchObject({ dayUsd: dec("1.5"), openUsd: dec(0) });
    expect(at.store.rows.at(-1)?.body).toMatchObject({ how: "crash", costUsd: "1.5" });
    restart(at, 3);
    expect(at.store.rows).toHaveLength(2);
    expect(at.ledger.used().dayUsd.toFixed()).toBe("1.5");
  });

  test("made before midnight and settled after it belongs to the day before, and to the 24 hours", async () => {
    const at = world();
    await at.clock.advance(4 * HOUR_MS - 1_000);
    reserve(at, dec(4));
    await at.clock.advance(5_000);
    settle(at, 0, 1);
    expect(at.ledger.used()).toMatchObject({ dayUsd: dec(0), rollingUsd: dec(4), leftUsd: dec(6) });
    await at.clock.advance(DAY_MS - 1);
    expect(at.ledger.used().rollingUsd.toFixed()).toBe("4");
    await at.clock.advance(1);
    expect(at.ledger.used()).toMatchObject({ rollingUsd: dec(0), leftUsd: dec(10) });
  });

  test("stays charged at its bound when its booking cannot be written", () => {
    const at = world();
    reserve(at, dec(2));
    at.store.append = () => {
      throw new Error("disk full");
    };
    settle(at, 0, 0.1);
    expect(at.ledger.used()).toMatchObject({ dayUsd: dec(2), openUsd: dec(2) });
  });

  test("that cost more than its bound raises the bounds to come, also after a restart", () => {
    const at = world();
    const made = at.ledger.reserve({ decisionId: "d", purpose: "p", model: "m", boundUsd: dec(1) });
    if (made.ok) at.ledger.settle(made.value, dec(2));
    expect(at.ledger.marginFor("m").toFixed()).toBe("2.2");
    restart(at, 2);
    expect(at.ledger.marginFor("m").toFixed()).toBe("2.2");
    expect(at.ledger.marginFor("other").toFixed()).toBe("1");
  });
});

test("the budget day begins at the hour that is set", async () => {
  const at = world(16);
  reserve(at, dec(3));
  expect(at.ledger.dayStartMs()).toBe(Date.parse("2026-01-31T16:00:00Z"));
  await at.clock.advance(20 * HOUR_MS - 1);
  expect(at.ledger.dayStartMs()).toBe(Date.parse("2026-01-31T16:00:00Z"));
  await at.clock.advance(1);
  expect(at.ledger.dayStartMs()).toBe(Date.parse("2026-02-01T16:00:00Z"));
});

test("the 24 hours outlive a restart", async () => {
  const at = world();
  reserve(at, dec(9));
  settle(at, 0, 1);
  await at.clock.advance(5 * HOUR_MS);
  restart(at, 2);
  expect(at.ledger.used()).toMatchObject({ dayUsd: dec(0), rollingUsd: dec(9) });
});

test("a wall clock set a week ahead does not make the 24 hours pass", () => {
  const at = world();
  reserve(at, dec(9));
  settle(at, 0, 1);
  at.clock.stepWall(7 * DAY_MS);
  expect(at.ledger.used()).toMatchObject({ dayUsd: dec(0), rollingUsd: dec(9) });
  expect(reserve(at, dec(2))).toBe(false);
});

test("a booking made after a step back stays in the day of its reservation", async () => {
  const at = world();
  await at.clock.advance(4 * HOUR_MS + 10 * 60_000);
  reserve(at, dec(9));
  at.clock.stepWall(-HOUR_MS);
  settle(at, 0, 1);
  at.clock.stepWall(HOUR_MS);
  await at.clock.advance(DAY_MS - HOUR_MS + 60_000);
  restart(at, 2);
  await at.clock.advance(5 * 60_000);
  expect(at.ledger.used().rollingUsd.toFixed()).toBe("9");
});

test("a clock that steps back does not open a closed day again", async () => {
  const at = world();
  await at.clock.advance(5 * HOUR_MS);
  reserve(at, dec(6));
  settle(at, 0, 1);
  at.clock.stepWall(-3 * HOUR_MS);
  expect(at.ledger.used().dayUsd.toFixed()).toBe("6");
  expect(reserve(at, dec(5))).toBe(false);
});

test("asked every hour with four questions at once, 95 percent of each day's money is used", async () => {
  const at = world();
  const used: Decimal[] = [];
  for (let hour = 0; hour < 72; hour++) {
    for (let round = 0; round < 4; round++) {
      // The worst case is five times the bill, and stands while the four are under way.
      for (let i = 0; i < 4; i++) reserve(at, dec("0.15"));
      while (at.under.length > 0) settle(at, 0, 0.2);
    }
    if (hour % 24 === 23) used.push(at.ledger.used().rollingUsd);
    expect(at.ledger.used().rollingUsd.lte(LIMIT)).toBe(true);
    await at.clock.advance(HOUR_MS);
  }
  for (const usd of used) expect(usd.toNumber()).toBeGreaterThanOrEqual(9.5);
});
