/** The durable side of the budget: which rows it writes, what it reads back, and what it says when a row fails. */
import { describe, expect, test } from "vitest";
import { dec, type Decimal, ZERO } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { createLedger, type LedgerDeps } from "../../../src/llm/budget/ledger.ts";
import type { BudgetLedger } from "../../../src/llm/budget/ledger.ts";
import type { Reservation } from "../../../src/llm/budget/entries.ts";
import { envOn, listLog, memoryStore, type MemoryStore } from "./ledger-support.ts";
import { rawRow } from "../../support/raw-row.ts";

const START_MS = Date.parse("2026-01-31T20:00:00Z");
const text = (value: Decimal | null): string | null => value && value.toFixed();

interface World extends LedgerDeps {
  readonly clock: ReturnType<typeof virtualClock>;
  readonly store: MemoryStore;
  readonly log: ReturnType<typeof listLog>;
  readonly ledger: BudgetLedger;
}

function world(change: Partial<LedgerDeps> & { store?: MemoryStore; runNumber?: number } = {}): World {
  const clock = virtualClock(START_MS);
  const log = listLog();
  const { runNumber = 1, store = memoryStore(clock.nowMs), ...rest } = change;
  const deps = { env: envOn(clock, runNumber), log, rules: { limitUsd: dec(10), boundaryMs: 0 }, ...rest, store };
  return { ...deps, clock, log, ledger: createLedger(deps) };
}

const ask = (ledger: BudgetLedger, bound: string, model = "m"): Reservation => {
  const made = ledger.reserve({ decisionId: "d-1", purpose: "decision", model, boundUsd: dec(bound) });
  if (!made.ok) throw new Error(made.error.reason);
  return made.value;
};

const failing = (store: MemoryStore): void => {
  store.append = () => {
    throw new Error("disk full");
  };
};

