/** A report in a folder: `report.html` for people, `report.json` for machines and for later reports. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { issuesText } from "../../core/issues.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { writeReport } from "./report-page.ts";
import { type SheetData, type SheetPage, sheetSchema } from "./sheet-data.ts";

const HTML = "report.html";
const JSON_FILE = "report.json";

/** The folder must exist. The error is for people. */
export function writeReportFiles(dir: string, data: SheetData): Result<void, string> {
  try {
    writeFileSync(path.join(dir, JSON_FILE), JSON.stringify(data));
  } catch (cause) {
    return err(`${dir}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return writeReport(path.join(dir, HTML), merged(data.title, [{ from: dir, data }]));
}

export const hasReport = (dir: string): boolean => existsSync(path.join(dir, JSON_FILE));

/** Reads what an earlier `backtest --out DIR` wrote. The error names file, field and rule. */
export function readReport(dir: string): Result<SheetData, string> {
  const file = path.join(dir, JSON_FILE);
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    return err(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const read = sheetSchema.safeParse(found);
  return read.success ? ok(read.data) : err(`${file}: ${issuesText(read.error.issues.slice(0, 3), found)}`);
}

/** One page of several reports; runs with the same name are named after their folders. */
export function merged(
  title: string,
  reports: readonly { readonly from: string; readonly data: SheetData }[],
): SheetPage {
  const bases = reports.map(({ from }) => path.basename(from));
  const names = reports.flatMap(({ data }) => data.runs.map(({ name }) => name));
  const sheets = reports.map(({ from, data }) => {
    const base = path.basename(from);
    const name = bases.indexOf(base) === bases.lastIndexOf(base) ? base : from;
    const runs = data.runs.map((run) =>
      names.indexOf(run.name) === names.lastIndexOf(run.name) ? run : { ...run, name: `${run.name} (${name})` },
    );
    return { name, data: { ...data, runs } };
  });
  return { title, sheets };
}
