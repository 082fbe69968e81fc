/**
 * Candles of the past: from a folder on this machine in the project's data format, and from a public source, each only
 * where the operator named it. The service itself has no call for history.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { aggregate } from "../context/candles.ts";
import { MINUTE_MS } from "../core/time.ts";
import { KLINE_INTERVAL_MS } from "../domain/market.ts";
import { parseSymbol } from "../domain/symbol.ts";
import type { CandleRow, CandleSource } from "../faces/contract/client.ts";
import { createHttpClient } from "../net/http.ts";
import type { Clock } from "../core/clock.ts";

const ROWS_MAX = 1_500;
/** A month of minutes. */
const MINUTES_MAX = 45_000;

function rowOf(cells: readonly unknown[]): CandleRow | null {
  const [openMs = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = cells.map(Number);
  const row = { openMs, open, high, low, close, volume };
  return Object.values(row).every(Number.isFinite) ? row : null;
}

const rowsOf = (lines: readonly (readonly unknown[])[]): readonly CandleRow[] =>
  lines.map(rowOf).filter((row) => row !== null);

/** The files of a symbol, newest window first. */
function filesOf(dir: string, symbol: string, interval: string): readonly string[] {
  const parts = parseSymbol(symbol);
  const folder = path.join(dir, `klines-${interval.toLowerCase()}`);
  if (!parts.ok || !existsSync(folder)) return [];
  const windows = readdirSync(folder).sort().reverse();
  const name = `${parts.value.base}${parts.value.quote}.csv`;
  const files = windows.flatMap((window) => [name, `${name}.gz`].map((file) => path.join(folder, window, file)));
  return files.filter((file) => existsSync(file));
}

function rowsIn(file: string, limit: number): readonly CandleRow[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: 512 * 1024 * 1024 }) : bytes).toString();
  const lines = text.trimEnd().split("\n").slice(1).slice(-limit);
  return rowsOf(lines.map((line) => line.split(",")));
}

/** The newest rows of an interval, reaching into the window before where the newest one is short. */
function newestRows(dir: string, symbol: string, interval: string, limit: number): readonly CandleRow[] {
  const [newest, before] = filesOf(dir, symbol, interval);
  const rows = newest === undefined ? [] : rowsIn(newest, limit);
  const first = rows[0];
  if (before === undefined || first === undefined || rows.length >= limit) return rows;
  const earlier = rowsIn(before, limit - rows.length).filter((row) => row.openMs < first.openMs);
  return [...earlier, ...rows].slice(-limit);
}

/** `name` is what the answer calls it. The interval's own files, or bars made of minutes where only those were recorded. */
export function candleFolder(dir: string, name = "folder"): CandleSource {
  return {
    name,
    candles: (symbol, interval, limit) => {
      const lengthMs = KLINE_INTERVAL_MS[interval];
      const wanted = Math.min(limit, ROWS_MAX);
      if (lengthMs === undefined) return Promise.resolve([]);
      const own = newestRows(dir, symbol, interval, wanted);
      if (own.length > 0 || lengthMs <= MINUTE_MS) return Promise.resolve(own);
      const minutes = newestRows(dir, symbol, "1m", Math.min(MINUTES_MAX, (wanted + 1) * (lengthMs / MINUTE_MS)));
      return Promise.resolve(aggregate(minutes, lengthMs).slice(-wanted));
    },
  };
}

/** A public source by an address with {symbol}, {base}, {quote}, {interval} and {limit}, answering rows of candles. */
export function candleUrl(clock: Clock, template: string): CandleSource {
  return {
    name: "public source",
    candles: async (symbol, interval, limit) => {
      const parts = parseSymbol(symbol);
      if (!parts.ok) return [];
      const { base, quote } = parts.value;
      const values: Record<string, string> = { symbol, base, quote, interval, limit: String(limit) };
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
