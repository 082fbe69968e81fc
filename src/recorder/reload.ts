/** Reads the newest part of a recording back, so that a start has history. Invalid rows are skipped and counted. */
import { open, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";
import type { NewsItem } from "../domain/news-item.ts";
import { CANDLE_FOLDER, dataSymbol } from "./layout.ts";

/** Three weeks of hourly bars, and a day to spare. */
export const RELOAD_MS = 22 * DAY_MS;
/** Rows of a candle file are rarely longer. */
const ROW_BYTES = 96;
const SMALL_FILE_MAX = 32 * 1024 * 1024;
const NEWS_MAX = 2_000;

/** `atMs` is when it was received, epoch ms. */
export interface InterestRow {
  readonly atMs: number;
  readonly openInterest: number;
}

async function tailOf(file: string, bytes: number): Promise<string> {
  const handle = await open(file, "r").catch(() => null);
  if (!handle) return "";
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const tail = Buffer.alloc(size - from);
    await handle.read(tail, 0, tail.length, from);
    const text = tail.toString("utf8");
    // The first line may be cut off, the last one torn.
    return text.slice(from > 0 ? text.indexOf("\n") + 1 : 0, text.lastIndexOf("\n") + 1);
  } finally {
    await handle.close();
  }
}

const foldersOf = async (dir: string): Promise<readonly string[]> => (await readdir(dir).catch(() => [])).sort();

function candleOf(line: string): Candle | null {
  const cells = line.split(",");
  const [openMs = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = cells.map(Number);
  const sound = cells.length === 6 && openMs > 0 && low > 0 && high >= low && volume >= 0 && close > 0 && open > 0;
  return sound && openMs % MINUTE_MS === 0 ? { openMs, open, high, low, close, volume } : null;
}

/**
 * Minute bars of a symbol since an instant, oldest first. Reads a second window if one does not reach back far enough.
 */
export async function reloadCandles(dir: string, symbol: string, sinceMs: number, nowMs: number): Promise<Candle[]> {
  const name = dataSymbol(symbol);
  const minutes = Math.ceil((nowMs - sinceMs) / MINUTE_MS);
  if (name === null || !(minutes > 0)) return [];
  const windows = (await foldersOf(path.join(dir, CANDLE_FOLDER))).filter((folder) =>
    /^perp-\d{4}-\d{2}$/.test(folder),
  );
  const bars = new Map<number, Candle>();
  for (const window of windows.slice(-2)) {
    const text = await tailOf(path.join(dir, CANDLE_FOLDER, window, `${name}.csv`), minutes * ROW_BYTES);
    for (const line of text.split("\n")) {
      const bar = candleOf(line);
      if (bar && bar.openMs >= sinceMs && bar.openMs <= nowMs) bars.set(bar.openMs, bar);
    }
  }
  return [...bars.values()].sort((a, b) => a.openMs - b.openMs);
}

/** Settlements by data symbol since an instant, in the order of the files. */
export async function reloadFunding(
  dir: string,
  sinceMs: number,
): Promise<ReadonlyMap<string, readonly { readonly atMs: number; readonly rate: number }[]>> {
  const found = new Map<string, { readonly atMs: number; readonly rate: number }[]>();
  for (const text of await newestFiles(path.join(dir, "funding"), /^perp-\d{4}-\d{2}\.csv$/)) {
    if (text.length > SMALL_FILE_MAX) continue;
    for (const line of text.split("\n").slice(1)) {
      const [name = "", time, rate] = line.split(",");
      const row = { atMs: Number(time), rate: Number(rate) };
      if (!(row.atMs >= sinceMs) || !(Math.abs(row.rate) < 1) || rate === undefined) continue;
      const rows = found.get(name) ?? [];
      if (rows.length === 0) found.set(name, rows);
      rows.push(row);
    }
  }
  return found;
}

async function newestFiles(dir: string, pattern: RegExp): Promise<readonly string[]> {
  const names = (await foldersOf(dir)).filter((name) => pattern.test(name));
  return Promise.all(names.slice(-2).map((name) => readFile(path.join(dir, name), "utf8").catch(() => "")));
}

/** Open interest by data symbol since an instant, oldest first. */
export async function reloadInterest(
  dir: string,
  sinceMs: number,
): Promise<ReadonlyMap<string, readonly InterestRow[]>> {
  const found = new Map<string, InterestRow[]>();
  for (const text of await newestFiles(path.join(dir, "open-interest"), /^perp-\d{4}-\d{2}\.csv$/)) {
    if (text.length > SMALL_FILE_MAX) continue;
    for (const line of text.split("\n").slice(1)) {
      const [name = "", time, value] = line.split(",");
      const row = { atMs: Number(time), openInterest: Number(value) };
      if (!(row.atMs >= sinceMs) || !(row.openInterest >= 0) || value === undefined) continue;
      const rows = found.get(name);
      if (rows) rows.push(row);
      else found.set(name, [row]);
    }
  }
  return found;
}

/** The recorded text is still hostile: it is bounded again when read. */
const recordedNews = z.object({
  key: z.string().min(1).max(100),
  kind: z.enum(["news", "hot", "featured"]),
  news_id: z.string().max(100),
  title: z.string().min(1).max(400),
  text: z.string().max(4_000),
  source: z.string().max(100).nullable(),
  url: z.string().max(500).nullable(),
  seen_ms: z.number().positive(),
  published_ms: z.number().nullable(),
  category: z.number().nullable(),
  currencies: z.array(z.string().regex(/^[A-Z0-9]{1,20}$/)).max(20),
});

function newsOf(line: string): NewsItem | null {
  try {
    const read = recordedNews.safeParse(JSON.parse(line));
    if (!read.success) return null;
    const { news_id: newsId, source: author, url: sourceUrl, seen_ms: firstSeenMs, published_ms, ...rest } = read.data;
    return { ...rest, newsId, author, sourceUrl, firstSeenMs, publishedAtMs: published_ms };
  } catch {
    return null;
  }
}

/** News first seen since an instant, oldest first, at most the newest few thousand. Ages count from the first sight. */
export async function reloadNews(dir: string, sinceMs: number): Promise<readonly NewsItem[]> {
  const items = new Map<string, NewsItem>();
  for (const text of await newestFiles(path.join(dir, "news"), /^headlines-\d{4}-\d{2}\.jsonl$/)) {
    if (text.length > SMALL_FILE_MAX) continue;
    for (const line of text.split("\n")) {
      const item = line === "" ? null : newsOf(line);
      if (item && item.firstSeenMs >= sinceMs && !items.has(item.key)) items.set(item.key, item);
    }
  }
  return [...items.values()].sort((a, b) => a.firstSeenMs - b.firstSeenMs).slice(-NEWS_MAX);
}
