/** The openings that limits count: those of the last day, in a running process, over a restart and on paper. */
import { expect, test } from "vitest";
import { PaperAccount } from "../../src/agent/paper/paper-account.ts";
import { paperFromRow, paperRow } from "../../src/agent/paper/paper-rows.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { restore } from "../../src/restore/restore.ts";
import { OPENINGS_KEPT, openingsOfDay, type RecentOpening } from "../../src/risk/view.ts";
import { story } from "../support/agent-story.ts";
import { BTC, ready, START_MS, type World } from "../support/agent-world.ts";
import { readerOf } from "../support/reader-of.ts";

const openedAt = (atMs: number): RecentOpening => ({ symbol: BTC, side: "LONG", atMs });

const countedIn = (w: World): number | undefined =>
  w.agent.gauges().find(({ name }) => name === "agent.openings")?.size;

test("older ones do not count, and of very many only the newest", () => {
  const ages = [DAY_MS + 1, DAY_MS, DAY_MS - 1, HOUR_MS].map((age) => openedAt(START_MS - age));
  expect(openingsOfDay(ages, START_MS)).toEqual(ages.slice(2));
  expect(openingsOfDay(ages.slice(0, 2), START_MS)).toEqual([]);
  const many = Array.from({ length: OPENINGS_KEPT + 5 }, (_, at) => openedAt(START_MS + at));
  expect(openingsOfDay(many, START_MS + HOUR_MS)).toEqual(many.slice(5));
});

test("a process drops older ones as it opens, and a restart keeps the rest for a day", () => {
  const recentOpenings = [DAY_MS + HOUR_MS, HOUR_MS].map((age) => openedAt(START_MS - age));
  const w = ready({ restored: { recentOpenings } });
  story("wants BTC LONG 0.2\n1.5 s -> places BTC once", w);
  expect(countedIn(w)).toBe(2);
  const [opening] = restore(readerOf(w), w.nowMs).recentOpenings ?? [];
  expect(opening).toMatchObject({ symbol: BTC, side: "LONG" });
  expect(restore(readerOf(w), (opening?.atMs ?? 0) + DAY_MS).recentOpenings).toEqual([]);
});

test("a paper account drops older ones as it opens, and its row brings the rest back", () => {
  const account = new PaperAccount(START_MS);
  for (const atMs of [START_MS, START_MS + HOUR_MS, START_MS + DAY_MS]) {
    const fill = { price: dec(100), mid: dec(100), feeRate: ZERO, atMs };
    const position = { symbol: BTC, side: "LONG" as const, qty: dec(1), avgPrice: dec(100), stopPrice: null };
    account.open({ ...position, targetPrice: null, openedAtMs: atMs, thesis: "t", contractSize: dec(1) }, fill);
  }
  const kept = [START_MS + HOUR_MS, START_MS + DAY_MS].map(openedAt);
  expect(account.recentOpenings).toEqual(kept);
  expect(paperFromRow(paperRow(account)).recentOpenings).toEqual(kept);
});
