/** `ballast report` and `ballast export`: options and help with an example each. */
import { Argument, type Command, Option } from "commander";
import { instant } from "./option-values.ts";
import { dataDirOption } from "./shared-options.ts";

/** The same lists are in `report/`, which this room must not import; a test compares them. */
const FORMATS = ["text", "md", "html", "csv", "json"] as const;
const GROUPS = ["day", "symbol", "strategy"] as const;
const TABLES = ["trades", "equity", "decisions", "candles"] as const;

/** `to` is exclusive; absent bounds do not restrict. */
interface SpanOptions {
  readonly dataDir?: string;
  readonly from?: number;
  readonly to?: number;
}

export interface ReportOptions extends SpanOptions {
  readonly by: (typeof GROUPS)[number];
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
  readonly json: boolean;
}

export type ExportName = (typeof TABLES)[number];

export interface ExportOptions extends SpanOptions {
  readonly format: "csv" | "parquet" | "json";
  readonly out?: string;
  /** For candles only. */
  readonly symbol?: string;
  readonly interval: string;
  readonly json: boolean;
}

export interface ReportPrograms {
  report(options: ReportOptions): Promise<number>;
  exportTable(name: ExportName, options: ExportOptions): Promise<number>;
}

const spanOptions = (command: Command): Command =>
  dataDirOption(command)
    .option("--from <time>", "from this instant on, UTC", instant)
    .option("--to <time>", "before this instant, UTC", instant)
    .option("--out <file>", "write it to this new file (default: standard output)");

const READS =
  "\nReads the data folder: it works beside a running agent and after it has stopped.\n\nExample:\n  $ ballast";

export function addReports(
  program: Command,
  programs: ReportPrograms,
  answer: (work: Promise<number>) => Promise<void>,
): void {
  spanOptions(program.command("report"))
    .description("Report on the account: equity, drawdown, and the closed trades by day, symbol or strategy.")
    .addOption(new Option("--by <what>", "grouping of the lines").choices(GROUPS).default("day"))
    .addOption(new Option("--format <format>", "output format").choices(FORMATS).default("text"))
    .option("--json", "the same as --format json", false)
    .addHelpText("after", `${READS} report --by symbol --from 2026-01-31 --format md\nWith charts: ballast lab report`)
    .exitOverride()
    .action((options: ReportOptions) =>
      answer(programs.report(options.json ? { ...options, format: "json" } : options)),
    );
  spanOptions(program.command("export"))
    .addArgument(new Argument("<table>", "what to export").choices(TABLES))
    .description("Write closed trades, equity by the minute, decisions, or the recorded candles as a table.")
    .addOption(new Option("--format <format>", "output format").choices(["csv", "parquet", "json"]).default("csv"))
    .option("--symbol <symbol>", "candles: only symbols whose name contains this, such as BTC")
    .option("--interval <interval>", "candles: their length", "1m")
    .option("--json", "the same as --format json", false)
    .addHelpText(
      "after",
      `${READS} export trades --from 2026-01-31 --out trades.csv\n  $ ballast export equity --format parquet --out equity.parquet`,
    )
    .exitOverride()
    .action((table: ExportName, options: ExportOptions) =>
      answer(programs.exportTable(table, options.json ? { ...options, format: "json" } : options)),
    );
}
