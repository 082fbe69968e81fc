/** The command lines of `ballast run`, `sim` and `record`: the programs that run until they are stopped. */
import { Command, Option } from "commander";
import { exchanges, phase, positive, wholeNumber } from "./option-values.ts";
import { type ReportExit, dataDirOption, type PracticeProfile, profileOption } from "./shared-options.ts";

/** How a program writes its log. */
export interface LogOptions {
  readonly logFormat: "auto" | "json" | "text";
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Options of `ballast run`. */
export interface RunOptions extends LogOptions {
  readonly config: string;
  readonly dataDir?: string;
  readonly strategy?: string;
  readonly practiceClock?: string;
  readonly live?: boolean;
  readonly fresh?: boolean;
}

/** Options of `ballast sim`; `speed` is practice seconds per real second. */
export interface SimCommandOptions extends LogOptions {
  readonly port: number;
  readonly controlPort: number;
  readonly seed: number;
  readonly exchanges: string;
  readonly phase: 1 | 2;
  readonly data?: string;
  readonly window?: string;
  readonly from?: string;
  readonly profile?: PracticeProfile;
  readonly scenario?: string;
  readonly speed: number;
  readonly accounts?: string;
  readonly readyFile?: string;
  readonly record?: string;
}

/** Options of `ballast record`; `for` is a span such as 1h. */
export interface RecordOptions extends LogOptions {
  readonly config: string;
  readonly out: string;
  readonly for?: string;
  readonly symbols?: string;
  readonly practiceClock?: string;
}

const logOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--log-format <format>", "auto: readable on a terminal, JSON in a pipe")
        .choices(["auto", "json", "text"])
        .default("auto"),
    )
    .addOption(
      new Option("--log-level <level>", "least important level shown")
        .choices(["debug", "info", "warn", "error"])
        .default("info"),
    );

/** Each returns its exit code. */
export interface RunPrograms {
  run(options: RunOptions): Promise<number>;
  sim(options: SimCommandOptions): Promise<number>;
  record(options: RecordOptions): Promise<number>;
}

/** Adds `ballast run`. */
export function addRun(program: Command, programs: RunPrograms, answer: ReportExit): void {
  const run = program
    .command("run")
    .description("Trade on the venue that the configuration names: the embedded practice venue, or the real service.")
    .option("--config <file>", "configuration file", "config/agent.yaml")
    .option("--strategy <name>", "strategy to use instead of the file's")
    .option("--live", "allow orders on this account of the real service; needed once for each data folder")
    .option("--fresh", "begin a new practice account; the data folder's contents move to its eras/N")
    .option("--practice-clock <url>", "control address of a running `ballast sim` whose faster clock to share");
  logOptions(dataDirOption(run))
    .addHelpText(
      "after",
      "\nExample:\n  $ ballast run --config config/agent.yaml --strategy trend-carry\nStop it with Ctrl-C or SIGTERM: positions stay, protected by their stops.",
    )
    .action((options: RunOptions) => answer(programs.run(options)));
}

/** Adds `ballast sim`. */
export function addSim(program: Command, programs: RunPrograms, answer: ReportExit): void {
  const sim = program
    .command("sim")
    .description("Run the simulated service alone: trading REST, market, user and news streams, and a model gateway.")
    .option("--port <port>", "port of all surfaces; 0 takes a free one", wholeNumber(65_535), 8700)
    .option("--control-port <port>", "port of the control surface, loopback only", wholeNumber(65_535), 8701)
    .option("--seed <n>", "seed of market, news and accounts", wholeNumber(4_294_967_295), 1)
    .option("--exchanges <a,b>", "identifiers of the two exchanges", exchanges, "EXCHANGE_A,EXCHANGE_B")
    .option("--phase <1|2>", "competition phase", phase, 1)
    .option("--data <dir>", "play back recorded candles and news from this folder (docs/DATA-FORMAT.md)")
    .option(
      "--window <name>",
      "window inside the data folder, for example klines-1m/perp-2025-05_06 or book/usdm-20240808",
    )
    .option("--from <time>", "first instant of the playback, ISO 8601 UTC")
    .addOption(profileOption("usual"))
    .option("--scenario <file>", "faults and events by time, see config/scenarios/")
    .option("--speed <n>", "practice seconds per real second", positive, 1)
    .option("--accounts <file>", "accounts with their keys, YAML or JSON")
    .option("--ready-file <path>", "also write the ready line to this file")
    .option("--record <dir>", "write wire.jsonl, venue.jsonl and model.jsonl here, for `ballast verify`");
  logOptions(sim)
    .addHelpText(
      "after",
      "\nWhen it is ready it prints one line of JSON with every address and the default account's keys.\n\nExample:\n  $ ballast sim --seed 7 --port 8700 --scenario config/scenarios/flash-crash.yaml",
    )
    .action((options: SimCommandOptions) => answer(programs.sim(options)));
}

/** Adds `ballast record`. */
export function addRecord(program: Command, programs: RunPrograms, answer: ReportExit): void {
  const record = program
    .command("record")
    .description(
      "Record minute candles, funding, open interest and news, in the format that `ballast sim --data` plays. Trades nothing.",
    )
    .requiredOption("--out <dir>", "folder to record into; an existing recording continues")
    .option("--for <span>", "how long, such as 1h or 2d (default: until it is stopped)")
    .option("--symbols <bases>", "base assets, separated by commas (default: the universe of the configuration)")
    .option("--config <file>", "configuration file", "config/agent.yaml")
    .option("--practice-clock <url>", "control address of a running `ballast sim` whose faster clock to share");
  logOptions(record)
    .addHelpText("after", "\nExample:\n  $ ballast record --out recordings/today --for 1h")
    .action((options: RecordOptions) => answer(programs.record(options)));
}
