/**
 * The feed service's items: bounded, newest first, returned by page. Notifies listeners of every new item, so that all
 * subscribers get the same. Spec: 2 §2.1, §4, §6.2, §8; records §13.
 */
import { FEED_RETENTION_MS } from "../../protocol/feeds/query-fields.ts";
import type { FeedItem } from "./news-source.ts";

/** Each has its own list; ids are unique within a kind. */
export type FeedKind = FeedItem["newsType"];

/** Pages count from 1. */
export const PAGE_DEFAULT = 1;
/** Items per page by default. */
export const PAGE_SIZE_DEFAULT = 20;
/** The query server refuses more than this with 30012. */
export const PAGE_SIZE_MAX = 30;
/** Items kept of each kind; the oldest are dropped. */
const KEPT_MAX = 10_000;

/** Times are epoch ms, both ends inclusive, compared with `feedTime`. Without any member: the newest page. */
export interface FeedQuery {
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** Category ids; empty or missing means all. Unknown ids match nothing. Ignored for hot items, which have none. */
  readonly categories?: readonly number[] | undefined;
  readonly page?: number | undefined;
  /** The caller has checked it against `PAGE_SIZE_MAX` (code 30012). */
  readonly pageSize?: number | undefined;
}

/** The `data` of the envelope, 2 §2.1. */
export interface FeedPage {
  readonly page: number;
  readonly pageSize: number;
  /** Total pages; 0 for an empty result. */
  readonly pageNum: number;
  readonly totalSize: number;
  readonly list: readonly FeedItem[];
}

/** The stream's channel of an item; featured items are only queried, never pushed. Spec: 2 §6.2. */
export function channelOf(item: FeedItem): "news.category.all" | "news.hot.all" | null {
  return item.newsType === "news" ? "news.category.all" : item.newsType === "hot" ? "news.hot.all" : null;
}

/** One for the whole service, filled by the news desk, faults and `/control/news`, read by stream and queries. */
export interface FeedStore {
  /** Adds items without notifying listeners, for the past at the start. */
  backfill(items: readonly FeedItem[]): void;
  /** Adds an item and notifies every listener. An item with a known id is ignored. */
  add(item: FeedItem): boolean;
  query(kind: FeedKind, query: FeedQuery, nowMs: number): FeedPage;
  /** Calls `listener` for each new item until the returned function is called. */
  onItem(listener: (item: FeedItem) => void): () => void;
  size(kind: FeedKind): number;
  /** An id above all ids in the store. */
  nextId(): number;
}

/** The time by which an item is filtered and sorted: its publish time, else its ingestion. */
export const feedTime = (item: FeedItem): number => item.publishTime ?? item.createdAt;

/** Empty. At most 10,000 items of each kind are kept. */
export function createFeedStore(): FeedStore {
  const held: Record<FeedKind, FeedItem[]> = { news: [], hot: [], featured: [] };
  const ids = new Set<string>();
  const listeners = new Set<(item: FeedItem) => void>();
  let highestId = 0;

  const insert = (item: FeedItem): boolean => {
    const key = `${item.newsType}:${String(item.id)}`;
    if (ids.has(key)) return false;
    ids.add(key);
    highestId = Math.max(highestId, item.id);
    const list = held[item.newsType];
    // Newest first; new items usually go to the front.
    let at = 0;
    while (at < list.length && isBefore(item, list[at] as FeedItem)) at++;
    list.splice(at, 0, item);
    for (const gone of list.splice(KEPT_MAX)) ids.delete(`${gone.newsType}:${String(gone.id)}`);
    return true;
  };

  return {
    backfill: (items) => {
      for (const item of items) insert(item);
    },
    add: (item) => {
      const isNew = insert(item);
      if (isNew) for (const listener of listeners) listener(item);
      return isNew;
    },
    query: (kind, query, nowMs) => pageOf(held[kind], kind, query, nowMs),
    onItem: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    size: (kind) => held[kind].length,
    nextId: () => highestId + 1,
  };
}

const isBefore = (item: FeedItem, other: FeedItem): boolean =>
  feedTime(item) < feedTime(other) || (feedTime(item) === feedTime(other) && item.id < other.id);

function pageOf(items: readonly FeedItem[], kind: FeedKind, query: FeedQuery, nowMs: number): FeedPage {
  const { page = PAGE_DEFAULT, pageSize = PAGE_SIZE_DEFAULT } = query;
  // An older start is clamped to the retention boundary without an error, 2 §4 rule 1.
  const fromMs = Math.max(query.startTimeMs ?? 0, nowMs - FEED_RETENTION_MS[kind]);
  const toMs = query.endTimeMs ?? Number.POSITIVE_INFINITY;
  const wanted = kind === "hot" || !query.categories?.length ? null : new Set(query.categories);
  const found = items.filter((item) => {
    const atMs = feedTime(item);
    const fits = wanted === null || (item.newsType !== "hot" && item.category !== null && wanted.has(item.category));
    return fits && atMs >= fromMs && atMs <= toMs && item.createdAt <= nowMs;
  });
  return {
    page,
    pageSize,
    pageNum: Math.ceil(found.length / pageSize),
    totalSize: found.length,
    list: found.slice((page - 1) * pageSize, page * pageSize),
  };
}
