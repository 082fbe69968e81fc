/**
 * Historical candles: from a folder on this machine in the project's data format, and from a public source, each only
 * if the operator configured it. The service itself has no endpoint for history.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { aggregate } from "../context/candles.ts";
import type { Clock } from "../core/clock.ts";
import { MINUTE_MS } from "../core/time.ts";
import { type CandleSource, type Candle, KLINE_INTERVAL_MS } from "../domain/market.ts";
import { parseSymbol } from "../domain/symbol.ts";
import { createHttpClient } from "../net/http.ts";

const ROWS_MAX = 3_000;
/** Every public source returns this many in one reply. */
const PUBLIC_ROWS_MAX = 1_000;
/** A month of minutes. */
const MINUTES_MAX = 45_000;
const UNPACKED_MAX = 512 * 1024 * 1024;

const unpacked = promisify(gunzip);

function rowOf(cells: readonly unknown[]): Candle | null {
  const [openMs = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = cells.map(Number);
  const row = { openMs, open, high, low, close, volume };
  return Object.values(row).every(Number.isFinite) ? row : null;
}

const rowsOf = (lines: readonly (readonly unknown[])[]): readonly Candle[] =>
  lines.map(rowOf).filter((row) => row !== null);

/** The files of a symbol, newest window first. */
async function filesOf(dir: string, symbol: string, interval: string): Promise<readonly string[]> {
  const parts = parseSymbol(symbol);
  const folder = path.join(dir, `klines-${interval.toLowerCase()}`);
  if (!parts.ok || !existsSync(folder)) return [];
  const windows = (await readdir(folder)).sort().reverse();
  const name = `${parts.value.base}${parts.value.quote}.csv`;
  const files = windows.flatMap((window) => [name, `${name}.gz`].map((file) => path.join(folder, window, file)));
  return files.filter((file) => existsSync(file));
}

/** The last lines of a text: a year of minutes need not be parsed for one day of them. */
function lastLines(text: string, count: number): readonly string[] {
  const end = text.trimEnd();
  let from = end.length;
  for (let found = 0; found < count && from > 0; found++) from = end.lastIndexOf("\n", from - 1);
  return end.slice(from + 1).split("\n");
}

async function rowsIn(file: string, limit: number): Promise<readonly Candle[]> {
  const bytes = await readFile(file);
  const text = (file.endsWith(".gz") ? await unpacked(bytes, { maxOutputLength: UNPACKED_MAX }) : bytes).toString();
  return rowsOf(lastLines(text, limit).map((line) => line.split(",")));
}

/** The newest rows of an interval, reading the previous window as well if the newest one is short. */
async function newestRows(dir: string, symbol: string, interval: string, limit: number): Promise<readonly Candle[]> {
  const [newest, before] = await filesOf(dir, symbol, interval);
  const rows = newest === undefined ? [] : await rowsIn(newest, limit);
  const first = rows[0];
  if (before === undefined || first === undefined || rows.length >= limit) return rows;
  const earlier = (await rowsIn(before, limit - rows.length)).filter((row) => row.openMs < first.openMs);
  return [...earlier, ...rows].slice(-limit);
}

/**
 * `name` names the source in results. Reads the interval's own files, or builds bars from minutes if only those were
 * recorded.
 */
export function candleFolder(dir: string, name = "folder"): CandleSource {
  return {
    name,
    most: ROWS_MAX,
    candles: async (symbol, interval, limit) => {
      const lengthMs = KLINE_INTERVAL_MS[interval];
      const wanted = Math.min(limit, ROWS_MAX);
      if (lengthMs === undefined) return [];
      const own = await newestRows(dir, symbol, interval, wanted);
      if (own.length > 0 || lengthMs <= MINUTE_MS) return own;
      const minutes = await newestRows(dir, symbol, "1m", Math.min(MINUTES_MAX, (wanted + 1) * (lengthMs / MINUTE_MS)));
      return aggregate(minutes, lengthMs).slice(-wanted);
    },
  };
}

/**
 * A public source at an address with {symbol}, {base}, {quote}, {interval} and {limit} that returns rows of candles.
 * {step} is the interval as most exchanges spell it, `1h` for our `1H`; with {before}, epoch ms, it can be paged.
 */
export function candleUrl(clock: Clock, template: string): CandleSource {
  return {
    name: "public source",
    most: PUBLIC_ROWS_MAX,
    candles: async (symbol, interval, limit, beforeMs) => {
      const parts = parseSymbol(symbol);
      if (!parts.ok || (beforeMs !== undefined && !template.includes("{before}"))) return [];
      const { base, quote } = parts.value;
      const before = String(Math.floor((beforeMs ?? clock.nowMs()) - 1));
      const step = interval === "1M" ? interval : interval.toLowerCase();
      const values: Record<string, string> = { symbol, base, quote, interval, step, before, limit: String(limit) };
      const url = new URL(template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "")));
      const http = createHttpClient(clock, { baseUrl: url.origin });
      const heard = await http.send({ method: "GET", path: url.pathname + url.search, headers: {} });
      await http.close();
      if (heard.kind !== "done" || heard.status !== 200) return [];
      try {
        const rows = JSON.parse(heard.text) as unknown;
        return Array.isArray(rows) ? rowsOf(rows.filter(Array.isArray)).slice(-limit) : [];
      } catch {
        return [];
      }
    },
  };
}
