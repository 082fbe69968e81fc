/**
 * The holes of a real feed: any field that may be null is null now and then, in items, quotes and currencies alike. Spec:
 * 2 §2.2 to §2.6.
 */
import type { Entropy } from "../../core/entropy.ts";
import type { FeedItem } from "./news-source.ts";

const NEVER_NULL: ReadonlySet<string> = new Set(["id", "newsId", "newsType", "ingestTime", "createdAt", "currencyId"]);
const SHARE = 0.02;

function holed<T extends object>(record: T, entropy: Entropy): T {
  const holes = Object.keys(record).filter((name) => !NEVER_NULL.has(name) && entropy.chance("news:null", SHARE));
  return holes.length === 0 ? record : { ...record, ...Object.fromEntries(holes.map((name) => [name, null])) };
}

/** The item with some fields null, but never both title and content. */
export function withGaps(item: FeedItem, entropy: Entropy): FeedItem {
  const holes = holed(item, entropy);
  const { title } = item;
  const whole = holes.title === null && holes.content === null ? { ...holes, title } : holes;
  if (whole.newsType === "hot") return whole;
  const { quotedContent, currencies } = whole;
  return {
    ...whole,
    quotedContent: quotedContent === null ? null : holed(quotedContent, entropy),
    currencies: currencies === null ? null : currencies.map((currency) => holed(currency, entropy)),
  };
}
