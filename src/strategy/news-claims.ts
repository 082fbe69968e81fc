/**
 * Reads news as claims about an asset: direction, source, time. Words are counted, never followed; a claim has no
 * effect until another source and the price confirm it. Fault A2.
 */
import type { NewsItem } from "../domain/news-item.ts";

/** One item's claim; `bases` are upper case without a thousand-fold prefix. */
export interface Claim {
  readonly key: string;
  /** The source: the host of its address, otherwise its author; null if neither is known. */
  readonly source: string | null;
  readonly newsId: string;
  readonly title: string;
  readonly bases: readonly string[];
  /** 1 good, -1 bad for the assets named. */
  readonly lean: 1 | -1;
  /** Our own first sight. */
  readonly sinceMs: number;
}

const GOOD =
  /\b(surges?|surged|soars?|soared|rall(?:y|ies|ied)|approv(?:e|es|ed|al)|adopt(?:s|ed|ion)|partner(?:s|ship)|upgrades?|upgraded|inflows?|record high|buys?|bought|purchase[sd]?|accumulat\w+|launch(?:es|ed)?|go(?:es)? live|integrat\w+|wins?|unveil(?:s|ed)|raises?|raised|backs?|backed|bullish)\b/gi;
const BAD =
  /\b(hack(?:s|ed)?|exploit(?:s|ed)?|crash(?:es|ed)?|plung(?:e|es|ed)|bans?|banned|lawsuit|sues?|sued|delist(?:s|ed|ing)?|outflows?|halt(?:s|ed)?|outage|liquidat\w+|fraud|sell-?off|dump(?:s|ed)?|probe[sd]?|investigat\w+|reject(?:s|ed)?|delay(?:s|ed)?|breach(?:es|ed)?|drain(?:s|ed)?|insolven\w+|bearish|loses?|lost|stolen)\b/gi;
/** A doubtful, denied or retracted claim does not count. */
const HEDGED =
  /\b(rumou?rs?|unconfirmed|alleged(?:ly)?|reportedly|speculat\w+|could|might|denies|denied|not|no longer|hoax|fake|false|debunk\w+|\?)/i;

const words = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

/** The claim of an item; null if it names no asset, has no direction, contradicts itself or expresses doubt. */
export function claimOf(item: NewsItem): Claim | null {
  if (item.currencies.length === 0 || HEDGED.test(item.title)) return null;
  const text = `${item.title} ${item.text.slice(0, 400)}`;
  const good = words(GOOD, text);
  const bad = words(BAD, text);
  if (good === bad || Math.min(good, bad) * 2 > Math.max(good, bad)) return null;
  return {
    key: item.key,
    source: sourceOf(item),
    newsId: item.newsId,
    title: item.title,
    bases: item.currencies.map(plainBase),
    lean: good > bad ? 1 : -1,
    sinceMs: item.firstSeenMs,
  };
}

/** A thousand-fold contract is about the same asset. */
export const plainBase = (base: string): string => base.toUpperCase().replace(/^1000(?=[A-Z])/, "");

function sourceOf({ sourceUrl, author }: NewsItem): string | null {
  if (sourceUrl !== null && URL.canParse(sourceUrl)) return new URL(sourceUrl).hostname.replace(/^www\./, "");
  return author === null || author.trim() === "" ? null : `by ${author.trim().toLowerCase()}`;
}

/**
 * Sources with their own wording: the same article and a copied title count once, an unknown source never. Earliest
 * first.
 */
export function independent(claims: readonly Claim[], copyLikeness: number): readonly Claim[] {
  const chosen: Claim[] = [];
  const byAge = [...claims].sort((a, b) => a.sinceMs - b.sinceMs || (a.key < b.key ? -1 : 1));
  for (const claim of byAge) {
    const copy = chosen.some(
      (known) =>
        known.source === claim.source ||
        known.newsId === claim.newsId ||
        likeness(known.title, claim.title) >= copyLikeness,
    );
    if (claim.source !== null && !copy) chosen.push(claim);
  }
  return chosen;
}

/** Shared words over all words of two titles, 0 to 1. */
export function likeness(a: string, b: string): number {
  const of = (title: string): Set<string> => new Set(title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const [left, right] = [of(a), of(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
