/**
 * Converts a wire record of any of the three kinds to a domain item. Null-safe and bounded. Spec: 2 §2; records §13.
 */
import type { NewsItem } from "../domain/news-item.ts";
import type { AnyNewsRecord } from "../protocol/feeds/news-record.ts";
import { timeOrNull } from "../protocol/reply-fields.ts";
import { type Linker, reportOnly } from "./link-symbols.ts";
import { capText, htmlToPlain, plainLine, TEXT_MAX, TITLE_MAX } from "./plain-text.ts";

const CURRENCIES_MAX = 20;
const AUTHOR_MAX = 80;
const URL_MAX = 500;
const QUOTE_MAX = 600;

/** Null when the record has neither headline nor body. `seenMs` is our own time of first sight. */
export function readNewsItem(record: AnyNewsRecord, seenMs: number, link: Linker = reportOnly): NewsItem | null {
  const text = textOf(record);
  const title = plainLine(record.title ?? "", TITLE_MAX) || plainLine(text.split("\n")[0] ?? "", TITLE_MAX);
  if (title === "") return null;
  return {
    key: keyOf(record),
    kind: record.newsType,
    newsId: articleOf(record) ?? keyOf(record),
    title,
    text,
    category: record.newsType === "hot" ? null : timeOrNull(record.category),
    author: authorOf(record),
    currencies: link({ title, text, reported: currenciesOf(record) }),
    publishedAtMs: timeOrNull(record.publishTime),
    firstSeenMs: seenMs,
    sourceUrl: webAddress(record.sourceUrl),
  };
}

/** The source's own id; null where it gives none, as empty text or zero. Two items must never be taken for one. */
function articleOf({ newsId }: AnyNewsRecord): string | null {
  const text = String(newsId ?? "").trim();
  return /^0*$/.test(text) ? null : text.slice(0, 100);
}

/** An id too large for an exact JSON number may belong to another item too; then the source's own id is used. */
const idOf = (record: AnyNewsRecord): string | number =>
  typeof record.id === "number" && !Number.isSafeInteger(record.id) ? (articleOf(record) ?? record.id) : record.id;

/**
 * The key that names the item in prompts, logs and evidence; reduced to letters and digits, because the id is
 * untrusted.
 */
export const keyOf = (record: AnyNewsRecord): string =>
  `${record.newsType}:${String(idOf(record))
    .slice(0, 40)
    .replace(/[^\w.-]/g, "_")}`;

/** When the service ingested the record, never later than now: the age of an item from the past. */
export function ingestedMs(record: AnyNewsRecord, nowMs: number): number {
  const reportedMs = timeOrNull(record.createdAt) ?? timeOrNull(record.publishTime);
  return reportedMs === null || reportedMs <= 0 ? nowMs : Math.min(reportedMs, nowMs);
}

/** The body and, for posts, what they quote. */
function textOf(record: AnyNewsRecord): string {
  const body = htmlToPlain(record.content ?? "");
  const quote = record.newsType === "hot" ? null : record.quotedContent;
  const quoted = quote ? plainLine(quote.content ?? "", QUOTE_MAX) : "";
  if (quoted === "") return body;
  const who = plainLine(quote?.nickName ?? quote?.author ?? "", AUTHOR_MAX);
  return capText(`${body}\nQuoted${who === "" ? "" : ` from ${who}`}: ${quoted}`.trim(), TEXT_MAX);
}

function authorOf(record: AnyNewsRecord): string | null {
  if (record.newsType === "hot") return null;
  return plainLine(record.authorDisplayName ?? record.authorName ?? "", AUTHOR_MAX) || null;
}

/** Tickers in upper case; strings that cannot be a ticker are dropped. */
function currenciesOf(record: AnyNewsRecord): readonly string[] {
  if (record.newsType === "hot") return [];
  const symbols = (record.currencies ?? []).map((currency) => (currency.symbol ?? "").trim().toUpperCase());
  return [...new Set(symbols.filter((symbol) => /^[A-Z0-9]{1,15}$/.test(symbol)))].slice(0, CURRENCIES_MAX);
}

/** Percent-encoding lengthens an address, so the cap applies to the encoded form. */
function webAddress(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && href.length <= URL_MAX ? href : null;
}
