/** `ballast reasons`, `trades`, `report` and `export`: lists of the past from a data folder. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EXIT } from "../ops/exit-codes.ts";
import { withJournal } from "../control/past-journal.ts";
import { dataDirOf } from "../control/running-agent.ts";
import { candleFolders } from "../datasets/folder.ts";
import { type RecordedCandle, recordedCandles } from "../datasets/recorded-candles.ts";
import type { ExportName, ExportOptions, ReportOptions } from "../faces/cli/report-commands.ts";
import { accountReport } from "../report/account/report.ts";
import { accountReportText } from "../report/account/report-text.ts";
import {
  type ColumnKind,
  decisionsTable,
  equityTable,
  type ExportTable,
  tableCsv,
  tradesTable,
} from "../report/account/export-tables.ts";
import { complain, note, print } from "../ops/complaint.ts";
import { isoTime } from "../core/time.ts";
import type { ReasonsOptions, TradesOptions } from "../faces/cli/explain-commands.ts";
import { reasonsText } from "../report/orders/reasons-text.ts";
import { writeStories } from "../report/orders/story.ts";
import { closedTrades, tradeFacts, tradesTotal } from "../report/account/trades.ts";
import { tradesCsv, tradesText } from "../report/account/trades-text.ts";
import { modelIn, modelsByDecision } from "../report/models/questions.ts";

/** Without bounds the whole journal. A span without a write is reported on standard error and is no failure. */
export function reasonsProgram(options: ReasonsOptions): Promise<number> {
  const { from: fromMs = 0, to: toMs = Number.MAX_SAFE_INTEGER, format } = options;
  if (fromMs >= toMs) return Promise.resolve(complain("--from must be before --to", EXIT.usage));
  return withJournal(options, ({ reader, file }) => {
    const stories = writeStories(reader, { fromMs, toMs });
    print(reasonsText(stories, format));
    if (stories.length === 0) {
      const newest = reader.latest("wire-out")?.atMs;
      const hint = newest === undefined ? "it contains none at all" : `its newest is from ${isoTime(newest)}`;
      note(`${file} contains no write in that time; ${hint}`);
    }
    return EXIT.ok;
  });
}

/** The total covers every trade that meets the conditions; `limit` shows only the newest of them. */
export function tradesProgram(options: TradesOptions): Promise<number> {
  const { from: fromMs, to: toMs, symbol, strategy, limit } = options;
  if (options.json && options.csv) return Promise.resolve(complain("give --json or --csv, not both", EXIT.usage));
  if ((fromMs ?? 0) >= (toMs ?? Infinity)) return Promise.resolve(complain("--from must be before --to", EXIT.usage));
  return withJournal(options, ({ reader, file }) => {
    const filter = {
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(strategy === undefined ? {} : { strategy }),
    };
    const found = closedTrades(reader, filter);
    const modelOf = modelIn(modelsByDecision(reader));
    const trades = (limit === undefined ? found : found.slice(-limit)).map((trade) => tradeFacts(trade, modelOf));
    const total = tradesTotal(found);
    if (options.json) print(JSON.stringify({ trades, total }));
    else if (options.csv) print(tradesCsv(trades));
    else if (found.length > 0) print(tradesText(trades, total));
    if (found.length === 0) {
      const any = Object.keys(filter).length > 0 && closedTrades(reader, {}).length > 0;
      const next = any
        ? "Remove a condition: ballast trades"
        : "See what is open with: ballast status; why nothing was opened: ballast why-not";
      note(`${file} contains no closed trade${any ? " like that" : " yet"}. ${next}`);
    }
    return EXIT.ok;
  });
}

const wrongSpan = ({ from = 0, to = Infinity }: { readonly from?: number; readonly to?: number }): boolean =>
  from >= to;
const SPAN = "--from must be before --to";

