import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { FEED_RETENTION_MS } from "../../../src/protocol/feeds/query-fields.ts";
import { channelOf, createFeedStore, type FeedKind } from "../../../src/sim/feed/feed-store.ts";
import { itemFrom } from "../../../src/sim/feed/inject.ts";
import type { FeedItem } from "../../../src/sim/feed/news-source.ts";

const NOW_MS = Date.UTC(2026, 6, 20, 12);

let serial = 0;
function item(kind: FeedKind, ageMs: number, category: number | null = 1): FeedItem {
  const publishTimeMs = NOW_MS - ageMs;
  return itemFrom(
    { kind, title: `item ${String(serial)}`, category, publishTimeMs },
    { id: ++serial, nowMs: publishTimeMs },
  );
}

describe("the feed store", () => {
  test("answers newest first, page by page", () => {
    const store = createFeedStore();
    store.backfill(Array.from({ length: 45 }, (_, i) => item("news", (i + 1) * HOUR_MS)));
    const first = store.query("news", {}, NOW_MS);
    expect(first).toMatchObject({ page: 1, pageSize: 20, pageNum: 3, totalSize: 45 });
    expect(first.list).toHaveLength(20);
    const third = store.query("news", { page: 3 }, NOW_MS);
    expect(third.list).toHaveLength(5);
    const times = [1, 2, 3]
      .flatMap((page) => store.query("news", { page }, NOW_MS).list)
      .map((each) => each.publishTime);
    expect(times).toEqual([...times].sort((a, b) => Number(b) - Number(a)));
    expect(store.query("news", { page: 4 }, NOW_MS).list).toEqual([]);
  });

  test.each(["news", "hot", "featured"] as const)("clamps an old start of %s to its retention, silently", (kind) => {
    const store = createFeedStore();
    store.backfill([item(kind, FEED_RETENTION_MS[kind] - HOUR_MS), item(kind, FEED_RETENTION_MS[kind] + HOUR_MS)]);
    expect(store.query(kind, { startTimeMs: 0 }, NOW_MS).totalSize).toBe(1);
    expect(store.query(kind, {}, NOW_MS).totalSize).toBe(1);
  });

  test("filters by time with both ends inclusive, and by category", () => {
    const store = createFeedStore();
    store.backfill([item("news", HOUR_MS, 1), item("news", 2 * HOUR_MS, 4), item("news", 3 * HOUR_MS, null)]);
    const span = { startTimeMs: NOW_MS - 2 * HOUR_MS, endTimeMs: NOW_MS - HOUR_MS };
    expect(store.query("news", span, NOW_MS).totalSize).toBe(2);
    expect(store.query("news", { categories: [4, 99] }, NOW_MS).totalSize).toBe(1);
    expect(store.query("news", { categories: [99] }, NOW_MS)).toMatchObject({ totalSize: 0, pageNum: 0, list: [] });
    expect(store.query("news", { categories: [] }, NOW_MS).totalSize).toBe(3);
  });

  test("notifies every listener of a new item once, and of no item twice", () => {
    const store = createFeedStore();
    const heard: FeedItem[] = [];
    const stop = store.onItem((each) => heard.push(each));
    const one = item("hot", 0);
    expect(store.add(one)).toBe(true);
    expect(store.add(one)).toBe(false);
    store.backfill([item("news", DAY_MS)]);
    stop();
    store.add(item("news", 0));
    expect(heard).toEqual([one]);
    expect(store.nextId()).toBe(serial + 1);
  });

  test("pushes news and hot items, never featured ones", () => {
    expect(["news", "hot", "featured"].map((kind) => channelOf(item(kind as FeedKind, 0)))).toEqual([
      "news.category.all",
      "news.hot.all",
      null,
    ]);
  });

  test("stays bounded", () => {
    const store = createFeedStore();
    for (let i = 0; i < 10_050; i++) store.add(item("hot", -i));
    expect(store.size("hot")).toBe(10_000);
  });
});
