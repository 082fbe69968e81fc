/**
 * The news that may still matter: bounded, one entry per story, ranked by our positions and universe. A flood is
 * ranked and dropped here before it costs a token. Text has no authority: only names of assets are read from it.
 * Faults N2, N3, N4.
 */
import type { Gauge } from "../core/bounded.ts";
import { HOUR_MS } from "../core/time.ts";
import type { NewsItem, NewsKind } from "../domain/news-item.ts";

/** `kept` may be exceeded by a quarter between two trims; items older than `maxAgeMs` are not shown. */
export interface NewsCaps {
  /** Items kept. */
  readonly kept: number;
  /** Items in a snapshot. */
  readonly shown: number;
  readonly maxAgeMs: number;
}

const KIND_WEIGHT: Readonly<Record<NewsKind, number>> = { hot: 1.5, featured: 1.3, news: 1 };
const HELD_WEIGHT = 3;
const LISTED_WEIGHT = 1.5;
const OTHER_WEIGHT = 0.4;
const HALF_LIFE_MS = HOUR_MS;
/** Maximum share of one asset in the shown items, while there is news about others. */
const SHARE_OF_ONE = 1 / 3;
/** Trimming runs in batches, so the map may exceed its cap by this factor. */
const OVERRUN = 1.25;

/**
 * `listedBases` are the assets of the universe: their news ranks above other news, and news about held assets above
 * both.
 */
export class NewsWindow {
  readonly #items = new Map<string, NewsItem>();
  readonly #caps: NewsCaps;
  readonly #listed: ReadonlySet<string>;
  /** Items replaced by better ones. */
  dropped = 0;
  #highWater = 0;

  constructor(caps: NewsCaps, listedBases: ReadonlySet<string>) {
    this.#caps = caps;
    this.#listed = listedBases;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Whether any item has ever arrived. */
  get isSeen(): boolean {
    return this.#highWater > 0;
  }

  /** A later text under a known key replaces the earlier one; the first sight stays. */
  add(item: NewsItem): void {
    const known = this.#items.get(item.key);
    this.#items.set(item.key, known ? { ...item, firstSeenMs: Math.min(known.firstSeenMs, item.firstSeenMs) } : item);
    this.#highWater = Math.max(this.#highWater, this.#items.size);
    // Trimming in batches keeps a flood cheap.
    if (this.#items.size >= this.#caps.kept * OVERRUN) this.#trim(item.firstSeenMs);
  }

  /** All items kept, in no order. */
  all(): readonly NewsItem[] {
    return [...this.#items.values()];
  }

  gauge(): Gauge {
    const cap = Math.ceil(this.#caps.kept * OVERRUN);
    return { name: "context.news", size: this.#items.size, highWater: this.#highWater, cap };
  }

  /** The best items for an account that holds `heldBases`, best first, one per story. */
  ranked(nowMs: number, heldBases: ReadonlySet<string>): readonly NewsItem[] {
    const young = [...this.#items.values()].filter((item) => nowMs - item.firstSeenMs <= this.#caps.maxAgeMs);
    const reported = new Set<string>();
    const single = this.#sorted(young, nowMs, heldBases).filter((item) => {
      const title = `title:${item.title.toLowerCase().replace(/\s+/g, " ").trim()}`;
      const isNew = !reported.has(item.newsId) && !reported.has(title);
      reported.add(item.newsId).add(title);
      return isNew;
    });
    return spread(single, this.#caps.shown);
  }

  #trim(nowMs: number): void {
    const best = this.#sorted([...this.#items.values()], nowMs, new Set()).slice(0, this.#caps.kept);
    this.dropped += this.#items.size - best.length;
    this.#items.clear();
    for (const item of best) this.#items.set(item.key, item);
  }

  #sorted(items: NewsItem[], nowMs: number, held: ReadonlySet<string>): NewsItem[] {
    const scored = items.map((item) => ({ item, score: this.#score(item, nowMs, held) }));
    scored.sort(
      (a, b) => b.score - a.score || b.item.firstSeenMs - a.item.firstSeenMs || (a.item.key < b.item.key ? -1 : 1),
    );
    return scored.map(({ item }) => item);
  }

  #score(item: NewsItem, nowMs: number, held: ReadonlySet<string>): number {
    const about = item.currencies.some((base) => held.has(base))
      ? HELD_WEIGHT
      : item.currencies.some((base) => this.#listed.has(base))
        ? LISTED_WEIGHT
        : OTHER_WEIGHT;
    // An item that names a dozen assets says little about each of them.
    const focus = 1 / (1 + Math.log2(Math.max(1, item.currencies.length)) / 2);
    // Age counts from publication if we first saw the item late; a time in the future counts as now.
    const bornMs = Math.min(item.firstSeenMs, item.publishedAtMs ?? item.firstSeenMs);
    return KIND_WEIGHT[item.kind] * about * focus * 0.5 ** (Math.max(0, nowMs - bornMs) / HALF_LIFE_MS);
  }
}

/** The first `count` items in order, spread so that a flood about one asset leaves room for others. */
function spread(items: readonly NewsItem[], count: number): readonly NewsItem[] {
  const most = Math.max(1, Math.ceil(count * SHARE_OF_ONE));
  const taken = new Map<string, number>();
  const chosen = new Set<NewsItem>();
  for (const item of items) {
    const about = item.currencies[0] ?? "";
    const before = taken.get(about) ?? 0;
    if (chosen.size >= count) break;
    if (before >= most) continue;
    taken.set(about, before + 1);
    chosen.add(item);
  }
  for (const item of items) if (chosen.size < count) chosen.add(item);
  return items.filter((item) => chosen.has(item));
}
