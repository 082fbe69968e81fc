/** `ballast data list`: what a data folder holds, by window. */
import { type CandleFolder, candleFolders, filesOf, linesOf } from "./folder.ts";

export interface WindowListing {
  /** As `--window` takes it: `klines-1m/perp-2026-01`. */
  readonly path: string;
  readonly interval: string;
  readonly symbols: readonly string[];
  readonly candles: number;
  /** First and last open time of any symbol; null where no file could be read. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

export interface FolderListing {
  readonly windows: readonly WindowListing[];
  /** Relative paths of what else playback knows. */
  readonly others: readonly string[];
}

export function listFolder(dir: string): FolderListing {
  return {
    windows: candleFolders(dir).map((folder) => listWindow(dir, folder)),
    others: (["funding", "trades", "book", "news"] as const).flatMap((kind) => filesOf(dir, kind)),
  };
}

function listWindow(dir: string, { path, interval, files }: CandleFolder): WindowListing {
  let [fromMs, toMs, candles] = [Infinity, -Infinity, 0];
  for (const file of files.values()) {
    const lines = readable(dir, file);
    const [first, last] = [timeOf(lines[1]), timeOf(lines.at(-1))];
    if (Number.isNaN(first) || Number.isNaN(last)) continue;
    candles += lines.length - 1;
    fromMs = Math.min(fromMs, first);
    toMs = Math.max(toMs, last);
  }
  const known = candles > 0;
  return {
    path,
    interval,
    symbols: [...files.keys()],
    candles,
    fromMs: known ? fromMs : null,
    toMs: known ? toMs : null,
  };
}

const timeOf = (line: string | undefined): number => Number.parseInt(line ?? "", 10);

/** A damaged file lists as empty: `data check` says what is wrong with it. */
function readable(dir: string, file: string): readonly string[] {
  try {
    return linesOf(dir, file);
  } catch {
    return [];
  }
}
