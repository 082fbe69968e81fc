/** What lies in a data folder of docs/DATA-FORMAT.md, and the rows of its files as they stand there. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { isoTime, parseSpan } from "../core/time.ts";

/** One folder of candles. Files by symbol. */
export interface CandleFolder {
  /** Relative to the data folder: `klines-1m/perp-2026-01`. */
  readonly path: string;
  readonly interval: string;
  readonly intervalMs: number;
  readonly files: ReadonlyMap<string, string>;
}

const SYMBOL_FILE = /^([A-Z0-9]+USDT)\.csv(?:\.gz)?$/;
/** No unpacked file may be larger. */
const UNPACKED_MAX = 512 * 1024 * 1024;

const namesIn = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir).sort() : []);

/** Every window of candles, by name. */
export function candleFolders(dir: string): readonly CandleFolder[] {
  return namesIn(dir).flatMap((folder) => {
    const interval = /^klines-(.+)$/.exec(folder)?.[1];
    const intervalMs = parseSpan(interval ?? "");
    if (interval === undefined || intervalMs === null) return [];
    return namesIn(path.join(dir, folder))
      .filter((name) => statSync(path.join(dir, folder, name)).isDirectory())
      .map((name) => {
        const at = path.join(folder, name);
        const files = namesIn(path.join(dir, at)).flatMap((file) => {
          const symbol = SYMBOL_FILE.exec(file)?.[1];
          return symbol === undefined ? [] : [[symbol, path.join(at, file)] as const];
        });
        return { path: at, interval, intervalMs, files: new Map(files) };
      });
  });
}

/** The other files that playback knows, relative to the folder. */
export const filesOf = (dir: string, kind: "funding" | "trades" | "book" | "news"): readonly string[] =>
  namesIn(path.join(dir, kind))
    .filter((name) => /\.(csv|jsonl)(\.gz)?$/.test(name))
    .map((name) => path.join(kind, name));

/** The lines of a file; a last empty one is left out. Throws when it is missing, damaged or larger than 512 MB. */
export function linesOf(dir: string, file: string): readonly string[] {
  const bytes = readFileSync(path.join(dir, file));
  const text = file.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: UNPACKED_MAX }) : bytes;
  const lines = text.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** As windows are named: `2026-01`, or `2025-05_2026-03`. */
export function monthsOf(fromMs: number, toMs: number): string {
  const [first, last] = [isoTime(fromMs).slice(0, 7), isoTime(toMs).slice(0, 7)];
  return first === last ? first : `${first}_${last}`;
}
