/** `ballast data check`: everything in a data folder that would break or mislead a backtest. */
import { DAY_MS, HOUR_MS, isoTime } from "../core/time.ts";
import { type CandleRows, type DataIssue, readCandleRows } from "./candle-rows.ts";
import { type CandleFolder, candleFolders, filesOf, linesOf } from "./folder.ts";
import { hoursLate } from "./time-shift.ts";
import { counted } from "../core/words.ts";

export interface FolderCheck {
  readonly files: number;
  readonly rows: number;
  readonly findings: readonly DataIssue[];
}

const FUNDING_HEADER = "symbol,funding_time_ms,funding_rate";
/** Per settlement: exchanges cap it at some percent. */
const FUNDING_MAX = 0.05;
/** A symbol that ends this long before its window is one that stopped trading, or whose data does. */
const ENDS_EARLY_MS = DAY_MS;
/** Windows that are shorter show nothing about which coins were delisted. */
const SURVIVAL_MS = 30 * DAY_MS;

const REFERENCE = "BTCUSDT";

/** `only` names one window, as `klines-1m/perp-2026-01`. `progress` is called for each file. */
export function checkFolder(dir: string, progress: (file: string) => void, only?: string): FolderCheck {
  const findings: DataIssue[] = [];
  let [files, rows] = [0, 0];
  const seen = new Map<string, { readonly window: string; readonly rows: CandleRows }[]>();
  for (const folder of candleFolders(dir)) {
    if (only !== undefined && folder.path !== only && !folder.path.endsWith(`/${only}`)) continue;
    const read = readFolder(dir, folder, findings, progress);
    files += read.size;
    for (const [symbol, found] of read) {
      rows += found.times.length;
      const key = `${folder.interval} ${marketOf(folder)} ${symbol}`;
      const before = seen.get(key) ?? [];
      for (const other of before) findings.push(...contradictions(symbol, { window: folder.path, rows: found }, other));
      seen.set(key, [...before, { window: folder.path, rows: found }]);
    }
    findings.push(...zones(folder, read), ...survival(folder, read));
  }
  if (only === undefined) {
    for (const file of filesOf(dir, "funding")) {
      progress(file);
      files += 1;
      rows += checkFunding(linesIn(dir, file, findings), file, findings);
    }
  }
  return { files, rows, findings };
}

const marketOf = ({ path }: CandleFolder): string => /\/([a-z]+)/.exec(path)?.[1] ?? "";

function linesIn(dir: string, file: string, findings: DataIssue[]): readonly string[] {
  try {
    return linesOf(dir, file);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    findings.push({ severity: "fault", place: file, text: `it cannot be read: ${text}` });
    return [];
  }
}

function readFolder(
  dir: string,
  folder: CandleFolder,
  findings: DataIssue[],
  progress: (file: string) => void,
): ReadonlyMap<string, CandleRows> {
  const found = new Map<string, CandleRows>();
  for (const [symbol, file] of folder.files) {
    progress(file);
    const lines = linesIn(dir, file, findings);
    if (lines.length === 0) continue;
    const read = readCandleRows(lines, file, folder.intervalMs);
    findings.push(...read.findings);
    if (read.times.length === 0) findings.push({ severity: "fault", place: file, text: "it holds no candles" });
    else found.set(symbol, read);
  }
  return found;
}

/** Windows that overlap must agree: a backtest of either is to show the same market. */
function contradictions(
  symbol: string,
  own: { readonly window: string; readonly rows: CandleRows },
  other: { readonly window: string; readonly rows: CandleRows },
): readonly DataIssue[] {
  const closes = new Map(other.rows.times.map((atMs, at) => [atMs, other.rows.closes[at]]));
  const differing = own.rows.times.filter((atMs, at) => closes.has(atMs) && closes.get(atMs) !== own.rows.closes[at]);
  const [first] = differing;
  if (first === undefined) return [];
  const text = `${symbol} closes otherwise than in ${other.window} at ${counted(differing.length, "time")}, first at ${isoTime(first)}`;
  return [{ severity: "fault", place: own.window, text }];
}

