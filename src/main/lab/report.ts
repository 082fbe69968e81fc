/** `ballast lab report`: backtests and live runs side by side, as one HTML file that opens from disk. */
import { existsSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../../core/result.ts";
import { DEFAULT_EXCHANGES } from "../../domain/symbol.ts";
import type { LabReportOptions } from "../../faces/cli/lab-command.ts";
import { JournalError } from "../../journal/error.ts";
import { readJournal } from "../../journal/reader.ts";
import { journalRun } from "../../lab/sheet/journal-run.ts";
import { type MarketBars, marketBars } from "../../lab/sheet/market-bars.ts";
import { hasReport, merged, readReport } from "../../lab/sheet/report-files.ts";
import { writeReport } from "../../lab/sheet/report-page.ts";
import type { SheetData } from "../../lab/sheet/sheet-data.ts";
import { type GivenRun, sheetData } from "../../lab/sheet/sheet-run.ts";
import { EXIT } from "../../ops/exit-codes.ts";
import { journalPath } from "../../ops/run-file.ts";
import { RowError } from "../../rows/form.ts";
import { readWindow } from "../../sim/market/replay.ts";
import { symbolSpecs } from "../../sim/symbol-table.ts";
import { complain, print } from "../../ops/complaint.ts";
import { ownRecording } from "../../lab/runs/bars-for.ts";

/** Exit code 1 if a folder contains neither a report nor a journal, or the report could not be written. */
export function labReportProgram(folders: readonly string[], options: LabReportOptions): Promise<number> {
  return Promise.resolve(report(folders, options));
}

function report(folders: readonly string[], options: LabReportOptions): number {
  if ((options.from ?? 0) >= (options.to ?? Infinity)) return complain("--from must be before --to", EXIT.usage);
  const reports: { readonly from: string; readonly data: SheetData }[] = [];
  for (const from of folders) {
    const data = hasReport(from) ? readReport(from) : sheetOfJournal(from, options);
    if (!data.ok) return complain(data.error);
    reports.push({ from, data: data.value });
  }
  const title = options.title ?? reports.map(({ data }) => data.title).join("; ");
  const written = writeReport(options.out, merged(title, reports));
  if (!written.ok) return complain(written.error);
  print(`report: ${path.resolve(options.out)}`);
  return EXIT.ok;
}

function sheetOfJournal(dataDir: string, options: LabReportOptions): Result<SheetData, string> {
  const file = journalPath(dataDir);
  if (!existsSync(file))
    return err(`${dataDir} contains neither report.json (of ballast backtest --out) nor journal.db (of an agent)`);
  const { from: fromMs = 0, to: toMs = Infinity } = options;
  let run: GivenRun;
  try {
    const reader = readJournal(file);
    try {
      run = journalRun(reader, { file, fromMs, toMs });
    } finally {
      reader.close();
    }
  } catch (cause) {
    if (cause instanceof JournalError || cause instanceof RowError) return err(cause.message);
    throw cause;
  }
  if (run.points.length < 2) return err(`${file} contains no equity for that time: the agent writes it every minute`);
  return ok(sheetData(`Account of ${path.resolve(dataDir)}`, [run], barsOf(run, dataDir, options)));
}

/** Candles of the traded symbols, from the given folder or the agent's own recording; without any the list is empty. */
function barsOf(
  { points, rows }: GivenRun,
  dataDir: string,
  { data, window }: LabReportOptions,
): readonly MarketBars[] {
  const dir = data ?? ownRecording(dataDir);
  if (dir === null) return [];
  const traded = new Set([...rows.trades, ...rows.held].map(({ symbol }) => symbol));
  const symbols = symbolSpecs({ exchanges: DEFAULT_EXCHANGES, phase: 2 }).filter(({ rules }) =>
    traded.has(rules.symbol),
  );
  const read = readWindow({ dir, symbols, ...(window === undefined ? {} : { window }) });
  if (!read.ok) {
    process.stderr.write(`ballast: no candles in the report: ${read.error}\n`);
    return [];
  }
  const [fromMs, toMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const [first, last] = read.value.spanMs;
  if (last <= fromMs || first >= toMs) {
    process.stderr.write(
      `ballast: no candles in the report: ${dir} has none of its time; give another folder with --data\n`,
    );
    return [];
  }
  return read.value.recorded.map(marketBars);
}