/** Writes to standard output, or to a new file. */
function deliver(
  content: string | Uint8Array,
  out: string | undefined,
  facts: Readonly<Record<string, unknown>>,
): number {
  if (out === undefined) {
    if (typeof content !== "string")
      return complain("a Parquet file cannot be printed: name a file with --out", EXIT.usage);
    print(content);
    return EXIT.ok;
  }
  try {
    writeFileSync(out, content, { flag: "wx" });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return complain(code === "EEXIST" ? `--out ${out} exists already; give a new file` : `--out ${out}: ${message}`);
  }
  const written = { file: path.resolve(out), ...facts };
  print(facts["format"] === "json" ? JSON.stringify({ ok: true, ...written }) : `wrote ${written.file}`);
  return EXIT.ok;
}

/** A journal without a trade has a report too. */
export function reportProgram({ by, format, out, from, to, ...options }: ReportOptions): Promise<number> {
  const bounds = { ...(from === undefined ? {} : { fromMs: from }), ...(to === undefined ? {} : { toMs: to }) };
  if (wrongSpan({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }))
    return Promise.resolve(complain(SPAN, EXIT.usage));
  return withJournal(options, ({ reader }) =>
    deliver(accountReportText(accountReport(reader, { by, ...bounds }), format), out, { format, by }),
  );
}

/** Candles come from the recording beside the journal, everything else from the journal. */
export async function exportProgram(name: ExportName, options: ExportOptions): Promise<number> {
  if (wrongSpan(options)) return complain(SPAN, EXIT.usage);
  const write = await writerOf(options.format);
  const { from: fromMs = 0, to: toMs = Number.MAX_SAFE_INTEGER } = options;
  if (name === "candles") return exportCandles(options, { fromMs, toMs }, write);
  const tables = { trades: tradesTable, equity: equityTable, decisions: decisionsTable };
  return withJournal(options, ({ reader, file }) => {
    const table = tables[name](reader, { fromMs, toMs });
    if (table.rows.length === 0) {
      const newest = reader.rows({ limit: 1, newest: true })[0]?.atMs;
      const hint = newest === undefined ? "it is empty" : `its newest row is from ${isoTime(newest)}`;
      note(`${file} contains no ${name} in that time; ${hint}`);
    }
    return deliverTable(name, table, { ...options, write });
  });
}

type WriteTable = (table: ExportTable, name: ExportName) => string | Uint8Array;

/** Only who writes Parquet loads its writer. */
async function writerOf(format: ExportOptions["format"]): Promise<WriteTable> {
  if (format === "parquet") return (await import("../report/account/parquet-table.ts")).tableParquet;
  return format === "csv" ? tableCsv : (table, name) => JSON.stringify({ table: name, rows: table.rows });
}

function deliverTable(
  name: ExportName,
  table: ExportTable,
  { format, out, write }: ExportOptions & { readonly write: WriteTable },
): number {
  return deliver(write(table, name), out, { format, table: name, rows: table.rows.length });
}

function exportCandles(
  options: ExportOptions,
  span: { readonly fromMs: number; readonly toMs: number },
  write: WriteTable,
): number {
  const dir = path.join(dataDirOf(options), "recording");
  const venues = existsSync(dir) ? readdirSync(dir).sort() : [];
  const { interval, symbol } = options;
  const choice = { interval, ...span, ...(symbol === undefined ? {} : { symbol }) };
  const rows = venues.flatMap((venue) =>
    recordedCandles(path.join(dir, venue), choice).map((candle) => ({ venue, ...candle })),
  );
  if (rows.length === 0) {
    const known = [
      ...new Set(venues.flatMap((venue) => candleFolders(path.join(dir, venue)).map((one) => one.interval))),
    ];
    const next =
      known.length > 0
        ? `It contains candles of ${known.join(", ")}; name one with --interval, and check --symbol, --from and --to`
        : "An agent records minutes while it runs: ballast run, or: ballast record";
    return complain(`${dir} contains no such candles of ${interval}. ${next}`);
  }
  const columns: Readonly<Record<keyof RecordedCandle | "venue", ColumnKind>> = {
    ...({ venue: "text", symbol: "text", openAt: "instant", open: "decimal", high: "decimal" } as const),
    ...({ low: "decimal", close: "decimal", volume: "decimal" } as const),
  };
  return deliverTable("candles", { columns, rows }, { ...options, write });
}
