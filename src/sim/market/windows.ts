/**
 * The contents of a data folder: windows of candles by interval, with their symbols. Knows names and folders, not the
 * content of files. docs/DATA-FORMAT.md describes the layout.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../../core/result.ts";
import { DAY_MS, parseSpan } from "../../core/time.ts";
import type { BookPaths } from "./book-recording.ts";
import { TRADE_CANDLE_MS } from "./trades.ts";

/** One playable choice: a folder of candles, or the trades of one market and day. */
export interface CandleWindow {
  /** As in the folder name: `1m`, `5m`, `15m`, `1h`; or `trades` or `book`, whose candles are built from the trades. */
  readonly interval: string;
  readonly intervalMs: number;
  /** Folder name, for example `perp-2026-01_02`. */
  readonly name: string;
  readonly market: "perp" | "spot" | "other";
  readonly path: string;
  /** File by data symbol: `BTCUSDT`. Files with other names are ignored. */
  readonly files: ReadonlyMap<string, string>;
}

const CANDLE_FILE = /^([A-Z0-9]+USDT)\.csv(?:\.gz)?$/;

/** Market, symbol and day or days of a file of trades: `usdm-BTCUSDT-20240808.csv.gz`. */
const TRADE_FILE = /^(usdm|spot)-([A-Z0-9]+USDT)-(\d{8}(?:_\d{2,8})?)\.csv(?:\.gz)?$/;

/** A recorded book has two files, and may have the recorder's best bids and asks beside them. */
const BOOK_FILE = /^(usdm|spot)-([A-Z0-9]+USDT)-(\d{8}(?:_\d{2,8})?)\.(snapshot|deltas)\.csv(?:\.gz)?$/;

/** Trades of a folder, one window for each market and day: `trades/usdm-20240808`. */
function tradeWindows(dir: string): readonly CandleWindow[] {
  const path = join(dir, "trades");
  if (!existsSync(path)) return [];
  const byName = new Map<string, Map<string, string>>();
  for (const file of readdirSync(path).sort()) {
    const [, market = "", symbol = "", days = ""] = TRADE_FILE.exec(file) ?? [];
    if (symbol === "") continue;
    const files = byName.get(`${market}-${days}`) ?? new Map<string, string>();
    byName.set(`${market}-${days}`, files.set(symbol, join(path, file)));
  }
  return [...byName].map(([name, files]) => {
    const market = name.startsWith("usdm-") ? "perp" : "spot";
    return { interval: "trades", intervalMs: TRADE_CANDLE_MS, name, market, path, files };
  });
}

interface NamedBook {
  readonly market: CandleWindow["market"];
  readonly symbol: string;
  /** As in the name of a window: `usdm-20240808`. */
  readonly window: string;
  /** First and last day of the name, epoch ms of their starts. */
  readonly days: readonly [fromMs: number, toMs: number];
  readonly paths: BookPaths;
}

/** The days of `20240808`, `20240808_09` or `20240830_0902`. */
function daysOf(text: string): readonly [number, number] {
  const [first = "", last = ""] = text.split("_");
  const day = (digits: string): number =>
    Date.UTC(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)) - 1, Number(digits.slice(6, 8)));
  return [day(first), day(first.slice(0, 8 - last.length) + last)];
}

/** The recorded books of a folder with both files, oldest first. */
function booksIn(dir: string): readonly NamedBook[] {
  const path = join(dir, "book");
  if (!existsSync(path)) return [];
  const found = new Map<string, { readonly match: readonly string[]; readonly paths: Partial<BookPaths> }>();
  for (const file of readdirSync(path).sort()) {
    const match = BOOK_FILE.exec(file);
    if (!match) continue;
    const key = match.slice(1, 4).join("-");
    const kind = match[4] as keyof BookPaths;
    found.set(key, { match, paths: { ...found.get(key)?.paths, [kind]: join(path, file) } });
  }
  return [...found.values()].flatMap(({ match, paths: { snapshot, deltas } }): NamedBook[] => {
    const [, kind = "", symbol = "", days = ""] = match;
    if (snapshot === undefined || deltas === undefined) return [];
    const market = kind === "usdm" ? "perp" : "spot";
    return [{ market, symbol, window: `${kind}-${days}`, days: daysOf(days), paths: { snapshot, deltas } }];
  });
}

