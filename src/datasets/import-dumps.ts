/**
 * Brings dumps into a data folder of docs/DATA-FORMAT.md. Every row is checked before anything is kept, and what is kept
 * appears with one rename: an import that fails or is killed leaves no part of itself where data is read.
 */
import path from "node:path";
import { gzipSync } from "node:zlib";
import { err, ok, type Result } from "../core/result.ts";
import { isoTime, parseSpan } from "../core/time.ts";
import { counted } from "../core/words.ts";
import type { SourceRow } from "./parquet-rows.ts";
import { dataSymbolOf, formatOf, type Meaning, namedBy, type TableFormat } from "./formats.ts";
import { plainFigure, readTime } from "./cells.ts";
import { monthsOf } from "./folder.ts";
import { keepParts } from "./keep-parts.ts";
import { createTradeBars, type DumpedTrade, REPEATED, type TradeBars } from "./trade-bars.ts";
import { type SourceTable, tablesOf } from "./source-tables.ts";

export interface ImportRequest {
  readonly files: readonly string[];
  readonly dir: string;
  readonly market: "perp" | "spot";
  readonly symbol: string | null;
  readonly interval: string | null;
  /** Headings by meaning, where the dump is none of those that are known. */
  readonly mapping: Readonly<Partial<Record<Meaning, string>>> | null;
  /** Called after each file. */
  readonly progress: (done: number, all: number, rows: number) => void;
}

