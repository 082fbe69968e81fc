/** How the practice model reads news: positive and negative words, counted once per item and only for named assets. */
import { column, type TableRow } from "./prompt-reader.ts";

const GOOD =
  /\b(surge[sd]?|soar(s|ed)?|rall(y|ies|ied)|approv(e|es|ed|al)|adopt(s|ed|ion)?|partner(s|ship)?|upgrade[sd]?|inflows?|record high|buys?|bought|accumulat\w+|launch(es|ed)?|list(s|ed|ing)|bullish|integrat\w+|wins?|unveils?|expands?)\b/i;
const BAD =
  /\b(hack(s|ed)?|exploit(s|ed)?|crash(es|ed)?|plunge[sd]?|ban(s|ned)?|lawsuit|sues?|sued|delist(s|ed|ing)?|outflows?|halt(s|ed)?|outage|liquidat\w+|fraud|bearish|sell-?off|dump(s|ed)?|probe|investigat\w+|rejects?|rejected|delay(s|ed)?|breach(es|ed)?|drain(s|ed)?)\b/i;
const HEDGED = /\b(rumou?rs?|unconfirmed|alleged(ly)?|reportedly|claims?|may|could|denies|denied)\b/i;

/** The sentiment of the news about one symbol: positive is good, zero if nothing names it. */
export interface NewsMood {
  /** -2 to 2. */
  readonly value: number;
  /** Ids of the items it is based on. */
  readonly ids: readonly string[];
}

/** Base ticker of a canonical symbol, without a multiplier: `EXCHANGE_A_PERP_1000PEPE_USDT` gives `PEPE`. */
const tickerOf = (symbol: string): string => (symbol.split("_").at(-2) ?? symbol).replace(/^1000/, "");

function mentions(row: TableRow, ticker: string): boolean {
  const tags = (column(row, "currencies", "assets", "coins") ?? "").toUpperCase().split(/[^A-Z0-9]+/);
  return tags.includes(ticker) || tags.includes(`1000${ticker}`);
}

function moodOf(text: string): number {
  const value = (GOOD.test(text) ? 1 : 0) - (BAD.test(text) ? 1.2 : 0);
  return HEDGED.test(text) ? value * 0.4 : value;
}

/** The sentiment of the news about one symbol. Items with the same title count once. */
export function newsMood(symbol: string, news: readonly TableRow[]): NewsMood {
  const ticker = tickerOf(symbol);
  const seen = new Set<string>();
  const ids: string[] = [];
  let value = 0;
  for (const row of news) {
    const title = column(row, "title", "headline") ?? "";
    if (!mentions(row, ticker) || seen.has(title)) continue;
    seen.add(title);
    const mood = moodOf(`${title} ${column(row, "text", "body") ?? ""}`);
    if (mood === 0) continue;
    value += mood;
    const id = column(row, "id", "key");
    if (id !== undefined && id !== "") ids.push(id);
  }
  return { value: Math.max(-2, Math.min(2, value)), ids: ids.slice(0, 4) };
}
