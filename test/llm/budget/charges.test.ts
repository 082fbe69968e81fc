/** The arithmetic of the budget by itself: what is charged, what counts for how long, and what is left. */
import { describe, expect, test } from "vitest";
import { dec, type Decimal, ZERO } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import * as budgeting from "../../../src/llm/budget/budget.ts";

const START_MS = Date.parse("2026-01-31T20:00:00Z");
const text = (value: Decimal | null): string | null => value && value.toFixed();

describe("the budget", () => {
  const at = (ms: number, monotonicMs: number | null = ms): budgeting.Instant => ({
    wallMs: START_MS + ms,
    monotonicMs,
  });
  const budget = (): budgeting.Budget => budgeting.newBudget({ limitUsd: dec(10), boundaryMs: 0 });
  const usedAt = (of: budgeting.Budget, ms: number): Record<string, string | null> =>
    Object.fromEntries(
      Object.entries(budgeting.used(of, at(ms))).map(([name, value]) => [name, text(value as Decimal)]),
    );

  test("an empty one has its whole limit left", () => {
    expect(usedAt(budget(), 0)).toEqual({
      dayUsd: "0",
      rollingUsd: "0",
      openUsd: "0",
      bookedTodayUsd: "0",
      leftUsd: "10",
      sinceMs: "Infinity",
    });
  });

  test("says what is reserved from what is booked", () => {
    const one = budget();
    expect(budgeting.reserve(one, "a", dec(3), at(0))).toBe(true);
    expect(budgeting.reserve(one, "b", dec(2), at(0))).toBe(true);
    expect(budgeting.settle(one, "b", dec("1.5"), at(1)).toFixed()).toBe("1.5");
    expect(usedAt(one, 1)).toEqual({
      dayUsd: "4.5",
      rollingUsd: "4.5",
      openUsd: "3",
      bookedTodayUsd: "1.5",
      leftUsd: "5.5",
      sinceMs: String(START_MS),
    });
    expect(budgeting.openAttempts(one)).toEqual(["a"]);
  });

  test("remembers what was booked from an asked-for instant on, that instant too, however old it is", () => {
    const one = budget();
    budgeting.book(one, "before", dec(1), at(999));
    budgeting.book(one, "then", dec(2), at(1_000));
    one.keptFromMs = START_MS + 1_000;
    budgeting.advance(one, at(4 * DAY_MS));
    expect([...one.charges.keys()]).toEqual(["then"]);
    expect(budgeting.spentSince(one, one.keptFromMs).toFixed()).toBe("2");
  });

  test("refuses what is negative, endless or already reserved; nothing at all fits always", () => {
    const one = budget();
    expect(budgeting.reserve(one, "a", dec(-1), at(0))).toBe(false);
    expect(budgeting.reserve(one, "a", dec(1).div(0), at(0))).toBe(false);
    expect(budgeting.reserve(one, "a", ZERO, at(0))).toBe(true);
    expect(budgeting.reserve(one, "a", dec(1), at(0))).toBe(false);
    expect(usedAt(one, 0)).toMatchObject({ dayUsd: "0", leftUsd: "10" });
  });

  test("what is withdrawn was never charged", () => {
    const one = budget();
    budgeting.reserve(one, "a", dec(3), at(0));
    budgeting.withdraw(one, "a");
    expect([usedAt(one, 0)["leftUsd"], budgeting.openAttempts(one)]).toEqual(["10", []]);
  });

  test("a booking without a figure books the bound, and only an open reservation can be booked", () => {
    const one = budget();
    budgeting.reserve(one, "a", dec(3), at(0));
    expect(budgeting.settle(one, "a", null, at(1)).toFixed()).toBe("3");
    expect(() => budgeting.settle(one, "a", null, at(1))).toThrow("settled a, which is not an open reservation");
    expect(() => budgeting.settle(one, "never", dec(1), at(1))).toThrow("never");
  });

  test("overspent, nothing is left, and never less than nothing", () => {
    const one = budget();
    budgeting.book(one, "adopt", dec(12), at(0));
    expect(usedAt(one, 0)).toMatchObject({ dayUsd: "12", bookedTodayUsd: "12", leftUsd: "0" });
  });

  test("a reservation is counted in every 24 hours while it is open, however old", () => {
    const one = budget();
    budgeting.reserve(one, "a", dec(3), at(0));
    const later = 3 * DAY_MS;
    expect(usedAt(one, later)).toMatchObject({ dayUsd: "0", rollingUsd: "3", openUsd: "3", leftUsd: "7" });
    expect(usedAt(one, later)["bookedTodayUsd"]).toBe("0");
    budgeting.settle(one, "a", dec(1), at(later));
    expect(usedAt(one, later)).toMatchObject({ dayUsd: "0", rollingUsd: "1", openUsd: "0" });
    expect(usedAt(one, later + DAY_MS - 1)["rollingUsd"]).toBe("1");
    expect(usedAt(one, later + DAY_MS)["rollingUsd"]).toBe("0");
  });

  test("24 hours are over when both clocks say so; without the monotonic one the wall clock decides", () => {
    const booked = (monotonicMs: number | null): budgeting.Budget => {
      const one = budget();
      budgeting.book(one, "a", dec(1), at(0, monotonicMs));
      return one;
    };
    const rolling = (one: budgeting.Budget, wallMs: number, monotonicMs: number | null): string =>
      budgeting.used(one, at(wallMs, monotonicMs)).rollingUsd.toFixed();
    expect(rolling(booked(0), DAY_MS, DAY_MS - 1)).toBe("1");
    expect(rolling(booked(0), DAY_MS, DAY_MS)).toBe("0");
    expect(rolling(booked(50), DAY_MS, DAY_MS + 49)).toBe("1");
    expect(rolling(booked(50), DAY_MS, DAY_MS + 50)).toBe("0");
    expect(rolling(booked(0), DAY_MS - 1, DAY_MS)).toBe("1");
    expect(rolling(booked(null), DAY_MS, 5)).toBe("0");
    expect(rolling(booked(0), DAY_MS, null)).toBe("0");
    expect(rolling(booked(null), DAY_MS - 1, null)).toBe("1");
  });

  test("keeps what may still count and forgets what cannot: booked, two days past and outside the 24 hours", () => {
    const one = budget();
    budgeting.book(one, "old", dec(1), at(0));
    budgeting.reserve(one, "open", dec(1), at(0));
    const day = (n: number): number => n * DAY_MS;
    budgeting.advance(one, at(day(1)));
    expect([...one.charges.keys()]).toEqual(["old", "open"]);
    // Midnight is four hours after the start; the second one ends the day after the charge's day.
    budgeting.advance(one, at(day(1) + 4 * HOUR_MS - 1));
    expect([...one.charges.keys()]).toEqual(["old", "open"]);
    budgeting.advance(one, at(day(1) + 4 * HOUR_MS));
    expect([...one.charges.keys()]).toEqual(["open"]);
    budgeting.advance(one, at(day(9)));
    expect([...one.charges.keys()]).toEqual(["open"]);
  });

  test("a charge of a day long past is kept while the 24 hours since its booking run", () => {
    const one = budget();
    budgeting.reserve(one, "a", dec(1), at(0));
    budgeting.settle(one, "a", dec(1), at(2 * DAY_MS));
    budgeting.advance(one, at(2 * DAY_MS + HOUR_MS));
    expect([...one.charges.keys()]).toEqual(["a"]);
  });

  test("knows when its day began, and a boundary that moves moves what counts as today", () => {
    const one = budget();
    budgeting.advance(one, at(0));
    expect(budgeting.dayStartMs(one)).toBe(Date.parse("2026-01-31T00:00:00Z"));
    budgeting.book(one, "a", dec(1), at(-10 * HOUR_MS));
    expect(usedAt(one, 0)["dayUsd"]).toBe("1");
    budgeting.moveBoundary(one, 19 * HOUR_MS);
    expect(budgeting.dayStartMs(one)).toBe(Date.parse("2026-01-31T19:00:00Z"));
    expect(one.rules.limitUsd.toFixed()).toBe("10");
  });

  test("what was spent since an instant is what was booked from it on, and all that is open", () => {
    const one = budget();
    budgeting.book(one, "a", dec(1), at(0));
    budgeting.book(one, "b", dec(2), at(100));
    budgeting.reserve(one, "c", dec(4), at(0));
    expect(budgeting.spentSince(one, START_MS).toFixed()).toBe("7");
    expect(budgeting.spentSince(one, START_MS + 100).toFixed()).toBe("6");
    expect(budgeting.spentSince(one, START_MS + 101).toFixed()).toBe("4");
  });

  test("a call costs on average what the paid, ended calls of the running day did", () => {
    const one = budget();
    const isCall = (id: string): boolean => id.startsWith("ask");
    expect(budgeting.meanCallUsd(one, isCall)).toBeNull();
    budgeting.book(one, "ask-yesterday", dec(9), at(-21 * HOUR_MS));
    budgeting.book(one, "adopt", dec(8), at(0));
    budgeting.book(one, "ask-nothing", ZERO, at(0));
    budgeting.restoreReservation(one, "ask-open", dec(7), START_MS);
    expect(budgeting.meanCallUsd(one, isCall)).toBeNull();
    budgeting.book(one, "ask-1", dec(1), at(0));
    budgeting.book(one, "ask-2", dec(2), at(0));
    expect(text(budgeting.meanCallUsd(one, isCall))).toBe("1.5");
  });

  test("a reservation that is read back counts though it would not fit today", () => {
    const one = budget();
    budgeting.restoreReservation(one, "a", dec(11), START_MS);
    expect(usedAt(one, 0)).toMatchObject({ dayUsd: "11", openUsd: "11", leftUsd: "0" });
    expect(budgeting.openAttempts(one)).toEqual(["a"]);
  });
});
