/** Rows of a recording as text: plain decimals without an exponent, one line each. Format: docs/DATA-FORMAT.md. */
import { dec, type Decimal } from "../core/decimal.ts";
import type { Candle } from "../domain/market.ts";
import type { NewsItem } from "../domain/news-item.ts";

const TEXT_MAX = 2_000;

/** The shortest plain decimal that reads back as the same float. */
export function plainFigure(value: number): string {
  const text = String(value);
  return text.includes("e") ? dec(value).toFixed() : text;
}

/** In the columns of `CANDLE_HEADER`, with a line end. */
export const candleLine = (bar: Candle): string =>
  `${bar.openMs},${[bar.open, bar.high, bar.low, bar.close, bar.volume].map(plainFigure).join(",")}\n`;

/** In the columns of `FUNDING_HEADER`; `atMs` is the settlement. */
export const fundingLine = (name: string, atMs: number, rate: Decimal): string => `${name},${atMs},${rate.toFixed()}\n`;

/** In the columns of `INTEREST_HEADER`. */
export const interestLine = (name: string, atMs: number, openInterest: number): string =>
  `${name},${Math.floor(atMs)},${plainFigure(openInterest)}\n`;

/** The fields that playback reads, and those by which a later start recognises the item. */
export function newsLine(item: NewsItem): string {
  const reportedMs = item.publishedAtMs ?? item.firstSeenMs;
  return `${JSON.stringify({
    ts_ms: Math.max(1, Math.floor(reportedMs)),
    source: item.author,
    subject: null,
    title: item.title,
    url: item.sourceUrl,
    key: item.key,
    kind: item.kind,
    news_id: item.newsId,
    seen_ms: Math.floor(item.firstSeenMs),
    published_ms: item.publishedAtMs,
    category: item.category,
    currencies: item.currencies,
    text: item.text.slice(0, TEXT_MAX),
  })}\n`;
}

/** One point of a source: the source's own time, and when it was received. */
export interface SourcePoint {
  readonly atMs: number;
  readonly seenMs: number;
  readonly values: Readonly<Record<string, number | string>>;
}

/** A line of `sourceFile`; `source-playback.ts` reads it back. */
export const sourceLine = ({ atMs, seenMs, values }: SourcePoint): string =>
  `${JSON.stringify({ ts_ms: atMs, seen_ms: Math.floor(seenMs), values })}\n`;
