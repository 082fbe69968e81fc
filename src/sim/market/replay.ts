/**
 * Plays recorded candles as a market: trades inside each candle, a generated book around them, marks, and recorded
 * funding. It runs on the venue's clock; the tape's own time has a fixed offset from the start on. Candles rebuilt from
 * the trades equal the source exactly. Files and their format: docs/DATA-FORMAT.md.
 */
import { basename } from "node:path";
import type { Entropy } from "../../core/entropy.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import { KLINE_INTERVAL_MS } from "../../domain/market.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import type { MarketInput, SymbolSpec } from "../exchange/market-api.ts";
import { type BookPaths, type BookRecording, scanBook } from "./book-recording.ts";
import { type Candles, type FundingRow, readCandleFile, readFunding } from "./import.ts";
import { createPlayer, type Player } from "./player-state.ts";
import { dueUntil, haltWhereOver, playBook, playDue, playSlow, startPlayer } from "./player.ts";
import { fitRecorded, type Recorded } from "./recorded.ts";
import { barsBefore } from "./recorded-past.ts";
import { GRID_MS, SUB_STEPS_MAX, type Tape } from "./tape.ts";
import { candlesOf, readTradeFiles } from "./trades.ts";
import { bookPaths, type CandleWindow, listWindows, madeOfTrades, pickWindow, tradeFiles } from "./windows.ts";

/** `dir` is a data folder of docs/DATA-FORMAT.md; only recorded books are still read during playback. */
export interface ReplaySettings {
  readonly dir: string;
  /** Instruments that may be played; those without data are left out. */
  readonly symbols: readonly SymbolSpec[];
  readonly entropy: Entropy;
  /** Window name; default the newest one of one-minute perpetuals. */
  readonly window?: string;
  /** Where to begin on the tape, epoch ms of the tape's time. See `chooseFrom` for the default. */
  readonly fromMs?: number;
  /** The interval of `step` calls; a slow market has fewer prints. */
  readonly beatMs?: number;
  /** Only these: canonical symbols, bases or data symbols. Naming one without data is an error. */
  readonly only?: readonly string[];
  /** Shows what was read under other names and at other prices. */
  readonly disguise?: (recorded: Recorded) => Recorded;
}

/** A tape that knows its position. It cannot be moved: `push` always returns false. */
export interface ReplayTape extends Tape {
  readonly window: CandleWindow;
  /** Instruments that have no data in the window. */
  readonly absent: readonly string[];
  /** Venue time minus tape time; null before the start. */
  offsetMs(): number | null;
  /** First and last instant of the tape's own time that any symbol covers. */
  readonly spanMs: readonly [from: number, to: number];
  /** True once every symbol has ended; all are halted then. */
  ended(): boolean;
}

/** The base of an instrument if the window can play it: perpetuals always, spot only from a spot window. */
function playableBase(spec: SymbolSpec, window: CandleWindow): string | null {
  const parsed = parseSymbol(spec.rules.symbol);
  if (!parsed.ok) return null;
  return parsed.value.type === "PERP" || window.market === "spot" ? parsed.value.base : null;
}

function chosen(
  settings: Pick<ReplaySettings, "symbols" | "only" | "dir">,
  window: CandleWindow,
): Result<readonly SymbolSpec[], string> {
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

const spanOf = (candles: Candles, intervalMs: number): Span => [
  candles.openMs[0] ?? 0,
  (candles.openMs[candles.count - 1] ?? 0) + intervalMs,
];

const coverOf = ({ candles, intervalMs }: Recorded): Span => spanOf(candles, intervalMs);

function load(
  settings: Pick<ReplaySettings, "symbols" | "only" | "dir">,
  window: CandleWindow,
): Result<readonly Recorded[], string> {
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
    // Without trades a book would not move with prices, so it is not played.
    const books = read.value.trades === null ? ok([]) : readBooks(bookPaths(settings.dir, window, dataSymbol, span));
    if (!books.ok) return books;
    out.push(fitRecorded({ spec, dataSymbol, ...read.value, books: books.value, intervalMs, funding: rows }));
  }
  return ok(out);
}

/**
 * Where to begin: as given; else where all symbols have begun, if at least a day is left then; else at the first
 * candle. Unless given, the time of day is kept: the tape begins at the venue's own time of day, so that days and
 * funding hours keep theirs.
 */
function chooseFrom(
  recorded: readonly Recorded[],
  askedMs: number | undefined,
  nowMs: number,
  intervalMs: number,
): number {
  if (askedMs !== undefined) return Math.floor(askedMs / intervalMs) * intervalMs;
  const covers = recorded.map(coverOf);
  const allBegun = Math.max(...covers.map(([firstMs]) => firstMs));
  const oneEnds = Math.min(...covers.map(([, lastMs]) => lastMs));
  const overlap = oneEnds - allBegun >= DAY_MS * 2;
  const earliest = overlap ? allBegun : Math.min(...covers.map(([firstMs]) => firstMs));
  const intervalNow = Math.floor(nowMs / intervalMs) * intervalMs;
  const wait = (((intervalNow - earliest) % DAY_MS) + DAY_MS) % DAY_MS;
  return earliest + wait < oneEnds ? earliest + wait : earliest;
}

