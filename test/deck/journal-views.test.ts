/** What the page reads of a journal: new rows as lines, equity and exposure since the beginning, why nothing was opened. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createHistory } from "../../src/deck/history.ts";
import { createRowFeed } from "../../src/deck/row-feed.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { lineRing } from "../../src/ops/line-ring.ts";
import { equityRow } from "../../src/rows/equity.ts";
import { modelSettleRow } from "../../src/rows/model-settle.ts";
import { newsRow } from "../../src/rows/news.ts";
import type { JournalRow, RowValue } from "../../src/rows/row.ts";

const START_MS = Date.UTC(2026, 0, 5);

/** A journal in memory that answers as the real one does. */
function journal() {
  const rows: JournalRow[] = [];
  const reads: number[] = [];
  const reader: Pick<JournalReader, "rows"> = {
    rows: ({ kinds, sinceSeq = 0, limit = Infinity, newest = false } = {}) => {
      const found = rows.filter(({ seq, kind }) => seq > sinceSeq && (!kinds || kinds.includes(kind)));
      const answer = newest ? found.slice(-limit) : found.slice(0, limit);
      reads.push(answer.length);
      return answer;
    },
  };
  const add = ({ kind, body }: RowValue, atMs = START_MS): void => {
    const seq = rows.length + 1;
    rows.push({ seq, kind, body, atMs, decisionId: null, runId: "b", monoMs: 0, hash: "" });
  };
  return { reader, add, rows, reads };
}

const news = (key: string): RowValue => newsRow({ key, title: `<b>${key}</b>`, currencies: ["BTC"] });

describe("the row feed", () => {
  test("a page hears each row once, from where it stood; text stays as it was written", () => {
    const { reader, add } = journal();
    add(news("news:1"));
    const feed = createRowFeed(reader);
    expect(feed.since(0)).toMatchObject([{ seq: 1, kind: "news", news: ["news:1"] }]);
    expect(feed.since(0)[0]?.text).toContain("<b>news:1</b>");
    add(news("news:2"));
    expect(feed.since(1).map(({ seq }) => seq)).toEqual([2]);
    expect(feed.since(2)).toEqual([]);
  });

  test("a row that this build cannot read is a line that says so", () => {
    const { reader, add, rows } = journal();
    add(news("news:1"));
    rows.push({ ...(rows[0] as JournalRow), seq: 2, body: { key: 3 } });
    expect(createRowFeed(reader).since(1)[0]?.text).toMatch(/row 2 of kind news: key/);
  });

  test("after a long absence a page begins with the newest rows", () => {
    const { reader, add } = journal();
    for (let at = 1; at <= 1_000; at++) add(news(`news:${at}`));
    const feed = createRowFeed(reader);
    expect(feed.since(0).map(({ seq }) => seq)).toEqual(Array.from({ length: 400 }, (_, at) => 601 + at));
  });
});

describe("the history", () => {
  const minutes = 43_200;

  test("a month of minutes is read piece by piece, thinned to its last points, and then only what is new", async () => {
    const { reader, add, reads } = journal();
    for (let at = 0; at < minutes; at++)
      add(
        equityRow({ equityUsdt: dec(String(1_000 + at / 100)), positions: 0, anchors: null }),
        START_MS + at * MINUTE_MS,
      );
    const clock = virtualClock(START_MS);
    const history = createHistory(reader, { clock, contractSize: () => 1 });
    expect(history.now().whole).toBe(false);
    expect(Math.max(...reads)).toBe(500);
    await clock.advance(10_000);
    const { equity, whole } = history.now();
    expect(whole).toBe(true);
    expect(Math.max(...reads)).toBe(500);
    expect(equity.atMs.length).toBeLessThanOrEqual(3_000);
    expect(equity.usdt.at(-1)).toBe(1_000 + (minutes - 1) / 100);
    add(equityRow({ equityUsdt: dec("2000"), positions: 0, anchors: null }), START_MS + minutes * MINUTE_MS);
    expect(history.now().equity.usdt.at(-1)).toBe(2_000);
  });

  test("the newest booking of a model call counts, by the day on which it was made", () => {
    const { reader, add } = journal();
    const booked = (attemptId: string, usd: string, day: number): RowValue =>
      modelSettleRow({ attemptId, atMs: START_MS + day * 86_400_000, costUsd: dec(usd), how: "bound" });
    add(booked("a", "0.5", 0));
    add(booked("b", "0.2", 1));
    add(booked("a", "0.1", 0));
    const history = createHistory(reader, { clock: virtualClock(START_MS), contractSize: () => 1 });
    expect(history.now().spend).toEqual([
      { day: "2026-01-05", usd: 0.1 },
      { day: "2026-01-06", usd: 0.2 },
    ]);
  });
});

test("the ring of log lines gives what came after a line, and no more than it keeps", () => {
  const ring = lineRing(3);
  expect(ring.since(0)).toEqual({ lines: [], last: 0 });
  for (const line of ["a", "b", "c", "d", "e", "f", "g"]) ring.push(line);
  expect(ring.since(0)).toEqual({ lines: ["e", "f", "g"], last: 7 });
  expect(ring.since(6)).toEqual({ lines: ["g"], last: 7 });
  expect(ring.since(7)).toEqual({ lines: [], last: 7 });
});
