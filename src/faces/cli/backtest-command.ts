/** `ballast backtest`: its options, and the table of its results. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { formatSpan, parseSpan, SECOND_MS } from "../../core/time.ts";
import { wholeNumber } from "./option-values.ts";
import { type PracticeProfile, profileOption } from "./shared-options.ts";

/** `for` and `beat` are ms; `symbols` are base assets; without `data` the market is generated from `seed`. */
export interface BacktestOptions {
  readonly config: string;
  /** Names, separated by commas. */
  readonly strategies?: string;
  readonly data?: string;
  readonly window?: string;
  readonly from?: string;
  readonly for: number;
  readonly beat: number;
  /** `fast`: the agent's step against the bare exchange, bar by bar. `full`: the whole daemon and service. */
  readonly fidelity: "fast" | "full";
  readonly seed: number;
  readonly symbols?: string;
  readonly profile?: PracticeProfile;
  readonly keep?: string;
  /** What answers strategies that ask a model, in a full run. */
  readonly model: "practice" | "replay" | "live";
  /** A data folder whose replies are replayed, or the folder that keeps a gateway's replies. */
  readonly replies?: string;
  /** What a gateway may cost in all, USD. */
  readonly budget?: string;
  /** A folder for equity and closed trades as CSV, and the figures as JSON. */
  readonly out?: string;
  /** Number of simulated entrants to rank the runs among; 0 for none. */
  readonly rivals: number;
  /** Number of disguised runs of each strategy, against which it is compared; 0 for none. */
  readonly contamination: number;
  /** The scoring file; default: the program's own. */
  readonly scoring?: string;
  readonly format: "text" | "json";
}

function span(text: string): number {
  const ms = parseSpan(text);
  if (ms === null || ms <= 0) throw new InvalidArgumentError("Write a span such as 30s, 12h or 7d.");
  return ms;
}

/** With a longer step the market stream would be silent long enough to count as dead, and nothing would open. */
const BEAT_MAX_MS = 20 * SECOND_MS;

function beatSpan(text: string): number {
  const ms = span(text);
  if (ms <= BEAT_MAX_MS) return ms;
  throw new InvalidArgumentError(
    `At most ${formatSpan(BEAT_MAX_MS)}: the agent treats a market that is silent for longer than 25 s as a dead stream and opens nothing.`,
  );
}

const [FOR_DEFAULT, BEAT_DEFAULT] = ["1d", "2s"] as const;

/** More rivals than any competition has, and a run of minutes. */
const RIVALS_MAX = 10_000;

const DISGUISES_MAX = 20;

function disguises(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= DISGUISES_MAX) return count;
  throw new InvalidArgumentError(`Write how many disguised runs to make, from 1 to ${DISGUISES_MAX}.`);
}

function usd(text: string): string {
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(text)) throw new InvalidArgumentError("Write an amount in USD such as 2 or 0.50.");
  return text;
}

/** A step above 20 s is a usage error: the agent would treat the market stream as dead. */
export function addBacktest(program: Command, run: (options: BacktestOptions) => Promise<void>): void {
  program
    .command("backtest")
    .description(
      "Run strategies over a period of market data on virtual time, each with its own agent and service, and compare the results.",
    )
    .option("--config <file>", "configuration file: limits, session, universe and settings", "config/agent.yaml")
    .option("--strategies <a,b>", "strategies to compare (default: hold and the file's own)")
    .option("--data <dir>", "play recorded candles from this folder (docs/DATA-FORMAT.md); default: generated markets")
    .option(
      "--window <name>",
      "window inside the data folder, for example klines-1m/perp-2025-05_06 or book/usdm-20240808",
    )
    .option("--from <time>", "first instant, ISO 8601 UTC; needed with --data")
    .addOption(
      new Option("--for <span>", "how long, such as 12h or 7d").argParser(span).default(span(FOR_DEFAULT), FOR_DEFAULT),
    )
    .addOption(
      new Option(
        "--fidelity <how>",
        "fast: the agent against the bare exchange, bar by bar; full: the whole daemon and service, about fifty times slower",
      )
        .choices(["fast", "full"])
        .default("fast"),
    )
    .addOption(
      new Option("--beat <span>", "step of a full run, 20s at most; a longer one is faster and coarser")
        .argParser(beatSpan)
        .default(beatSpan(BEAT_DEFAULT), BEAT_DEFAULT),
    )
    .option("--seed <n>", "seed of generated markets and news, and of all random numbers", wholeNumber(999_999_999), 1)
    .option("--symbols <bases>", "base assets, separated by commas (default: the universe of the configuration)")
    .addOption(profileOption("the configuration's"))
    .option(
      "--keep <dir>",
      "keep the journal and pages of each full run in this folder, for `ballast explain` and `ballast why`",
    )
    .addOption(
      new Option(
        "--model <how>",
        "what answers strategies that ask a model: the practice model, the replies of an earlier run, or the gateway at AI_BASE_URL (paid; see --budget)",
      )
        .choices(["practice", "replay", "live"])
        .default("practice"),
    )
    .option(
      "--replies <dir>",
      "replay: the data folder of a live agent or of a run kept with --keep; live: folder that keeps each reply, so that a repeated question costs nothing (default: data/model-replies)",
    )
    .option("--budget <usd>", "live: the most that the gateway may cost in all, such as 2", usd)
    .option("--out <dir>", "write equity and closed trades of each run as CSV, and the figures as JSON, to this folder")
    .option(
      "--rivals <n>",
      "rank the runs among this many simulated entrants on the same bars, by the competition's score",
      wholeNumber(RIVALS_MAX),
      0,
    )
    .option(
      "--contamination <n>",
      "repeat each run this many times (1 to 20) with made-up names, other dates and other prices, and report the gap: what a model may merely remember",
      disguises,
      0,
    )
    .option("--scoring <file>", "scoring formula (default: the program's config/scoring/track-a.yaml)")
    .addOption(new Option("--format <format>", "text or JSON").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast backtest --strategies hold,momentum,mean-reversion --for 2d\n  $ ballast backtest --data recordings --from 2025-06-12T22:30:00Z --for 1d --symbols BTC,ETH\n  $ ballast backtest --fidelity full --strategies llm-trader --for 6h --model live --budget 2",
    )
    .action(run);
}