describe("the ledger's rows", () => {
  test("a reservation is a row before the call, a booking one after it, and the log says both figures", async () => {
    const { ledger, store, log, clock } = world();
    const reservation = ask(ledger, "2");
    expect(reservation.boundUsd.toFixed()).toBe("2");
    expect(store.rows).toEqual([
      {
        seq: 1,
        kind: "model-reserve",
        atMs: START_MS,
        body: {
          attemptId: reservation.attemptId,
          decisionId: "d-1",
          purpose: "decision",
          model: "m",
          atMs: START_MS,
          boundUsd: "2",
        },
      },
    ]);
    expect(reservation.attemptId).toMatch(/^ask-/);
    await clock.advance(500);
    expect(ledger.settle(reservation, dec("0.5")).toFixed()).toBe("0.5");
    expect(store.rows.at(-1)).toEqual({
      seq: 2,
      kind: "model-settle",
      atMs: START_MS + 500,
      body: { attemptId: reservation.attemptId, atMs: START_MS + 500, costUsd: "0.5", how: "actual" },
    });
    expect(log.lines).toEqual([
      {
        level: "info",
        evt: "budget.spent",
        msg: "Booked 0.5 USD (actual); 0.5 USD used today, 9.5 USD left.",
        fields: {
          decision: "d-1",
          attemptId: reservation.attemptId,
          how: "actual",
          costUsd: "0.5",
          usedTodayUsd: "0.5",
          leftUsd: "9.5",
        },
      },
    ]);
  });

  test.each([
    [null, "bound", "2"],
    ["0", "nothing", "0"],
    ["0.1234567890123", "actual", "0.123456789013"],
  ])("a bill of %s is booked as %s: %s", (invoice, how, costUsd) => {
    const { ledger, store } = world();
    const booked = ledger.settle(ask(ledger, "2"), invoice === null ? null : dec(invoice));
    expect(booked.toFixed()).toBe(costUsd);
    expect(store.rows.at(-1)?.body).toMatchObject({ how, costUsd });
    expect(ledger.used().dayUsd.toFixed()).toBe(costUsd);
  });

  test("a bound is rounded up to what a row holds", () => {
    const { ledger, store } = world();
    expect(ask(ledger, "0.0000000000001").boundUsd.toFixed()).toBe("0.000000000001");
    expect(store.rows[0]?.body["boundUsd"]).toBe("0.000000000001");
  });

  test("over budget: refused with the figures, and no trace", () => {
    const { ledger, store } = world();
    ledger.settle(ask(ledger, "9"), dec(9));
    const made = ledger.reserve({ decisionId: "d", purpose: "p", model: "m", boundUsd: dec("1.5") });
    expect(made).toEqual({
      ok: false,
      error: {
        kind: "over-budget",
        reason: "may cost 1.5 USD, 1 is left (9 used today and 9 in 24 hours of 10)",
      },
    });
    expect(store.rows).toHaveLength(2);
    expect(ledger.used().openUsd.toFixed()).toBe("0");
  });

  test("a row that cannot be written: no reservation, no charge", () => {
    const { ledger, store } = world();
    failing(store);
    expect(ledger.reserve({ decisionId: "d", purpose: "p", model: "m", boundUsd: dec(1) })).toEqual({
      ok: false,
      error: { kind: "ledger", reason: "the reservation could not be written: Error: disk full" },
    });
    expect(ledger.used()).toMatchObject({ openUsd: ZERO, leftUsd: dec(10) });
  });

  test.each([
    ["0.5", "2"],
    ["3", "3"],
  ])(
    "a booking of %s that cannot be written answers the larger of bill and bound, %s, and is reported",
    (invoice, answer) => {
      const { ledger, store, log } = world();
      const reservation = ask(ledger, "2");
      failing(store);
      expect(ledger.settle(reservation, dec(invoice)).toFixed()).toBe(answer);
      expect(ledger.used().openUsd.toFixed()).toBe("2");
      expect(log.lines.at(-1)).toEqual({
        level: "error",
        evt: "budget.spent",
        msg: "A ledger entry could not be written (Error: disk full); its bound stays charged.",
        fields: { error: "Error: disk full" },
      });
    },
  );

  test("a booking that the disk did not take is written soon, though nothing more is asked", async () => {
    const { ledger, store, clock } = world();
    const reservation = ask(ledger, "2");
    const { append } = store;
    failing(store);
    ledger.settle(reservation, dec("0.5"));
    await clock.advance(6_000);
    expect(ledger.used().openUsd.toFixed()).toBe("2");
    store.append = append;
    await clock.advance(5_000);
    expect(store.rows.at(-1)).toMatchObject(
      rawRow("model-settle", { attemptId: reservation.attemptId, costUsd: "0.5", how: "actual" }),
    );
    expect(ledger.used().openUsd.isZero()).toBe(true);
  });

  test("at the end it is tried once more, and then no more", async () => {
    const { ledger, store, log, clock } = world();
    const reservation = ask(ledger, "2");
    failing(store);
    ledger.settle(reservation, dec("0.5"));
    ledger.close();
    await clock.advance(60_000);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(2);
  });

  test("an end with nothing left to write is quiet, a second one too", () => {
    const { ledger, log } = world();
    ledger.close();
    ledger.close();
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("what could not be written is written, once, before the next reservation", () => {
    const { ledger, store } = world();
    const reservation = ask(ledger, "2");
    const { append } = store;
    failing(store);
    ledger.settle(reservation, dec("0.5"));
    store.append = append;
    const next = ask(ledger, "1");
    const { attemptId } = reservation;
    expect(store.rows.slice(1)).toMatchObject([
      rawRow("model-settle", { attemptId, costUsd: "0.5", how: "actual" }),
      rawRow("model-reserve", { attemptId: next.attemptId }),
    ]);
    expect(ledger.used().openUsd.toFixed()).toBe("1");
    // The bill, and the bound of what is asked now.
    expect(text(ledger.spentSince(START_MS))).toBe("1.5");
    ask(ledger, "1");
    expect(store.rows.filter(({ kind }) => kind === "model-settle")).toHaveLength(1);
  });

  test("the mean of a call leaves adoptions out", () => {
    const { ledger } = world();
    expect(ledger.meanCallUsd()).toBeNull();
    ledger.settle(ask(ledger, "2"), dec("0.5"));
    ledger.adopt(dec(3), { report: { spendUsd: dec("3.5"), atMs: START_MS }, baseline: null });
    expect(text(ledger.meanCallUsd())).toBe("0.5");
    expect(ledger.spentSince(START_MS).toFixed()).toBe("3.5");
    expect(ledger.spentSince(START_MS + 1).toFixed()).toBe("0");
  });
});

describe("bills above their bounds", () => {
  test("raise the bounds of that model by the ratio and a tenth, each time again", () => {
    const { ledger, log } = world();
    ledger.settle(ask(ledger, "1"), dec("1"));
    expect(ledger.marginFor("m").toFixed()).toBe("1");
    expect(log.lines.filter(({ level }) => level === "warn")).toEqual([]);
    ledger.settle(ask(ledger, "1"), dec("1.5"));
    expect(ledger.marginFor("m").toFixed()).toBe("1.65");
    expect(log.lines.filter(({ level }) => level === "warn")).toEqual([
      {
        level: "warn",
        evt: "budget.spent",
        msg: "A call of m cost 1.5 times its bound; bounds are raised.",
        fields: { model: "m", ratio: "1.5" },
      },
    ]);
    ledger.settle(ask(ledger, "1"), dec("2"));
    expect(ledger.marginFor("m").toFixed()).toBe("3.63");
    ledger.settle(ask(ledger, "1"), dec("0.1"));
    expect(ledger.marginFor("m").toFixed()).toBe("3.63");
    expect(ledger.marginFor("other").toFixed()).toBe("1");
  });

  test("of questions side by side do not multiply each other's margins, nor do their rows at a start", () => {
    const { ledger, store } = world();
    const round = ["1", "1", "1"].map((bound) => ask(ledger, bound));
    for (const one of round) ledger.settle(one, dec("2"));
    expect(ledger.marginFor("m").toFixed()).toBe("2.2");
    expect(world({ store }).ledger.marginFor("m").toFixed()).toBe("2.2");
  });

  test("raise them as long as they count, and stay needed where later bills fit only the raised bounds", async () => {
    const { ledger, clock, store } = world();
    ledger.settle(ask(ledger, "0.5"), dec("6"));
    ledger.settle(ask(ledger, "0.1", "other"), dec("0.2"));
    await clock.advance(DAY_MS - 1);
    expect(ledger.marginFor("m").toFixed()).toBe("13.2");
    ledger.settle(ask(ledger, "0.22", "other"), dec("0.2"));
    await clock.advance(1);
    expect(ledger.marginFor("m").toFixed()).toBe("1");
    expect(ledger.marginFor("other").toFixed()).toBe("2.2");
    const again = world({ store });
    await again.clock.advance(DAY_MS);
    expect(["m", "other"].map((model) => again.ledger.marginFor(model).toFixed())).toEqual(["1", "2.2"]);
  });

  test("that are unknown prove no margin at a start", () => {
    const { ledger, store } = world();
    ledger.settle(ask(ledger, "1"), dec("2"));
    ledger.settle(ask(ledger, "2.2"), null);
    expect(world({ store }).ledger.marginFor("m").toFixed()).toBe("2.2");
  });

  test("that were nothing are taken for a millionth", () => {
    const { ledger } = world();
    ledger.settle(ask(ledger, "0"), dec("0.000002"));
    expect(ledger.marginFor("m").toFixed()).toBe("2.2");
  });

  test("the log's ratio has four places", () => {
    const { ledger, log } = world();
    ledger.settle(ask(ledger, "3"), dec("4"));
    expect(log.lines.find(({ level }) => level === "warn")?.fields).toEqual({ model: "m", ratio: "1.3333" });
  });
});

describe("the gateway's word", () => {
  const compared = (extra: string, reported: string): string =>
    `reconciled: +${extra} USD; the gateway reports ${reported} USD spent`;
  const figures = (spend: string, baseline: string | null = null, atMs = START_MS) => ({
    report: { spendUsd: dec(spend), atMs },
    baseline: baseline === null ? null : { spendUsd: dec(baseline), atMs },
  });

  test("beyond ours is charged, and a row keeps it", () => {
    const { ledger, store, log } = world();
    expect([ledger.lastReport(), ledger.baseline()]).toEqual([null, null]);
    const given = figures("3");
    ledger.adopt(dec(3), given);
    expect(ledger.lastReport()).toBe(given.report);
    expect(ledger.baseline()).toBeNull();
    expect(ledger.used().dayUsd.toFixed()).toBe("3");
    expect(store.rows).toHaveLength(1);
    expect(store.rows[0]).toEqual({
      seq: 1,
      kind: "model-settle",
      atMs: START_MS,
      body: {
        attemptId: expect.stringMatching(/^adopt-/),
        atMs: START_MS,
        costUsd: "3",
        how: "adopted",
        reportedUsd: null,
      },
    });
    expect(log.lines).toEqual([
      {
        level: "warn",
        evt: "budget.reconciled",
        msg: compared("3", "3"),
        fields: { adoptedUsd: "3", reportedUsd: "3" },
      },
    ]);
  });

  test("that agrees is reported quietly and leaves no row", () => {
    const { ledger, store, log } = world();
    ledger.adopt(ZERO, figures("1"));
    expect(store.rows).toEqual([]);
    expect(log.lines).toEqual([
      {
        level: "debug",
        evt: "budget.reconciled",
        msg: compared("0", "1"),
        fields: { adoptedUsd: "0", reportedUsd: "1" },
      },
    ]);
  });

  test("as a new baseline is kept in a row and read back at the next start, and charges nothing", () => {
    const { ledger, store } = world();
    const given = figures("7", "7");
    ledger.adopt(ZERO, given);
    ledger.adopt(ZERO, given);
    expect(ledger.baseline()).toBe(given.baseline);
    expect(store.rows.map(({ body }) => body)).toEqual([
      { attemptId: expect.any(String), atMs: START_MS, costUsd: "0", how: "reported", reportedUsd: "7" },
    ]);
    expect(ledger.used().dayUsd.toFixed()).toBe("0");
    const again = world({ store, runNumber: 2 }).ledger;
    expect(again.baseline()).toEqual({ spendUsd: dec(7), atMs: START_MS });
    expect([again.lastReport(), again.used().dayUsd.toFixed()]).toEqual([null, "0"]);
  });

  test("with an extra and a new baseline is one row of both, and counts once after a restart", () => {
    const { ledger, store } = world();
    ledger.adopt(dec(2), figures("9", "9"));
    expect(store.rows.map(({ body }) => body)).toMatchObject([{ costUsd: "2", how: "adopted", reportedUsd: "9" }]);
    const again = world({ store, runNumber: 2 }).ledger;
    expect(again.used().dayUsd.toFixed()).toBe("2");
    expect(text(again.baseline()?.spendUsd ?? null)).toBe("9");
  });

  test("keeps a baseline in the row only when it is a new one", () => {
    const { ledger, store } = world();
    const first = figures("5", "5");
    ledger.adopt(ZERO, first);
    ledger.adopt(dec(1), first);
    ledger.adopt(dec(1), figures("7"));
    expect(store.rows.map(({ body }) => [body["how"], body["reportedUsd"]])).toEqual([
      ["reported", "5"],
      ["adopted", null],
      ["adopted", null],
    ]);
    expect(ledger.baseline()).toBeNull();
  });

  test("that cannot be written is reported, and counts until the next start", () => {
    const { ledger, store, log } = world();
    failing(store);
    ledger.adopt(dec(2), figures("2"));
    expect(ledger.used().dayUsd.toFixed()).toBe("2");
    expect(log.lines.at(-1)).toEqual({
      level: "error",
      evt: "budget.reconciled",
      msg: "The gateway's own figure could not be written: Error: disk full",
      fields: { error: "Error: disk full" },
    });
  });
});

describe("the day's beginning", () => {
  test("moves with a row, once; only a ledger that follows the gateway remembers it", () => {
    const { ledger, store } = world();
    ledger.moveBoundary(0);
    expect(store.rows).toEqual([]);
    ledger.moveBoundary(16 * HOUR_MS);
    ledger.moveBoundary(16 * HOUR_MS);
    expect(store.rows.map(({ kind, body }) => [kind, body])).toEqual([
      [
        "model-settle",
        {
          attemptId: expect.stringMatching(/^adopt-/),
          atMs: START_MS,
          costUsd: "0",
          how: "boundary",
          boundaryMs: 16 * HOUR_MS,
        },
      ],
    ]);
    const start = Date.parse("2026-01-31T16:00:00Z");
    expect(ledger.dayStartMs()).toBe(start);
    expect(world({ store, runNumber: 2, followsGateway: true }).ledger.dayStartMs()).toBe(start);
    expect(world({ store, runNumber: 2, followsGateway: false }).ledger.dayStartMs()).toBe(start - 16 * HOUR_MS);
    expect(world({ store, runNumber: 2 }).ledger.dayStartMs()).toBe(start - 16 * HOUR_MS);
  });

  test("passes when its time has come, though nothing was asked", async () => {
    const { ledger, clock } = world();
    await clock.advance(4 * HOUR_MS);
    expect(ledger.dayStartMs()).toBe(Date.parse("2026-02-01T00:00:00Z"));
  });

  test("a row without its figure means midnight", () => {
    const store = memoryStore(() => START_MS);
    const body = { attemptId: "adopt-1", atMs: START_MS, costUsd: "0", how: "boundary" };
    store.append(rawRow("model-settle", body));
    const rules = { limitUsd: dec(10), boundaryMs: 16 * HOUR_MS };
    const { ledger } = world({ store, rules, followsGateway: true });
    expect(ledger.dayStartMs()).toBe(Date.parse("2026-01-31T00:00:00Z"));
  });
});

describe("a start", () => {
  const reserved = (store: MemoryStore, attemptId: string, boundUsd = "2"): void => {
    const body = { attemptId, decisionId: "d-7", purpose: "p", model: "m", atMs: START_MS, boundUsd };
    store.append(rawRow("model-reserve", body));
  };
  const settled = (store: MemoryStore, attemptId: string, costUsd: string): void => {
    store.append(rawRow("model-settle", { attemptId, atMs: START_MS, costUsd, how: "actual" }));
  };

  test("books what a crash left open at its bound, under its decision", () => {
    const store = memoryStore(() => START_MS);
    reserved(store, "a");
    const { log, ledger } = world({ store });
    expect(store.rows.at(-1)?.body).toMatchObject({ attemptId: "a", how: "crash", costUsd: "2" });
    expect(log.lines).toMatchObject([{ level: "info", fields: { decision: "d-7", how: "crash", costUsd: "2" } }]);
    expect(ledger.used()).toMatchObject({ dayUsd: dec(2), openUsd: ZERO });
  });

  test("reads a booking without a reservation, and the same booking twice counts once", () => {
    const store = memoryStore(() => START_MS);
    settled(store, "lone", "1");
    settled(store, "lone", "1");
    reserved(store, "a");
    settled(store, "a", "0.5");
    settled(store, "a", "0.7");
    const { ledger } = world({ store });
    expect(ledger.used().dayUsd.toFixed()).toBe("1.5");
    expect(store.rows).toHaveLength(5);
  });

  test("refuses rows of money that it cannot read", () => {
    const store = memoryStore(() => START_MS);
    store.append(rawRow("model-settle", { attemptId: "a", atMs: START_MS, costUsd: "many", how: "actual" }));
    expect(() => world({ store })).toThrow(
      'row 1 of kind model-settle: costUsd: must be a plain decimal such as 0.5, found "many"',
    );
  });

  test("looks three days back, and at the newest thousand rows whenever they were written", () => {
    const asked: number[][] = [];
    const store = { ...memoryStore(() => START_MS), rowsSince: (...span: number[]) => (asked.push(span), []) };
    world({ store });
    expect(asked).toEqual([[START_MS - 3 * DAY_MS, 1_000]]);
  });

  test("learns from bills above their bounds what it had learned before", () => {
    const store = memoryStore(() => START_MS);
    reserved(store, "a", "1");
    settled(store, "a", "3");
    expect(world({ store }).ledger.marginFor("m").toFixed()).toBe("3.3");
  });
});
