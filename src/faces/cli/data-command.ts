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

export interface DataPrograms {
  dataImport(files: readonly string[], options: DataImportOptions): Promise<number>;
}

export function addData(program: Command, programs: DataPrograms, exit: (run: Promise<number>) => Promise<void>): void {
  const data = program.command("data").description("Market data for backtests: bring dumps into a data folder.");
  data
    .command("import")
    .description(
      "Bring candles or funding of Binance, OKX, Bybit or a plain CSV (.csv, .gz, .zip) into a folder of docs/DATA-FORMAT.md.",
    )
    .argument("<files...>", "dumps of one kind and one candle length; several symbols and months at once")
    .requiredOption("--out <dir>", "data folder; made where there is none")
    .addOption(new Option("--market <market>", "what was traded").choices(["perp", "spot"]).default("perp"))
    .option("--symbol <name>", "such as BTCUSDT, where neither the file nor its name tells")
    .addOption(
      new Option("--interval <span>", "length of a candle, where the file's name does not tell").choices([
        "1m",
        "5m",
        "15m",
        "1h",
      ]),
    )
    .option(
      "--map <meaning=heading,...>",
      "columns of any other CSV: time, open, high, low, close, volume; or time, rate",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast data import BTCUSDT-1m-2025-05.zip ETHUSDT-1m-2025-05.zip --out recordings\n  $ ballast data import mine.csv --out recordings --symbol BTCUSDT --interval 1h --map time=Date,open=Open,high=High,low=Low,close=Close,volume=Volume",
    )
    .action((files: readonly string[], options: DataImportOptions) => exit(programs.dataImport(files, options)));
}
