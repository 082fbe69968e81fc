import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { PHASE_ONE_BASES } from "../../../src/domain/competition.ts";
import { anyNewsRecord } from "../../../src/protocol/feeds/news-record.ts";
import { FEED_RETENTION_MS } from "../../../src/protocol/feeds/query-fields.ts";
import { createFeedStore } from "../../../src/sim/feed/feed-store.ts";
import { createGeneratedNews, type GeneratedNewsSettings } from "../../../src/sim/feed/generated-news.ts";
import type { FeedItem } from "../../../src/sim/feed/news-source.ts";

const NEVER_NULL = new Set(["id", "newsId", "newsType", "ingestTime", "createdAt", "currencyId"]);

const NOW_MS = Date.UTC(2026, 6, 20, 12);

function run(seed: number, spanMs: number, more: Partial<GeneratedNewsSettings> = {}): FeedItem[] {
  const source = createGeneratedNews({ entropy: seededEntropy(seed), bases: PHASE_ONE_BASES, ...more });
  const items = [...source.history(NOW_MS)];
  for (let atMs = NOW_MS; atMs <= NOW_MS + spanMs; atMs += 1_000) items.push(...source.step(atMs));
  return items;
}

describe("generated news", () => {
  test("is the same for the same seed and another for another", () => {
    expect(run(5, HOUR_MS)).toEqual(run(5, HOUR_MS));
    expect(run(6, HOUR_MS)).not.toEqual(run(5, HOUR_MS));
  });

  test("has the shapes of the wire, unique ids, and no braces left over", () => {
    const items = run(1, 6 * HOUR_MS);
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
    for (const item of items) {
      expect(anyNewsRecord.safeParse(item).success).toBe(true);
      expect(`${item.title ?? ""}${item.content ?? ""}`).not.toMatch(/[{}]/);
    }
    const kinds = new Set(items.map((item) => item.newsType));
    expect(kinds).toEqual(new Set(["news", "hot", "featured"]));
  });

  test("has the gaps of the real feed: missing titles, times, currencies, and some quotes and media", () => {
    const news = run(2, DAY_MS).filter((item) => item.newsType === "news");
    expect(news.some((item) => item.title === null)).toBe(true);
    expect(news.some((item) => item.publishTime === null)).toBe(true);
    expect(news.some((item) => item.currencies === null)).toBe(true);
    expect(news.some((item) => item.quotedContent !== null)).toBe(true);
    expect(news.some((item) => item.mediaAttachments !== null)).toBe(true);
    const symbols = news.flatMap((item) => item.currencies ?? []).map((currency) => currency.symbol ?? "");
    expect(symbols.some((symbol) => symbol !== symbol.toUpperCase())).toBe(true);
  });

  test("has all six categories, and every field that may be null is null at times", () => {
    const items = [...run(2, DAY_MS), ...run(3, DAY_MS), ...run(4, DAY_MS)];
    const written = items.flatMap((item) => (item.newsType === "hot" ? [] : [item]));
    expect(new Set(written.map((item) => item.category))).toEqual(new Set([1, 2, 3, 4, 7, 13, null]));
    const always: string[] = [];
    const kinds = [
      items.filter((item) => item.newsType === "news"),
      items.filter((item) => item.newsType === "featured"),
      items.filter((item) => item.newsType === "hot"),
      written.flatMap((item) => item.quotedContent ?? []),
      written.flatMap((item) => item.currencies ?? []),
    ];
    for (const [place, records] of kinds.entries()) {
      const nullable = Object.keys(records[0] ?? {}).filter((name) => !NEVER_NULL.has(name));
      expect(records.length).toBeGreaterThan(0);
      for (const name of nullable) {
        const values = records.map((record) => new Map<string, unknown>(Object.entries(record)).get(name));
        if (!values.includes(null)) always.push(`${place} ${name} never null`);
      }
    }
    expect(always).toEqual([]);
  });

  test("fills the retention windows and never runs ahead of the clock", () => {
    const source = createGeneratedNews({ entropy: seededEntropy(3), bases: ["BTC", "ETH"] });
    const past = source.history(NOW_MS);
    const store = createFeedStore();
    store.backfill(past);
    expect(store.query("news", {}, NOW_MS).totalSize).toBeGreaterThan(300);
    expect(store.query("hot", {}, NOW_MS).totalSize).toBeGreaterThan(30);
    expect(store.query("featured", {}, NOW_MS).totalSize).toBeGreaterThan(60);
    expect(past.every((item) => item.createdAt <= NOW_MS && item.createdAt > NOW_MS - FEED_RETENTION_MS.featured)).toBe(
      true,
    );
    const soon = source.step(NOW_MS + 60_000);
    expect(soon.length).toBeGreaterThan(0);
    expect(soon.every((item) => item.createdAt > NOW_MS && item.createdAt <= NOW_MS + 60_000)).toBe(true);
    expect(soon.every((item) => (item.publishTime ?? 0) <= item.createdAt)).toBe(true);
  });

  test("moves the market now and then, within bounds, and takes back what a lie gave", () => {
    const pushes: { base: string; move: number; overMs: number }[] = [];
    run(4, 2 * DAY_MS, { push: (base, move, overMs) => void pushes.push({ base, move, overMs }), lieShare: 0.5 });
    expect(pushes.length).toBeGreaterThan(20);
    expect(pushes.every((push) => Math.abs(push.move) < 0.09)).toBe(true);
    const ways = pushes.filter((push, i) => {
      const before = pushes[i - 1];
      return before !== undefined && before.base === push.base && push.overMs === before.overMs * 5;
    });
    expect(ways.length).toBeGreaterThan(5);
    for (const back of ways) {
      const there = pushes[pushes.indexOf(back) - 1];
      expect((1 + back.move) * (1 + (there?.move ?? 0))).toBeCloseTo(1, 10);
    }
  });
});
