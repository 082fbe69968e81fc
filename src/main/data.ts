/** `ballast data import`: brings dumps into a data folder. */
import { isoTime } from "../core/time.ts";
import { importDumps } from "../datasets/import-dumps.ts";
import { readMapping } from "../datasets/formats.ts";
import type { DataImportOptions } from "../faces/cli/data-command.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { complain, print } from "./open-journal.ts";

/** Exit code 1 where a row or a file is wrong; nothing has been kept then. */
export async function dataImportProgram(files: readonly string[], options: DataImportOptions): Promise<number> {
  const mapping = options.map === undefined ? null : readMapping(options.map);
  if (mapping !== null && !mapping.ok) return complain(mapping.error, EXIT.usage);
  const { out: dir, market, symbol = null, interval = null } = options;
  const progress = (done: number, all: number, rows: number): void => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r${done} of ${all} files, ${rows} rows${done === all ? "\n" : ""}`);
  };
  const done = await importDumps({ files, dir, market, symbol, interval, mapping: mapping?.value ?? null, progress });
  if (!done.ok) return complain(done.error);
  const { path, symbols, rows, repeated, missing, fromMs, toMs } = done.value;
  print(`${path}: ${rows} rows of ${symbols.join(", ")}, ${isoTime(fromMs)} to ${isoTime(toMs)}`);
  if (repeated > 0) print(`${repeated} rows were in several files, with the same figures, and were kept once`);
  if (missing > 0) print(`${missing} candles are missing: a backtest halts a symbol over its gaps`);
  return EXIT.ok;
}