function zones({ path }: CandleFolder, read: ReadonlyMap<string, CandleRows>): readonly DataIssue[] {
  const reference = read.get(REFERENCE) ?? [...read.values()][0];
  if (!reference) return [];
  return [...read].flatMap(([symbol, rows]): DataIssue[] => {
    const hours = rows === reference ? null : hoursLate(rows, reference);
    if (hours === null) return [];
    const text = `${symbol} moves ${Math.abs(hours)} h ${hours > 0 ? "after" : "before"} the others: its times are probably in another time zone`;
    return [{ severity: "fault", place: path, text }];
  });
}

function survival({ path }: CandleFolder, read: ReadonlyMap<string, CandleRows>): readonly DataIssue[] {
  const ends = [...read].map(([symbol, { times }]) => ({ symbol, from: times[0] ?? 0, to: times.at(-1) ?? 0 }));
  const from = Math.min(...ends.map((each) => each.from));
  const to = Math.max(...ends.map((each) => each.to));
  const early = ends.filter((each) => to - each.to > ENDS_EARLY_MS);
  if (early.length > 0) {
    const list = early.map((each) => `${each.symbol} (${isoTime(each.to)})`).join(", ");
    return [{ severity: "warning", place: path, text: `ends before the others: ${list}` }];
  }
  if (ends.length < 2 || to - from < SURVIVAL_MS) return [];
  const text =
    "survivorship bias: every symbol trades to the end, so delisted coins are missing; results on survivors are too good";
  return [{ severity: "warning", place: path, text }];
}

function checkFunding(lines: readonly string[], file: string, findings: DataIssue[]): number {
  const fault = (line: number, text: string): void =>
    void findings.push({ severity: "fault", place: `${file}:${line}`, text });
  const warn = (text: string): void => void findings.push({ severity: "warning", place: file, text });
  if (lines.length > 0 && lines[0] !== FUNDING_HEADER) fault(1, `the first line must be ${FUNDING_HEADER}`);
  const bySymbol = new Map<string, Map<number, string>>();
  for (const [at, line] of lines.slice(1).entries()) {
    const [symbol = "", time = "", rate = ""] = line.split(",");
    if (!/^\d{13}$/.test(time) || !/^-?\d+(\.\d+)?$/.test(rate)) {
      fault(at + 2, "expected symbol, epoch milliseconds and a plain rate");
      continue;
    }
    const hour = Math.round(Number(time) / HOUR_MS);
    const known = bySymbol.get(symbol) ?? new Map<number, string>();
    bySymbol.set(symbol, known);
    const before = known.get(hour);
    if (before !== undefined && before !== rate)
      fault(at + 2, `${symbol} at ${isoTime(hour * HOUR_MS)} has two rates, ${before} and ${rate}`);
    known.set(hour, rate);
  }
  for (const [symbol, rates] of bySymbol) warnOfFunding(symbol, rates, warn);
  return Math.max(0, lines.length - 1);
}

function warnOfFunding(symbol: string, rates: ReadonlyMap<number, string>, warn: (text: string) => void): void {
  const extreme = [...rates].filter(([, rate]) => Math.abs(Number(rate)) > FUNDING_MAX);
  if (extreme.length > 0)
    warn(
      `${symbol}: ${counted(extreme.length, "rate is", "rates are")} beyond ${FUNDING_MAX * 100} % a settlement; rates are fractions, not percent`,
    );
  const hours = [...rates.keys()].sort((a, b) => a - b);
  const steps = hours.slice(1).map((hour, at) => hour - (hours[at] ?? 0));
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const holes = [...steps.entries()].filter(([, step]) => step > 1.5 * Math.max(8, usual));
  const [first] = holes;
  if (first === undefined) return;
  const missing = holes.reduce((sum, [, step]) => sum + Math.round(step / usual) - 1, 0);
  const [from, to] = [hours[first[0]] ?? 0, hours[first[0] + 1] ?? 0].map((hour) => isoTime(hour * HOUR_MS));
  const where = `${holes.length > 1 ? `in ${holes.length} places, first ` : ""}between ${from} and ${to}`;
  warn(`${symbol}: ${counted(missing, "settlement is", "settlements are")} missing ${where}; each counts as none`);
}
