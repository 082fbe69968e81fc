/** `ballast data`: its commands and options. */
import { type Command, Option } from "commander";

/** `map` is a text such as `time=Date,open=Open`. */
export interface DataImportOptions {
  readonly out: string;
  readonly market: "perp" | "spot";
  readonly symbol?: string;
  readonly interval?: string;
  readonly map?: string;
}

export interface DataFormatOptions {
  readonly format: "text" | "json";
}

/** `window` names one of `data list`. */
export interface DataCheckOptions extends DataFormatOptions {
  readonly window?: string;
}

export interface DataMakeOptions {
  readonly out: string;
  readonly symbols: string;
  readonly for: string;
  readonly from: string;
  readonly seed: string;
}

export interface DataPrograms {
  dataImport(files: readonly string[], options: DataImportOptions): Promise<number>;
  dataList(dir: string, options: DataFormatOptions): Promise<number>;
  dataCheck(dir: string, options: DataCheckOptions): Promise<number>;
  dataMake(kind: string, options: DataMakeOptions): Promise<number>;
}

const FORMAT = (): Option => new Option("--format <format>", "text or JSON").choices(["text", "json"]).default("text");

export function addData(program: Command, programs: DataPrograms, exit: (run: Promise<number>) => Promise<void>): void {
  const data = program
    .command("data")
    .description("Import, list, check and generate data folders with market data for backtests.")
    .addHelpText("after", "\nExample:\n  $ ballast data list recordings");
  data
    .command("import")
    .description(
      "Import candles, aggregated trades or funding of Binance, OKX, Bybit or a plain table (.csv, .gz, .zip, .parquet) into a data folder (docs/DATA-FORMAT.md).",
    )
    .argument("<files...>", "dumps of one kind and one candle interval; several symbols and months at once")
    .requiredOption("--out <dir>", "data folder; created if missing")
    .addOption(new Option("--market <market>", "kind of market").choices(["perp", "spot"]).default("perp"))
    .option("--symbol <name>", "such as BTCUSDT, if neither the file nor its name contains it")
    .addOption(
      new Option("--interval <span>", "candle interval, if the file's name does not contain it").choices([
        "1m",
        "5m",
        "15m",
        "1h",
      ]),
    )
    .option(
      "--map <meaning=heading,...>",
      "columns of any other table: time, open, high, low, close, volume; or time, price, qty, id; or time, rate",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast data import BTCUSDT-1m-2025-05.zip ETHUSDT-1m-2025-05.zip --out recordings\n  $ ballast data import mine.csv --out recordings --symbol BTCUSDT --interval 1h --map time=Date,open=Open,high=High,low=Low,close=Close,volume=Volume",
    )
    .action((files: readonly string[], options: DataImportOptions) => exit(programs.dataImport(files, options)));
  data
    .command("list")
    .description(
      "List the contents of a data folder: windows of candles with symbols and dates, funding, trades, books, news.",
    )
    .argument("<dir>", "data folder")
    .addOption(FORMAT())
    .addHelpText("after", "\nExample:\n  $ ballast data list recordings")
    .action((dir: string, options: DataFormatOptions) => exit(programs.dataList(dir, options)));
  data
    .command("check")
    .description(
      "Find faults that would break or mislead a backtest: gaps, duplicates, impossible bars, time zones, contradicting files, survivorship bias.",
    )
    .argument("<dir>", "data folder")
    .option("--window <name>", "only this window, as `data list` names it")
    .addOption(FORMAT())
    .addHelpText(
      "after",
      "\nExit code 1 if there is a fault; warnings are for you to judge.\nExample:\n  $ ballast data check recordings --window klines-1m/perp-2025-05",
    )
    .action((dir: string, options: DataCheckOptions) => exit(programs.dataCheck(dir, options)));
  data
    .command("make")
    .description(
      "Write a synthetic market with known properties: trending, ranging, crash, funding-squeeze or news-shocks.",
    )
    .argument("<kind>", "trending, ranging, crash, funding-squeeze or news-shocks")
    .requiredOption("--out <dir>", "data folder; created if missing")
    .option("--symbols <bases>", "base coins, separated by commas", "BTC,ETH,SOL,XRP")
    .option("--for <span>", "how long it lasts", "14d")
    .option("--from <time>", "when it begins, ISO 8601, on a whole minute", "2026-01-01T00:00:00Z")
    .option("--seed <number>", "each seed generates another market of the same kind", "1")
    .addHelpText("after", "\nExample:\n  $ ballast data make crash --out made --symbols BTC,ETH --for 14d --seed 3")
    .action((kind: string, options: DataMakeOptions) => exit(programs.dataMake(kind, options)));
}
