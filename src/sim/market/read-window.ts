/** Reads the recorded symbols of one window of a data folder: candles, and trades, books and funding where there are any. */
import { basename } from "node:path";
import { err, ok, type Result } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import type { SymbolSpec } from "../exchange/contract/market-api.ts";
import { type BookPaths, type BookRecording, scanBook } from "./book-recording.ts";
import { type CandleColumns, type FundingRow, readCandleFile, readFunding } from "./import.ts";
import { fitRecorded, type Recorded } from "./recorded.ts";
import { candlesOf, readTradeFiles } from "./trades.ts";
import { bookPaths, type CandleWindow, listWindows, madeOfTrades, pickWindow, tradeFiles } from "./windows.ts";

/** `dir` is a data folder of docs/DATA-FORMAT.md; only recorded books are still read during playback. */
export interface WindowSettings {
  readonly dir: string;
  /** Instruments that may be played; those without data are left out. */
  readonly symbols: readonly SymbolSpec[];
  /** Window name; default the newest one of one-minute perpetuals. */
  readonly window?: string;
  /** Where to begin on the tape, epoch ms of the tape's time. */
  readonly fromMs?: number;
  /** Only these symbols: canonical symbols, bases or data symbols. One without data is an error. */
  readonly only?: readonly string[];
}

/** The base of an instrument if the window can play it: perpetuals always, spot only from a spot window. */
function playableBase(spec: SymbolSpec, window: CandleWindow): string | null {
  const parsed = parseSymbol(spec.rules.symbol);
  if (!parsed.ok) return null;
  return parsed.value.type === "PERP" || window.market === "spot" ? parsed.value.base : null;
}

function chosen(settings: WindowSettings, window: CandleWindow): Result<readonly SymbolSpec[], string> {
  const names = (spec: SymbolSpec): readonly string[] => {
    const base = playableBase(spec, window);
    return base === null ? [] : [spec.rules.symbol, base, `${base}USDT`];
  };
  const hasData = (spec: SymbolSpec): boolean => window.files.has(`${playableBase(spec, window) ?? ""}USDT`);
  const playable = settings.symbols.filter(hasData);
  for (const name of settings.only ?? []) {
    if (playable.some((spec) => names(spec).includes(name))) continue;
    const there = [...window.files.keys()].join(", ");
    return err(`no data for ${JSON.stringify(name)} in window ${window.interval}/${window.name}; it holds ${there}`);
  }
  const found = playable.filter((spec) => !settings.only || names(spec).some((name) => settings.only?.includes(name)));
  return found.length > 0
    ? ok(found)
    : err(`window ${window.name} of ${basename(settings.dir)} has data for none of the symbols`);
}

/** Candles of a symbol, with finer data if available: a window of trades builds its own candles. */
function readSymbol(window: CandleWindow, dataSymbol: string, tradePaths: readonly string[]) {
  const trades = tradePaths.length === 0 ? ok(null) : readTradeFiles(tradePaths);
  if (!trades.ok) return trades;
  if (madeOfTrades(window) && trades.value) {
    return ok({ candles: candlesOf(trades.value), trades: trades.value });
  }
  const candles = readCandleFile(window.files.get(dataSymbol) ?? "", window.intervalMs);
  return candles.ok ? ok({ candles: candles.value, trades: trades.value }) : candles;
}

/** Checks the recordings of one symbol's book, oldest first. */
function readBooks(paths: readonly BookPaths[]): Result<readonly BookRecording[], string> {
  const books: BookRecording[] = [];
  for (const path of paths) {
    const book = scanBook(path);
    if (!book.ok) return book;
    const before = books.at(-1);
    if (before && before.lastMs >= book.value.firstMs)
      return err(`${basename(path.deltas)} begins before ${basename(before.paths.deltas)} has ended`);
    books.push(book.value);
  }
  return ok(books);
}

type Span = readonly [fromMs: number, toMs: number];

const spanOf = (candles: CandleColumns, intervalMs: number): Span => [
  candles.openMs[0] ?? 0,
  (candles.openMs[candles.count - 1] ?? 0) + intervalMs,
];

/** First and last instant that a symbol covers. */
export const coverOf = ({ candles, intervalMs }: Recorded): Span => spanOf(candles, intervalMs);

function load(settings: WindowSettings, window: CandleWindow): Result<readonly Recorded[], string> {
  const specs = chosen(settings, window);
  if (!specs.ok) return specs;
  const funding = readFunding(settings.dir);
  if (!funding.ok) return funding;
  const out: Recorded[] = [];
  for (const spec of specs.value) {
    const dataSymbol = `${playableBase(spec, window) ?? ""}USDT`;
    const read = readSymbol(window, dataSymbol, tradeFiles(settings.dir, window, dataSymbol));
    if (!read.ok) return read;
    const rows: readonly FundingRow[] = funding.value.get(dataSymbol) ?? [];
    const { intervalMs } = window;
    const span = spanOf(read.value.candles, intervalMs);
    // Without trades a book would not follow prices, so it is not played.
    const books = read.value.trades === null ? ok([]) : readBooks(bookPaths(settings.dir, window, dataSymbol, span));
    if (!books.ok) return books;
    out.push(fitRecorded({ spec, dataSymbol, ...read.value, books: books.value, intervalMs, funding: rows }));
  }
  return ok(out);
}

/** The recorded symbols of one window of a data folder. */
export interface RecordedWindow {
  readonly window: CandleWindow;
  readonly recorded: readonly Recorded[];
  /** First and last instant, in the data's own time, that any symbol covers. */
  readonly spanMs: readonly [from: number, to: number];
}

/** Reads all files of the window now; the errors name folder, file, line or symbol, or an instant outside it. */
export function readWindow(settings: WindowSettings): Result<RecordedWindow, string> {
  const windows = listWindows(settings.dir);
  if (!windows.ok) return windows;
  const window = pickWindow(windows.value, settings.window);
  if (!window.ok) return window;
  const recorded = load(settings, window.value);
  if (!recorded.ok) return recorded;
  const covers = recorded.value.map(coverOf);
  const spanMs = [
    Math.min(...covers.map(([firstMs]) => firstMs)),
    Math.max(...covers.map(([, lastMs]) => lastMs)),
  ] as const;
  const { fromMs } = settings;
  if (fromMs !== undefined && (fromMs < spanMs[0] || fromMs >= spanMs[1])) {
    return err(
      `--from ${isoTime(fromMs)} is outside the recorded data, ${isoTime(spanMs[0])} to ${isoTime(spanMs[1])}`,
    );
  }
  return ok({ window: window.value, recorded: recorded.value, spanMs });
}
