/**
 * Completes an item from an operator or a test: missing members become null, and the fields that only the wire has are
 * filled in.
 */
import { type CurrencyVO, currencyOf, type FeedItem } from "./news-source.ts";

/** Every member is optional; the default kind is news. Null and absent are the same except for `publishTimeMs`. */
export interface Injection {
  readonly kind?: "news" | "hot" | "featured";
  readonly title?: string | null;
  /** Body HTML, sent exactly as given. */
  readonly content?: string | null;
  readonly category?: number | null;
  /** Base tickers that the item is linked to. */
  readonly currencies?: readonly string[] | null;
  /** Epoch ms; default the moment of injection. */
  readonly publishTimeMs?: number | null;
  readonly newsId?: string;
  readonly sourceUrl?: string | null;
  readonly authorName?: string | null;
}

/** Builds the wire record. `id` must be new: take it from the store's `nextId()`. */
export function itemFrom(given: Injection, at: { readonly id: number; readonly nowMs: number }): FeedItem {
  const shared = {
    id: at.id,
    newsId: given.newsId ?? `injected-${String(at.id)}`,
    title: given.title ?? null,
    content: given.content ?? null,
    publishTime: given.publishTimeMs === undefined ? at.nowMs : given.publishTimeMs,
    sourceUrl: given.sourceUrl ?? null,
    createdAt: at.nowMs,
  };
  if (given.kind === "hot") return { ...shared, newsType: "hot", ingestTime: at.nowMs };
  const links: readonly CurrencyVO[] | null = given.currencies ? given.currencies.map(currencyOf) : null;
  const written = {
    ...shared,
    category: given.category ?? null,
    originalUrl: null,
    authorName: given.authorName ?? null,
    authorDisplayName: null,
    authorAvatar: null,
    isBlueVerified: null,
    currencies: links,
    mediaAttachments: null,
    quotedContent: null,
  };
  if (given.kind === "featured") return { ...written, newsType: "featured" };
  return { ...written, newsType: "news", viewCount: null, likeCount: null, commentCount: null, retweetCount: null };
}
