/** What the journal and the report say of post-only entries: fills, late crossings, misses, and the price afterwards. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import { createMarkouts, HORIZONS_MS } from "../../src/agent/books/markouts.ts";
import { entryReport, entrySentences } from "../../src/report/orders/entry-report.ts";
import { type MarkoutRow, readMarkout } from "../../src/rows/markout.ts";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import { BTC, holding, ready, scripted, settingsOf, target, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

type Entry = AgentSettings["execution"]["entry"];
const plain = settingsOf().execution;
const MINUTE_MS = 60_000;

/** The agent decides once in an hour, and its only target is a post-only entry into BTC at 60,000. */
function begin(entry: Partial<Entry> = {}, targets: readonly TargetPosition[] = [target({ urgency: "rest" })]) {
  const { cadence } = settingsOf();
  const settings = settingsOf({
    execution: { ...plain, entry: { ...plain.entry, ...entry } },
    cadence: { ...cadence, every: 3_600_000 },
  });
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets, note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() }, settings });
  return story("1 s -> places BTC", w);
}

const markouts = (w: World): readonly MarkoutRow[] =>
  w
    .of("record")
    .filter(({ row }) => row === "markout")
    .map(({ body }, seq) => readMarkout({ seq, kind: "markout", body }));

test("a fill as maker is recorded with its saving, and the price one, five and thirty minutes later", () => {
  const w = story(
    `rest
     3 s with lists
     order FILLED at 59997
     price 59980
     1 s`,
    begin(),
  );
  const [row] = markouts(w);
  // Maker fee 0.8 bp less half a spread of 0.5 bp; crossing costs 0.5 bp and 1.75 bp.
  expect(row).toMatchObject({ event: "begin", ended: "filled", side: "BUY", crossBps: 2.25, paidBps: 0.3 });
  expect(row).toMatchObject({ waitedMs: 4_000, movedBps: -3.333 });
  story(
    `price 59970
     61 s with lists
     price 60060
     240 s with lists
     price 60000
     1500 s with lists`,
    w,
  );
  const end = markouts(w).at(-1);
  expect(end).toMatchObject({ event: "end" });
  if (end?.event !== "end") throw new Error("the observation did not end");
  expect(end.moves.map(({ movedBps }) => movedBps)).toEqual([-5, 10, 0]);
  const report = entryReport(markouts(w));
  expect(report?.saved.filled).toMatchObject({ count: 1 });
  expect(report?.saved.filled?.bps).toBeCloseTo(1.95, 6);
  expect(report?.horizons[0]?.sinceFilled?.bps).toBeCloseTo(-1.667, 3);
});

test("an entry that is given up is a miss; what a newer decision withdraws is none", () => {
  const w = story(
    `rest
     price 60300
     1 s with lists   -> cancels order
     order CANCELLED
     1 s`,
    begin(),
  );
  expect(markouts(w)).toMatchObject([{ event: "begin", ended: "missed", paidBps: null, movedBps: 50 }]);

  const other = story(
    `rest
     shutdown         -> cancels order
     order CANCELLED
     1 s`,
    begin(),
  );
  expect(markouts(other)).toEqual([]);
});

test("what is taken after the wait counts as crossed late, against the price at the decision", () => {
  const w = story(
    `rest
     price 60012
     31 s with lists  -> asks order, cancels order
     order CANCELLED
     1 s with lists   -> places BTC`,
    begin({ then: "cross", chases: 0 }),
  );
  expect(w.last("place").intent.draft.order.timeInForce).toBe("IOC");
  story(
    `order FILLED at 60015 by 302
     1 s`,
    w,
  );
  expect(markouts(w)).toMatchObject([{ ended: "crossed", paidBps: 4.25, crossBps: 2.25, movedBps: 2 }]);
});

test("an entry that crosses from the start is not observed", () => {
  const w = story(
    `order FILLED at 60003
     1 s`,
    begin({ style: "cross" }),
  );
  expect(markouts(w)).toEqual([]);
});

test("a quote that comes more than a minute after a horizon does not count for it", () => {
  const book = createMarkouts();
  book.follow({ id: "m", decisionId: "d", symbol: BTC, side: "SELL", mid: 100, endedAtMs: 0 });
  expect(book.isDue(MINUTE_MS - 1)).toBe(false);
  expect(book.isDue(MINUTE_MS)).toBe(true);
  expect(book.look(4 * MINUTE_MS, () => 101)).toEqual([]);
  expect(book.look(6 * MINUTE_MS, () => 101)).toEqual([]);
  const [observed] = book.look(30 * MINUTE_MS, () => 99);
  expect(observed?.moves.map(({ movedBps }) => movedBps)).toEqual([null, -100, 100]);
  expect(observed?.moves.map(({ afterMs }) => afterMs)).toEqual(HORIZONS_MS);
  expect(book.look(40 * MINUTE_MS, () => 99)).toEqual([]);
});

test("the net saving charges a miss with the move that it did not take part in", () => {
  const at = { event: "begin" as const, symbol: BTC, leg: `${BTC}|LONG`, side: "BUY" as const, waitedMs: 1_000 };
  const begins = [
    { ...at, id: "a", ended: "filled" as const, valueUsdt: dec("100"), crossBps: 2, paidBps: 0.5, movedBps: -1 },
    { ...at, id: "b", ended: "missed" as const, valueUsdt: dec("300"), crossBps: 2, paidBps: null, movedBps: 5 },
    { ...at, id: "c", ended: "filled" as const, valueUsdt: dec("100"), crossBps: 2, paidBps: 0.5, movedBps: -1 },
  ];
  const end = (id: string, moved: number): MarkoutRow => ({
    event: "end",
    id,
    moves: [{ afterMs: MINUTE_MS, movedBps: moved }],
  });
  const report = entryReport([...begins, end("a", -3), end("b", 12)]);
  if (report === null) throw new Error("there is no report");
  expect(report.counts).toEqual({ filled: 2, crossed: 0, missed: 1 });
  expect(report.valueUsdt).toEqual({ filled: "200", crossed: "0", missed: "300" });
  expect(report.unfinished).toBe(1);
  const [minute] = report.horizons;
  expect(minute?.sinceFilled?.bps).toBe(-2);
  expect(minute?.sinceMissed?.bps).toBe(12);
  // 1.5 bp saved by the fill, 10 bp lost by the miss.
  expect(minute?.net?.bps).toBe(-4.25);
  expect(entrySentences(report).join("\n")).toContain("1 was not followed to the end");
  expect(entryReport([])).toBeNull();
});
