/** Reads a run from the journal of a live or a practice account, with the same rows that a backtest report uses. */
import { type Decimal, ONE, toFloat } from "../../core/decimal.ts";
import { isoTime } from "../../core/time.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { readBoot } from "../../rows/boot.ts";
import { readWireOut } from "../../rows/wire-out.ts";
import { modelsText } from "./run-about.ts";
import { collectRunRows, SHEET_KINDS } from "./run-rows.ts";
import type { GivenRun } from "./sheet-run.ts";
import { counted } from "../../core/words.ts";
import { modelsByDecision } from "../../report/models/questions.ts";

export interface JournalChoice {
  readonly file: string;
  /** Rows written from `fromMs` on and before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Equity comes from the agent's own rows, one a minute. Throws RowError for a row that this build cannot read. */
export function journalRun(reader: JournalReader, { file, fromMs, toMs }: JournalChoice): GivenRun {
  const sizes = contractSizesOf(reader);
  const sizeOf = (symbol: string): Decimal => sizes.get(symbol) ?? ONE;
  const collector = collectRunRows(sizeOf);
  for (const row of reader.rows({ kinds: SHEET_KINDS, sinceMs: fromMs }))
    if (row.atMs < toMs) collector.note(row, row.atMs);
  const rows = collector.gathered();
  const about = aboutJournal(reader, file);
  const models = [...new Set(modelsByDecision(reader).values())].sort();
  return {
    name: about.strategy,
    points: rows.equity,
    rows,
    about: [...about.lines, ["model", modelsText(models)]],
    contractSize: (symbol) => toFloat(sizeOf(symbol)),
  };
}

/** The model as recorded with each opening order. */
function contractSizesOf(reader: JournalReader): ReadonlyMap<string, Decimal> {
  const sizes = new Map<string, Decimal>();
  for (const row of reader.rows({ kinds: ["wire-out"] })) {
    const { params, seen } = readWireOut(row);
    const { symbol } = params;
    if (typeof symbol === "string" && seen?.rules) sizes.set(symbol, seen.rules.contractSize);
  }
  return sizes;
}

function aboutJournal(
  reader: JournalReader,
  file: string,
): { readonly strategy: string; readonly lines: GivenRun["about"] } {
  const runs = reader.rows({ kinds: ["boot"] });
  const begun = runs.map(readBoot).flatMap((row) => ("venue" in row ? [row] : []));
  const [first, last] = [runs[0], begun.at(-1)];
  const strategy = last?.strategy ?? "not known";
  const lines: GivenRun["about"] = [
    ["journal", `${file}, ${counted(reader.count(), "row")}`],
    ["begun", first ? isoTime(first.atMs) : "not known"],
    ["runs of the program", String(begun.length)],
    ["venue", last?.venue ?? "not known"],
    ["strategy at the last start", strategy],
    ["Node", last?.version ?? "not known"],
  ];
  return { strategy, lines };
}
