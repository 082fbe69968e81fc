/** `ballast lab`: its commands and options. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseSpan } from "../../core/time.ts";
import { instant, wholeNumber } from "./option-values.ts";
import { type ReportExit, type PracticeProfile, profileOption } from "./shared-options.ts";

/** Spans are ms; lists are names separated by commas; `vary` are texts such as `risk.maxPositions=2,3`. */
export interface SweepOptions {
  readonly config: string;
  readonly strategies?: string;
  readonly vary?: readonly string[];
  readonly random?: number;
  readonly data?: string;
  readonly window?: string;
  readonly from?: string;
  readonly for: number;
  readonly seeds: string;
  readonly symbols?: string;
  readonly profile?: PracticeProfile;
  readonly folds: number;
  readonly training: "anchored" | "rolling";
  readonly purge: number;
  readonly out: string;
  readonly workers?: number;
  readonly format: "text" | "json";
}

/** Instants are epoch ms. */
export interface LabReportOptions {
  readonly out: string;
  readonly title?: string;
  readonly data?: string;
  readonly window?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Instants are epoch ms. */
export interface CounterfactualCliOptions {
  readonly config?: string;
  readonly data?: string;
  readonly window?: string;
  readonly from?: number;
  readonly to?: number;
  readonly vary?: readonly string[];
  readonly format: "text" | "json";
}

/** Each returns its exit code. */
export interface LabPrograms {
  sweep(options: SweepOptions): Promise<number>;
  labReport(folders: readonly string[], options: LabReportOptions): Promise<number>;
  counterfactual(folder: string, options: CounterfactualCliOptions): Promise<number>;
}

function span(text: string): number {
  const ms = parseSpan(text);
  if (ms === null || ms < 0) throw new InvalidArgumentError("Write a span such as 12h or 30d.");
  return ms;
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** Adds `ballast lab` with its commands. */
export function addLab(program: Command, programs: LabPrograms, exit: ReportExit): void {
  const lab = program
    .command("lab")
    .description("Evaluate strategies: sweeps and walk-forward over fast backtests.")
    .addHelpText("after", "\nExample:\n  $ ballast lab sweep --vary risk.maxPositions=2,3 --for 14d");
  addSweep(lab, programs, exit);
  addLabReport(lab, programs, exit);
  addCounterfactual(lab, programs, exit);
}

function addSweep(lab: Command, programs: LabPrograms, exit: ReportExit): void {
  lab
    .command("sweep")
    .description(
      "Run strategies with varied settings over periods of market data, and estimate how much of the best result is luck.",
    )
    .option("--config <file>", "configuration file that is varied", "config/backtest.yaml")
    .option("--strategies <a,b>", "strategies (default: the file's own)")
    .option(
      "--vary <setting=values>",
      "a setting with its values, such as risk.maxPositions=2,3,4; may be repeated",
      collect,
    )
    .option("--random <n>", "draw this many candidates of the grid instead of taking all", wholeNumber(20_000, 1))
    .option("--data <dir>", "recorded candles of this folder (docs/DATA-FORMAT.md); default: generated markets")
    .option("--window <name>", "window inside the data folder")
    .option("--from <time>", "first instant, ISO 8601 UTC; needed with --data")
    .addOption(new Option("--for <span>", "length of the period, such as 7d").argParser(span).default(span("7d"), "7d"))
    .option("--seeds <1,2>", "seeds of generated markets: each candidate runs over all of them", "1")
    .option("--symbols <bases>", "base assets, separated by commas (default: the universe of the configuration)")
    .addOption(profileOption("the configuration's"))
    .option(
      "--folds <n>",
      "walk forward: train and test in this many folds of recorded data; 0 for none",
      wholeNumber(100),
      0,
    )
    .addOption(
      new Option("--training <how>", "anchored: from the beginning; rolling: as long as a test")
        .choices(["anchored", "rolling"])
        .default("anchored"),
    )
    .addOption(new Option("--purge <span>", "gap between training and test").argParser(span).default(span("1h"), "1h"))
    .option("--out <file>", "SQLite file of results; trials in it are not run again", "sweep.sqlite")
    .option("--workers <n>", "threads (default: one per processor)", wholeNumber(64))
    .addOption(new Option("--format <format>", "text or JSON").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast lab sweep --strategies momentum --vary strategy.settings.momentum.entryScore=0.8,1,1.2 --for 14d\n  $ ballast lab sweep --data recordings --from 2025-05-10T00:00:00Z --for 30d --vary risk.maxPositions=2,3,4 --folds 4",
    )
    .action((options: SweepOptions) => exit(programs.sweep(options)));
}

function addLabReport(lab: Command, programs: LabPrograms, exit: ReportExit): void {
  lab
    .command("report")
    .description("Show backtests and live runs side by side, as one HTML file that opens from disk.")
    .argument("<folders...>", "folders of `ballast backtest --out`, or data folders of an agent")
    .option("--out <file>", "the file to write", "report.html")
    .option("--title <text>", "heading of the page")
    .option("--data <dir>", "candles for the charts of an agent's trades (default: the agent's recording)")
    .option("--window <name>", "window inside the data folder")
    .option("--from <time>", "for an agent's account: from this time on, ISO 8601 UTC", instant)
    .option("--to <time>", "for an agent's account: before this time", instant)
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast backtest --strategies momentum,mean-reversion --for 14d --out results\n  $ ballast lab report results data --out report.html",
    )
    .action((folders: readonly string[], options: LabReportOptions) => exit(programs.labReport(folders, options)));
}

function addCounterfactual(lab: Command, programs: LabPrograms, exit: ReportExit): void {
  lab
    .command("counterfactual")
    .description(
      "Replay an agent's recorded decisions with other stops, sizes and settings over the bars of that time. No model is asked.",
    )
    .argument("<folder>", "data folder of an agent")
    .option("--data <dir>", "bars of that time (default: the agent's recording)")
    .option("--window <name>", "window inside that folder")
    .option("--config <file>", "configuration file (default: the settings in the journal)")
    .option("--from <time>", "decisions from this time on, ISO 8601 UTC", instant)
    .option("--to <time>", "decisions before this time", instant)
    .option(
      "--vary <setting=values>",
      "a setting with its values, such as risk.maxPositions=2,3; may be repeated",
      collect,
    )
    .addOption(new Option("--format <format>", "text or JSON").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast lab counterfactual data\n  $ ballast lab counterfactual data --data recordings --vary risk.maxPositions=2,3",
    )
    .action((folder: string, options: CounterfactualCliOptions) => exit(programs.counterfactual(folder, options)));
}
