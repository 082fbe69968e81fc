/**
 * Reads candle and funding files of the import format into whole numbers, so that nothing is rounded. A malformed file
 * is refused with file, line and rule. Knows nothing of venues. Format: docs/DATA-FORMAT.md.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { type Decimal, dec, DECIMAL_PATTERN } from "../../core/decimal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** Candles in columns. A price is its figure divided by 10 to the `priceDecimals`, a volume likewise. */
export interface CandleColumns {
  readonly count: number;
  readonly openMs: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
}

/** No unpacked file may be larger: a year of minutes is about 40 MB. */
const UNPACKED_MAX = 256 * 1024 * 1024;
const CANDLE_HEADER = "open_time_ms,open,high,low,close,volume";

/** A whole file, unpacked if its name ends in `.gz`. Throws if it is missing or unpacks to more than 256 MB. */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: UNPACKED_MAX }) : bytes).toString("utf8");
}

/** Digits without the decimal point, and the number of decimals. */
export interface DecimalColumn {
  readonly digits: Float64Array;
  readonly decimals: Uint8Array;
}

/** Zeros, for `readFigure` to fill row by row. */
export const newColumn = (rows: number): DecimalColumn => ({
  digits: new Float64Array(rows),
  decimals: new Uint8Array(rows),
});

/** Reads a plain figure into a column; false if it is invalid, or has too many digits to be exact. */
export function readFigure(text: string, column: DecimalColumn, row: number): boolean {
  let digits = 0;
  let point = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 46 && point < 0) point = i;
    else if (code >= 48 && code <= 57) digits = digits * 10 + (code - 48);
    else return false;
  }
  if (text.length === 0 || point === 0 || point === text.length - 1) return false;
  column.digits[row] = digits;
  column.decimals[row] = point < 0 ? 0 : text.length - point - 1;
  return digits <= Number.MAX_SAFE_INTEGER;
}

/** Converts columns to a common number of decimals, which is returned; null if a figure would not be exact. */
export function toCommonDecimals(columns: readonly DecimalColumn[], count: number): number | null {
  let most = 0;
  for (const { decimals } of columns) for (let i = 0; i < count; i++) most = Math.max(most, decimals[i] ?? 0);
  for (const { digits, decimals } of columns) {
    for (let i = 0; i < count; i++) {
      const whole = (digits[i] ?? 0) * 10 ** (most - (decimals[i] ?? 0));
      if (whole > Number.MAX_SAFE_INTEGER) return null;
      digits[i] = whole;
    }
  }
  return most;
}

function candleFault(candles: CandleColumns, i: number, intervalMs: number): string | null {
  const at = (column: Float64Array): number => column[i] ?? 0;
  const [open, high, low, close] = [at(candles.open), at(candles.high), at(candles.low), at(candles.close)];
  if (low <= 0) return "prices must be above zero";
  if (low > Math.min(open, close) || high < Math.max(open, close))
    return "open and close must lie between low and high";
  if (at(candles.openMs) % intervalMs !== 0) return "open_time_ms must be a multiple of the interval";
  if (i > 0 && at(candles.openMs) <= (candles.openMs[i - 1] ?? 0)) return "open times must rise from line to line";
  return null;
}

/** Reads the text of a candle file. `name` is for the error. */
export function readCandles(text: string, name: string, intervalMs: number): Result<CandleColumns, string> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines[0] !== CANDLE_HEADER) return err(`${name}:1: the first line must be ${CANDLE_HEADER}`);
  const count = lines.length - 1;
  if (count === 0) return err(`${name}: holds no candles`);
  const columns = Array.from({ length: 6 }, () => newColumn(count));
  for (let row = 0; row < count; row++) {
    const cells = (lines[row + 1] ?? "").split(",");
    const good = cells.length === 6 && columns.every((column, i) => readFigure(cells[i] ?? "", column, row));
    if (!good) return err(`${name}:${row + 2}: expected six plain figures, found ${JSON.stringify(lines[row + 1])}`);
  }
  const [times, open, high, low, close, volume] = columns as [
    DecimalColumn,
    DecimalColumn,
    DecimalColumn,
    DecimalColumn,
    DecimalColumn,
    DecimalColumn,
  ];
  const priceDecimals = toCommonDecimals([open, high, low, close], count);
  const volumeDecimals = toCommonDecimals([volume], count);
  if (priceDecimals === null || volumeDecimals === null)
    return err(`${name}: a figure has too many digits to be exact`);
  const candles: CandleColumns = {
    count,
    openMs: times.digits,
    open: open.digits,
    high: high.digits,
    low: low.digits,
    close: close.digits,
    volume: volume.digits,
    priceDecimals,
    volumeDecimals,
  };
  for (let i = 0; i < count; i++) {
    const fault = candleFault(candles, i, intervalMs);
    if (fault !== null) return err(`${name}:${i + 2}: ${fault}`);
  }
  return ok(candles);
}

/** Throws if the file cannot be read; a problem in its content is returned as the error, with line and rule. */
export function readCandleFile(path: string, intervalMs: number): Result<CandleColumns, string> {
  return readCandles(readText(path), basename(path), intervalMs);
}

/** One recorded settlement, in the tape's own time; `rate` is a fraction for the interval ending then. */
export interface FundingRow {
  /** Rounded to the minute: exchanges timestamp settlements some milliseconds late. */
  readonly atMs: number;
  readonly rate: Decimal;
}

/** Funding by data symbol, oldest first, from every file of `DIR/funding`. An absent folder gives an empty map. */
export function readFunding(dir: string): Result<ReadonlyMap<string, readonly FundingRow[]>, string> {
  const folder = join(dir, "funding");
  const bySymbol = new Map<string, Map<number, FundingRow>>();
  if (!existsSync(folder)) return ok(new Map());
  for (const file of readdirSync(folder)
    .filter((name) => /\.csv(\.gz)?$/.test(name))
    .sort()) {
    const rows = parse(readText(join(folder, file)), { columns: false }) as string[][];
    if (rows[0]?.join(",") !== "symbol,funding_time_ms,funding_rate") {
      return err(`funding/${file}:1: the first line must be symbol,funding_time_ms,funding_rate`);
    }
    for (const [i, [symbol = "", time = "", rate = ""]] of rows.slice(1).entries()) {
      if (!/^\d{10,16}$/.test(time) || !DECIMAL_PATTERN.test(rate)) {
        return err(`funding/${file}:${i + 2}: expected symbol, epoch milliseconds and a plain rate`);
      }
      const atMs = Math.round(Number(time) / MINUTE_MS) * MINUTE_MS;
      const known = bySymbol.get(symbol) ?? new Map<number, FundingRow>();
      bySymbol.set(symbol, known.set(atMs, { atMs, rate: dec(rate) }));
    }
  }
  const sorted = [...bySymbol].map(([symbol, rows]): [string, FundingRow[]] => [
    symbol,
    [...rows.values()].sort((a, b) => a.atMs - b.atMs),
  ]);
  return ok(new Map(sorted));
}
