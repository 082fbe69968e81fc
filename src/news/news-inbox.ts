/**
 * Decides which incoming records are new: one story counts once, however often and in any wording it arrives.
 * Memory is bounded; beyond the cap the oldest stories are dropped. Faults N2, N3, N4, A5.
 */
import { BoundedMap, filling, type Gauge } from "../core/bounded.ts";
import type { NewsItem, NewsKind } from "../domain/news-item.ts";
import type { AnyNewsRecord } from "../protocol/feeds/news-record.ts";
import { type Linker, reportOnly } from "./link-symbols.ts";
import { readNewsItem } from "./news-item.ts";
import { titleFingerprint } from "./plain-text.ts";
import { HeadlineIndex } from "./same-story.ts";

/** The result for one record; only "new" and "updated" go on to the context. */
export type Receipt =
  | { readonly kind: "new"; readonly item: NewsItem }
  /** An edit or a fuller version; key and first sight remain those of the first version. */
  | { readonly kind: "updated"; readonly item: NewsItem }
  | { readonly kind: "duplicate" }
  /** Neither headline nor body. */
  | { readonly kind: "empty" };

/** Fed by stream and queries alike. */
export interface NewsInbox {
  /** `seenMs` is our time of first sight, or for a record of the past the time it stands for. */
  accept(record: AnyNewsRecord, seenMs: number): Receipt;
  size(): number;
  gauges(): readonly Gauge[];
}

/** Stories remembered. At 10,000 items a minute this covers half a minute in bounded memory. */
export const STORIES_MAX = 5_000;
const WEIGHT: Readonly<Record<NewsKind, number>> = { news: 1, featured: 2, hot: 3 };
/** Two stories with one headline within this time are the same story. */
const SAME_TITLE_MS = 24 * 3_600_000;

/** `link` finds the listed assets of an item. */
export function createNewsInbox(storiesMax = STORIES_MAX, link: Linker = reportOnly): NewsInbox {
  const headlines = new HeadlineIndex(storiesMax);
  const stories = new BoundedMap<string, NewsItem>(storiesMax);
  /** Keys, source ids and headlines mapped to the story's key; several map to one story. */
  const storyOf = new BoundedMap<string, string>(storiesMax * 4);

  const namesOf = (item: NewsItem): string[] => {
    const title = titleFingerprint(item.title);
    const names = [`key ${item.key}`, `id ${item.newsId}`];
    return title === "" ? names : [...names, `title ${title}`];
  };
  const storyFor = (item: NewsItem): NewsItem | undefined => {
    for (const name of namesOf(item)) {
      const story = stories.get(storyOf.get(name) ?? "");
      if (!story) continue;
      const sameTitleOnly = name.startsWith("title ");
      if (!sameTitleOnly || isNear(item, story)) return story;
    }
    const near = stories.get(headlines.find(item.title) ?? "");
    return near && isNear(item, near) && mayBeAboutTheSame(item, near) ? near : undefined;
  };
  const remember = (item: NewsItem, names: readonly string[]): void => {
    stories.set(item.key, item);
    headlines.add(item.key, item.title);
    for (const name of names) storyOf.set(name, item.key);
  };

  return {
    accept: (record, seenMs) => {
      const item = readNewsItem(record, seenMs, link);
      if (!item) return { kind: "empty" };
      const story = storyFor(item);
      const reported = story ? merged(story, item) : item;
      remember(reported, [...namesOf(item), ...namesOf(reported)]);
      if (!story) return { kind: "new", item: reported };
      return sameReporting(story, reported) ? { kind: "duplicate" } : { kind: "updated", item: reported };
    },
    size: () => stories.size,
    gauges: () => [
      filling("news.stories", stories.size, stories.cap),
      filling("news.names", storyOf.size, storyOf.cap),
      ...headlines.gauges(),
    ],
  };
}

const isNear = (a: NewsItem, b: NewsItem): boolean => Math.abs(a.firstSeenMs - b.firstSeenMs) < SAME_TITLE_MS;

/** Headlines that name different assets are different stories. */
const mayBeAboutTheSame = (a: NewsItem, b: NewsItem): boolean =>
  a.currencies.length === 0 || b.currencies.length === 0 || a.currencies.some((base) => b.currencies.includes(base));

/** An edit of the same record replaces the text; another record of the story only fills in what was missing. */
function merged(story: NewsItem, item: NewsItem): NewsItem {
  const edit = story.key === item.key;
  const richer = edit || (story.text === "" && item.text !== "");
  return {
    ...story,
    // A story that was hot once stays hot.
    kind: WEIGHT[item.kind] > WEIGHT[story.kind] ? item.kind : story.kind,
    title: edit ? item.title : story.title,
    text: richer ? item.text : story.text,
    category: (edit ? item.category : null) ?? story.category ?? item.category,
    author: story.author ?? item.author,
    currencies: edit ? item.currencies : [...new Set([...story.currencies, ...item.currencies])],
    publishedAtMs: story.publishedAtMs ?? item.publishedAtMs,
    sourceUrl: story.sourceUrl ?? item.sourceUrl,
  };
}

const sameReporting = (a: NewsItem, b: NewsItem): boolean =>
  a.kind === b.kind && a.title === b.title && a.text === b.text && a.currencies.join() === b.currencies.join();