/** The recorded symbols of one window of a data folder. */
export interface RecordedWindow {
  readonly window: CandleWindow;
  readonly recorded: readonly Recorded[];
  /** First and last instant of the data's own time that any symbol covers. */
  readonly spanMs: readonly [from: number, to: number];
}

/** Reads all files of the window now; the errors name folder, file, line or symbol, or an instant outside it. */
export function readWindow(settings: Omit<ReplaySettings, "entropy" | "beatMs">): Result<RecordedWindow, string> {
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
    return err(`from ${isoTime(fromMs)} lies outside of the tape, ${isoTime(spanMs[0])} to ${isoTime(spanMs[1])}`);
  }
  return ok({ window: window.value, recorded: recorded.value, spanMs });
}

/** Opens a data folder as a tape. The errors are those of `readWindow`. */
export function createReplay(settings: ReplaySettings): Result<ReplayTape, string> {
  const read = readWindow(settings);
  if (!read.ok) return read;
  const { disguise = (recorded) => recorded } = settings;
  return ok(tapeOver(settings, { ...read.value, recorded: read.value.recorded.map(disguise) }));
}

/** How far back a tape knows its past. */
const PAST_MS = 50 * DAY_MS;
const SLOW_BEAT_MS = 2_500;
const SLOW_SUB_STEPS = 4;

interface Running {
  readonly input: MarketInput;
  readonly offsetMs: number;
  readonly players: readonly Player[];
  readonly startMs: number;
  nowMs: number;
}

function tapeOver(settings: ReplaySettings, { window, recorded, spanMs }: RecordedWindow): ReplayTape {
  let running: Running | null = null;
  const symbols = recorded.map((each) => each.spec);
  const played = new Set(symbols.map((spec) => spec.rules.symbol));
  return {
    window,
    spanMs,
    symbols,
    absent: settings.symbols.map((spec) => spec.rules.symbol).filter((symbol) => !played.has(symbol)),
    offsetMs: () => running?.offsetMs ?? null,
    ended: () => running !== null && running.players.every((player) => player.ended),
    start: (input, nowMs) => {
      const { intervalMs } = window;
      const fromMs = chooseFrom(recorded, settings.fromMs, nowMs, intervalMs);
      const offsetMs = Math.floor(nowMs / intervalMs) * intervalMs - fromMs;
      const players = recorded.map((each) =>
        createPlayer(each, settings.entropy, { offsetMs, beatMs: settings.beatMs ?? GRID_MS }),
      );
      running = { input, offsetMs, players, startMs: nowMs, nowMs };
      for (const player of players) startPlayer(input, player, nowMs);
    },
    step: (nowMs) => {
      if (running) stepAll(running, nowMs);
    },
    push: () => false,
    past: (symbol, interval) => {
      const one = recorded.find(({ spec }) => spec.rules.symbol === symbol);
      const stepMs = KLINE_INTERVAL_MS[interval] ?? 0;
      if (!one || !running || stepMs < one.intervalMs) return [];
      const { offsetMs, startMs } = running;
      return barsBefore(one, { fromMs: startMs - PAST_MS, untilMs: startMs, stepMs, shiftMs: offsetMs });
    },
  };
}

/** The usual steps are divided on the fine grid, slow ones into quarters, so that weeks stay affordable. */
const gridOf = (beatMs: number): number =>
  Math.max(GRID_MS, Math.ceil(beatMs / (beatMs > SLOW_BEAT_MS ? SLOW_SUB_STEPS : SUB_STEPS_MAX) / GRID_MS) * GRID_MS);

/** Books and marks move on the grid; trades keep their own instants and come in order of time over all symbols. */
function stepAll(running: Running, toMs: number): void {
  const { input, players } = running;
  for (const player of players) playSlow(input, player, running.nowMs);
  const grid = gridOf(toMs - running.nowMs);
  while (running.nowMs < toMs) {
    const untilMs = Math.min(toMs, (Math.floor(running.nowMs / grid) + 1) * grid);
    const due = players.flatMap((player) => dueUntil(input, player, untilMs));
    due.sort((a, b) => a.atMs - b.atMs);
    for (const each of due) playDue(input, each);
    for (const player of players) haltWhereOver(input, player, untilMs);
    if (untilMs % grid === 0) for (const player of players) playBook(input, player, untilMs);
    running.nowMs = untilMs;
  }
}