/** The trades of a day for symbols whose book was recorded as well: `book/usdm-20240808`. */
function bookWindows(dir: string): readonly CandleWindow[] {
  const books = booksIn(dir);
  return tradeWindows(dir).flatMap((trades): CandleWindow[] => {
    const both = books.filter(({ window, symbol }) => window === trades.name && trades.files.has(symbol));
    const files = new Map(both.map(({ symbol }) => [symbol, trades.files.get(symbol) ?? ""]));
    return files.size === 0 ? [] : [{ ...trades, interval: "book", files }];
  });
}

/** Recorded books of a symbol that may apply to candles of this span, oldest first. */
export function bookPaths(
  dir: string,
  { market }: CandleWindow,
  dataSymbol: string,
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
): readonly BookPaths[] {
  return booksIn(dir)
    .filter((book) => book.market === market && book.symbol === dataSymbol)
    .filter(({ days: [first, last] }) => last + DAY_MS > fromMs && first < toMs)
    .map(({ paths }) => paths);
}

/** True for windows whose candles are built from trades. */
export const madeOfTrades = ({ interval }: CandleWindow): boolean => interval === "trades" || interval === "book";

/** Trade files of a symbol that may apply to a window's candles, oldest first. */
export function tradeFiles(dir: string, window: CandleWindow, dataSymbol: string): readonly string[] {
  if (madeOfTrades(window)) return [...window.files].flatMap(([symbol, path]) => (symbol === dataSymbol ? [path] : []));
  return tradeWindows(dir).flatMap(({ market, files }) => {
    const path = market === window.market ? files.get(dataSymbol) : undefined;
    return path === undefined ? [] : [path];
  });
}

const foldersIn = (path: string): readonly string[] =>
  readdirSync(path)
    .filter((name) => statSync(join(path, name)).isDirectory())
    .sort();

function readWindow(dir: string, folder: string, name: string): CandleWindow {
  const interval = folder.slice("klines-".length);
  const path = join(dir, folder, name);
  const files = readdirSync(path).flatMap((file): [string, string][] => {
    const symbol = CANDLE_FILE.exec(file)?.[1];
    return symbol === undefined ? [] : [[symbol, join(path, file)]];
  });
  const market = name.startsWith("perp-") ? "perp" : name.startsWith("spot-") ? "spot" : "other";
  return { interval, intervalMs: parseSpan(interval) ?? 0, name, market, path, files: new Map(files.sort()) };
}

/** All windows of a data folder, finest interval first. The error says what was not found. */
export function listWindows(dir: string): Result<readonly CandleWindow[], string> {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) return err(`data folder ${dir} does not exist`);
  const windows = foldersIn(dir)
    .filter((folder) => folder.startsWith("klines-"))
    .flatMap((folder) => foldersIn(join(dir, folder)).map((name) => readWindow(dir, folder, name)))
    .filter((window) => window.intervalMs > 0 && window.files.size > 0)
    .sort((a, b) => a.intervalMs - b.intervalMs || a.name.localeCompare(b.name));
  const all = [...windows, ...tradeWindows(dir), ...bookWindows(dir)];
  if (all.length > 0) return ok(all);
  return err(`no candles in ${dir}: expected folders like klines-1m/perp-2026-01_02 with files like BTCUSDT.csv.gz`);
}

/** The last month in a window's name, as a sortable number; 0 without a date. */
function lastMonth(name: string): number {
  const match = /(\d{4})-(\d{2})(?:_(?:(\d{4})-)?(\d{2}))?$/.exec(name);
  if (!match) return 0;
  const [, year = "0", month = "0", lastYear = year, lastMonthText = month] = match;
  return Number(lastYear) * 12 + Number(lastMonthText);
}

const label = (window: CandleWindow): string => `${window.interval}/${window.name}`;

/**
 * The named window (`perp-2026-01_02`, or with its interval `1m/perp-2026-01_02`; without one the finest), or else the
 * newest one of one-minute perpetuals, or else the finest and newest.
 */
export function pickWindow(windows: readonly CandleWindow[], asked?: string): Result<CandleWindow, string> {
  if (asked !== undefined) {
    const name = asked.replace(/^klines-/, "");
    const found = windows.find((window) => window.name === name || label(window) === name);
    return found ? ok(found) : err(`no window ${JSON.stringify(asked)}; there are: ${windows.map(label).join(", ")}`);
  }
  const byAge = [...windows].sort((a, b) => lastMonth(b.name) - lastMonth(a.name));
  const newest =
    byAge.find((window) => window.interval === "1m" && window.market === "perp") ??
    byAge.find((window) => window.intervalMs === windows[0]?.intervalMs);
  return newest ? ok(newest) : err("there is no window of candles");
}
