/**
 * The news that may still matter: bounded, one entry a story, ranked by what we hold and list. A flood is ranked and
 * dropped here, before any of it costs a token. Text has no authority: nothing is read from it but its name.
 * Faults N2, N3, N4.
 */
import { HOUR_MS } from "../core/time.ts";
import type { NewsItem, NewsKind } from "../domain/news-item.ts";

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

export class NewsWindow {
  readonly #items = new Map<string, NewsItem>();
  readonly #caps: NewsCaps;
  readonly #listed: ReadonlySet<string>;
  /** Items that gave way to better ones. */
  dropped = 0;

  constructor(caps: NewsCaps, listedBases: ReadonlySet<string>) {
    this.#caps = caps;
    this.#listed = listedBases;
  }

  get size(): number {
    return this.#items.size;
  }

  /** A later text under a known key replaces the earlier one; the first sight stays what it was. */
  add(item: NewsItem): void {
    const known = this.#items.get(item.key);
    this.#items.set(item.key, known ? { ...item, firstSeenMs: Math.min(known.firstSeenMs, item.firstSeenMs) } : item);
    // Trimming in batches keeps a flood cheap.
    if (this.#items.size >= this.#caps.kept * 1.25) this.#trim(item.firstSeenMs);
  }

  /** The best items for an account that holds `heldBases`, best first, one a story. */
  ranked(nowMs: number, heldBases: ReadonlySet<string>): readonly NewsItem[] {
    const young = [...this.#items.values()].filter((item) => nowMs - item.firstSeenMs <= this.#caps.maxAgeMs);
    const told = new Set<string>();
    const chosen: NewsItem[] = [];
    for (const item of this.#sorted(young, nowMs, heldBases)) {
      if (chosen.length >= this.#caps.shown) break;
      const title = item.title.toLowerCase().replace(/\s+/g, " ").trim();
      if (told.has(item.newsId) || told.has(`title:${title}`)) continue;
      told.add(item.newsId).add(`title:${title}`);
      chosen.push(item);
    }
    return chosen;
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
    // Old when we first saw it counts as old; a time from the future counts as now.
    const bornMs = Math.min(item.firstSeenMs, item.publishedAtMs ?? item.firstSeenMs);
    return KIND_WEIGHT[item.kind] * about * 0.5 ** (Math.max(0, nowMs - bornMs) / HALF_LIFE_MS);
  }
}