export interface Imported {
  /** Relative to the data folder. */
  readonly path: string;
  readonly symbols: readonly string[];
  /** Of the dumps: candles, settlements or trades. */
  readonly rows: number;
  /** Rows that several files held with the same figures, kept once. */
  readonly repeated: number;
  /** Candles that are missing between the first and the last of their symbol. */
  readonly missing: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Later faults are counted and not listed. */
const FAULTS_SHOWN = 20;
const HEADERS = {
  candles: "open_time_ms,open,high,low,close,volume",
  funding: "symbol,funding_time_ms,funding_rate",
} as const;

/** Of candles that are made of trades. */
const TRADES_INTERVAL = "1m";
/** What a row must give beside time and symbol. */
const FIGURES = {
  candles: ["open", "high", "low", "close", "volume"],
  funding: ["rate"],
  trades: ["price", "qty"],
} as const;

interface Kept {
  readonly text: string;
  readonly place: string;
}

interface Gathered {
  /** Rows by symbol and time. */
  readonly bySymbol: Map<string, Map<number, Kept>>;
  readonly faults: string[];
  /** Candles in the making, by symbol, where the dumps are of trades. */
  readonly trades: Map<string, TradeBars>;
  /** Of the tables so far: `candles of 1m`, `funding` or `trades`. */
  what: string | null;
  /** Length of the candles that are kept; null for funding. */
  interval: string | null;
  repeated: number;
  rows: number;
  /** Rows whose time starts no candle of the interval: one mistake, however many there are. */
  unaligned: { readonly first: string; count: number } | null;
}

/** The error lists every bad row with file and line; nothing has been kept then. */
export async function importDumps(request: ImportRequest): Promise<Result<Imported, string>> {
  const gathered: Gathered = {
    bySymbol: new Map(),
    faults: [],
    trades: new Map(),
    what: null,
    interval: null,
    repeated: 0,
    rows: 0,
    unaligned: null,
  };
  for (const [at, file] of request.files.entries()) {
    try {
      for await (const table of tablesOf(file)) await gather(gathered, table, request);
    } catch (cause) {
      gathered.faults.push(`${path.basename(file)}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
    request.progress(at + 1, request.files.length, gathered.rows);
  }
  const { faults, unaligned } = gathered;
  if (unaligned !== null) {
    const others = unaligned.count > 1 ? ` (and ${counted(unaligned.count - 1, "more row")})` : "";
    faults.unshift(
      `${unaligned.first}${others}; give the length of the dump's own candles with --interval, since they are not merged`,
    );
  }
  for (const [name, bars] of gathered.trades) gathered.bySymbol.set(name, keptOf(bars));
  if (faults.length === 0 && gathered.rows === 0) faults.push("the files hold no rows");
  if (faults.length === 0) return keep(gathered, request);
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : [];
  return err([...faults.slice(0, FAULTS_SHOWN), ...more, "Nothing was imported."].join("\n"));
}

async function gather(gathered: Gathered, table: SourceTable, request: ImportRequest): Promise<void> {
  let format: TableFormat | null = null;
  const named = namedBy(table.name);
  const interval = request.interval ?? named.interval;
  for await (const row of table.rows) {
    const fault = (rule: string): void => void gathered.faults.push(`${table.label}:${row.line}: ${rule}`);
    if (format === null) {
      const found = formatOf(row.cells, request.mapping);
      if (!found.ok) return fault(found.error);
      format = found.value;
      if (format.kind === "candles" && parseSpan(interval ?? "") === null)
        return fault("the length of a candle is not in the file's name; add --interval 1m");
      const kept = { candles: interval, funding: null, trades: TRADES_INTERVAL }[format.kind];
      const what = format.kind === "candles" ? `candles of ${interval ?? ""}` : format.kind;
      if (gathered.what !== null && gathered.what !== what)
        return fault(`${what} beside ${gathered.what}; import each kind by itself`);
      gathered.what = what;
      gathered.interval = kept;
      if (format.headed) continue;
    }
    const problem = takeRow(gathered, row, { format, table, symbol: request.symbol ?? named.symbol });
    if (problem !== null) fault(problem);
  }
}

interface RowSetting {
  readonly format: TableFormat;
  readonly table: SourceTable;
  readonly symbol: string | null;
}

/** Keeps a row, or says which rule it breaks. */
function takeRow(gathered: Gathered, { line, cells }: SourceRow, { format, table, symbol }: RowSetting): string | null {
  const { places, kind } = format;
  const cell = (meaning: Meaning): string => cells[places[meaning] ?? -1] ?? "";
  if (places.confirmed !== undefined && cell("confirmed") === "0") return null;
  const name = dataSymbolOf(places.symbol === undefined ? (symbol ?? "") : cell("symbol"));
  if (name === null)
    return "the symbol is neither in the file nor in its name, or is not quoted in USDT; add --symbol BTCUSDT";
  const atMs = readTime(cell("time"));
  if (atMs === null) return `time ${JSON.stringify(cell("time"))} is neither an epoch time nor an ISO time with a zone`;
  const figures = FIGURES[kind].map((meaning) => [meaning, plainFigure(cell(meaning))] as const);
  const bad = figures.find(([, figure]) => figure === null);
  if (bad) return `${bad[0]} ${JSON.stringify(cell(bad[0]))} is no figure`;
  const texts = figures.map(([, figure]) => figure ?? "");
  if (kind === "trades") {
    const id = places.id === undefined ? NaN : Number(cell("id"));
    if (places.id !== undefined && !Number.isSafeInteger(id))
      return `id ${JSON.stringify(cell("id"))} is no whole number`;
    return takeTrade(gathered, name, { id, atMs, price: texts[0] ?? "", qty: texts[1] ?? "" });
  }
  const intervalMs = parseSpan(gathered.interval ?? "") ?? 0;
  const problem = kind === "candles" ? candleProblem(texts.map(Number)) : null;
  if (problem !== null) return problem;
  if (kind === "candles" && atMs % intervalMs !== 0) {
    const first = `${table.label}:${line}: ${isoTime(atMs)} is not the start of a candle of ${gathered.interval ?? ""}`;
    gathered.unaligned ??= { first, count: 0 };
    gathered.unaligned.count += 1;
    return null;
  }
  const text = kind === "candles" ? `${atMs},${texts.join(",")}` : `${name},${atMs},${texts.join(",")}`;
  const rows = gathered.bySymbol.get(name) ?? new Map<number, Kept>();
  gathered.bySymbol.set(name, rows);
  const before = rows.get(atMs);
  if (before !== undefined && before.text !== text)
    return `${name} at ${isoTime(atMs)} has other figures than in ${before.place}`;
  if (before !== undefined) gathered.repeated += 1;
  else {
    rows.set(atMs, { text, place: `${table.label}:${line}` });
    gathered.rows += 1;
  }
  return null;
}

function takeTrade(gathered: Gathered, name: string, trade: DumpedTrade): string | null {
  const bars = gathered.trades.get(name) ?? createTradeBars();
  gathered.trades.set(name, bars);
  const problem = bars.take(trade);
  if (problem === REPEATED) gathered.repeated += 1;
  else if (problem === null) gathered.rows += 1;
  return problem === REPEATED ? null : problem;
}

const keptOf = (bars: TradeBars): Map<number, Kept> =>
  new Map([...bars.rows()].map(([atMs, figures]) => [atMs, { text: `${atMs},${figures}`, place: "trades" }]));

function candleProblem(figures: readonly number[]): string | null {
  const [open = 0, high = 0, low = 0, close = 0, volume = 0] = figures;
  if (low <= 0) return "prices must be above zero";
  if (volume < 0) return "the volume must not be negative";
  if (low > Math.min(open, close) || high < Math.max(open, close))
    return "open and close must lie between low and high";
  return null;
}

function keep(gathered: Gathered, { dir, market }: ImportRequest): Result<Imported, string> {
  const { bySymbol, interval, rows, repeated } = gathered;
  const symbols = [...bySymbol.keys()].sort();
  const times = new Map(symbols.map((name) => [name, [...(bySymbol.get(name)?.keys() ?? [])].sort((a, b) => a - b)]));
  const fromMs = Math.min(...symbols.map((name) => times.get(name)?.[0] ?? Infinity));
  const toMs = Math.max(...symbols.map((name) => times.get(name)?.at(-1) ?? 0));
  const window = `${market}-${monthsOf(fromMs, toMs)}`;
  const candles = interval !== null;
  const intervalMs = parseSpan(interval ?? "") ?? 0;
  const target = candles ? path.join(`klines-${interval}`, window) : path.join("funding", `${window}.csv.gz`);
  const linesOf = (name: string): readonly string[] =>
    (times.get(name) ?? []).map((atMs) => bySymbol.get(name)?.get(atMs)?.text ?? "");
  const packed = (lines: readonly string[]): Buffer =>
    gzipSync(`${[HEADERS[candles ? "candles" : "funding"], ...lines].join("\n")}\n`);
  const content = candles
    ? new Map(symbols.map((name) => [`${name}.csv.gz`, () => packed(linesOf(name))]))
    : () => packed(symbols.flatMap(linesOf));
  const kept = keepParts(dir, [{ target, content }]);
  if (!kept.ok) return kept;
  const missing = candles
    ? [...times.values()].reduce(
        (sum, all) => sum + ((all.at(-1) ?? 0) - (all[0] ?? 0)) / intervalMs + 1 - all.length,
        0,
      )
    : 0;
  return ok({ path: target, symbols, rows, repeated, missing, fromMs, toMs });
}
