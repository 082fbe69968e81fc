/** `ballast backtest`: what can be said, and how its results are shown. */
import Table from "cli-table3";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseSpan } from "../../core/time.ts";

export interface BacktestOptions {
  readonly config: string;
  /** Names, divided by commas. */
  readonly strategies?: string;
  readonly data?: string;
  readonly window?: string;
  readonly from?: string;
  readonly for: number;
  readonly beat: number;
  readonly seed: number;
  readonly symbols?: string;
  readonly keep?: string;
  readonly format: "text" | "json";
}

function span(text: string): number {
  const ms = parseSpan(text);
  if (ms === null || ms <= 0) throw new InvalidArgumentError("Write a span such as 30s, 12h or 7d.");
  return ms;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Write a whole number.");
  return Number(text);
}

export function addBacktest(program: Command, run: (options: BacktestOptions) => Promise<void>): void {
  program
    .command("backtest")
    .description(
      "Let strategies live through a stretch of market on virtual time, each alone with the whole agent and the whole service, and compare them.",
    )
    .option("--config <file>", "configuration file: limits, session, universe and settings", "config/agent.yaml")
    .option("--strategies <a,b>", "strategies to compare (default: hold and the file's)")
    .option("--data <dir>", "play recorded candles from this folder (docs/DATA-FORMAT.md); made markets when absent")
    .option("--window <name>", "window inside the data folder, for example klines-1m/perp-2025-05_06")
    .option("--from <time>", "first instant, ISO 8601 UTC; needed with --data")
    .option("--for <span>", "how long, such as 12h or 7d", span, span("1d"))
    .option(
      "--beat <span>",
      "how often the market moves and the agent looks; longer is faster and coarser",
      span,
      2_000,
    )
    .option("--seed <n>", "seed of made markets and news, and of everything by chance", wholeNumber, 1)
    .option("--symbols <bases>", "base assets, divided by commas (default: the universe of the configuration)")
    .option("--keep <dir>", "keep each run's journal in this folder, for `ballast explain` and `ballast reasons`")
    .addOption(new Option("--format <format>", "text or JSON").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast backtest --strategies hold,momentum,mean-reversion --for 2d\n  $ ballast backtest --data recordings --from 2025-06-12T22:30:00Z --for 1d --symbols BTC,ETH",
    )
    .action(run);
}

export function resultTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...headings],
    style: { head: [], border: [], compact: true },
    colAligns: headings.map((heading) => (heading === "strategy" || heading === "" ? "left" : "right")),
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}
