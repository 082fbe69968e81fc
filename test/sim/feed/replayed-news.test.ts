import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { basesIn, createReplayedNews, type Headline, readHeadlines } from "../../../src/sim/feed/replayed-news.ts";
import { hasRealData, REAL_DATA, writeFolder } from "../market/data-folder.ts";

const DAY = Date.UTC(2022, 5, 18);
const line = (ts_ms: number, title: string, more: object = {}): string =>
  JSON.stringify({ ts_ms, source: "Outlet", subject: "bitcoin", title, url: null, ...more });

const dir = writeFolder({
  "news/a.jsonl.gz": `${line(DAY + 7 * HOUR_MS, "Solana halts")}\n${line(DAY, "Bare date", { midnight: true })}\n`,
  "news/b.jsonl": `${line(DAY + 9 * HOUR_MS, "Later")}\n\n`,
});

function headlinesOf(folder: string): readonly Headline[] {
  const read = readHeadlines(folder);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

describe("recorded headlines", () => {
  test("are merged over files by the time they are known; a bare date is known when its day is over", () => {
    const heads = headlinesOf(dir);
    expect(heads.map((head) => head.title)).toEqual(["Solana halts", "Later", "Bare date"]);
    expect(heads[2]).toMatchObject({ knownMs: DAY + DAY_MS - 1, publishedMs: null });
  });

  test("come at the tape's times, none before it is known, each once", () => {
    const nowMs = Date.UTC(2026, 6, 20, 8);
    const offsetMs = nowMs - (DAY + 8 * HOUR_MS);
    const source = createReplayedNews({ headlines: headlinesOf(dir), offsetMs: () => offsetMs });
    expect(source.history(nowMs).map((item) => item.title)).toEqual(["Solana halts"]);
    expect(source.step(nowMs + HOUR_MS - 1)).toEqual([]);
    const [later] = source.step(nowMs + HOUR_MS);
    expect(later).toMatchObject({ title: "Later", createdAt: nowMs + HOUR_MS, publishTime: nowMs + HOUR_MS });
    expect(source.step(nowMs + 15 * HOUR_MS)).toEqual([]);
    expect(source.step(nowMs + 16 * HOUR_MS).map((item) => [item.title, item.publishTime])).toEqual([
      ["Bare date", null],
    ]);
  });

  test("keep their time of day where the market's tape is of another year", () => {
    const nowMs = Date.UTC(2026, 6, 20, 8);
    const source = createReplayedNews({ headlines: headlinesOf(dir), offsetMs: () => 5 });
    const past = source.history(nowMs);
    expect(past.map((item) => item.createdAt)).toEqual([Date.UTC(2026, 6, 20, 7)]);
  });

  test("are linked to the assets they name", () => {
    expect(basesIn("bitcoin Why XRP and Solana fell while THE market LINK slept")).toEqual([
      "BTC",
      "XRP",
      "SOL",
      "LINK",
    ]);
    expect(basesIn("Nothing named here")).toEqual([]);
    expect(basesIn("A constructor is no asset")).toEqual([]);
  });

  test("that break the format are refused with file and line", () => {
    const bad = readHeadlines(writeFolder({ "news/x.jsonl": `${line(DAY, "fine")}\n{"title":1}\n` }));
    expect(bad.ok ? "" : bad.error).toContain("news/x.jsonl:2");
    expect(readHeadlines(writeFolder({ "y.txt": "" })).ok).toBe(false);
  });

  test.skipIf(!hasRealData)("of the real folder are all read (set BALLAST_MARKET_DATA to run this)", () => {
    const heads = headlinesOf(REAL_DATA);
    expect(heads.length).toBeGreaterThan(4_000);
    expect(heads.filter((head) => head.publishedMs === null).length).toBeGreaterThan(70);
    const source = createReplayedNews({ headlines: heads, offsetMs: () => null });
    const nowMs = Date.UTC(2026, 6, 20, 8);
    source.history(nowMs);
    expect(source.step(nowMs + 3 * DAY_MS).length).toBeGreaterThan(10);
  });
});
