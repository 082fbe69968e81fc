/**
 * The command line of `ballast`: commands, options, help with an example each. `main/` passes in one function per
 * command, which returns its exit code.
 */
import { Command, CommanderError, Option } from "commander";
import { asksJson, complain } from "../../ops/complaint.ts";
import { EXIT } from "../../ops/exit-codes.ts";
import { addDoctor, type DoctorOptions } from "./doctor-command.ts";
import { fitHelp } from "../../core/wrap-text.ts";
import { addCompletion, type CompletionPrograms } from "./completion-command.ts";
import { addConfig, type ConfigPrograms } from "./config-command.ts";
import { addInit, type InitOptions } from "./init-command.ts";
import { addNotify, type NotifyOptions } from "./notify-command.ts";
import { addJournal, type JournalPrograms } from "./journal-command.ts";
import { exchanges, phase, positive, wholeNumber } from "./option-values.ts";
import { dataDirOption, type PracticeProfile, profileOption } from "./shared-options.ts";
import { addVerify, type VerifyOptions } from "./verify-command.ts";
import { addExplainCommands, type ExplainPrograms } from "./explain-commands.ts";
import { addDecidingCommands, type DecidingPrograms } from "./deciding-commands.ts";
import { addLogs, type LogsPrograms } from "./logs-command.ts";
import { addBacktest, type BacktestOptions } from "./backtest-command.ts";
import { addLab, type LabPrograms } from "./lab-command.ts";
import { addReports, type ReportPrograms } from "./report-commands.ts";
import { addData, type DataPrograms } from "./data-command.ts";

export interface LogOptions {
  readonly logFormat: "auto" | "json" | "text";
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

export interface RunOptions extends LogOptions {
  readonly config: string;
  readonly dataDir?: string;
  readonly strategy?: string;
  readonly practiceClock?: string;
  readonly live?: boolean;
  readonly fresh?: boolean;
}

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

export interface RecordOptions extends LogOptions {
  readonly config: string;
  readonly out: string;
  readonly for?: string;
  readonly symbols?: string;
  readonly practiceClock?: string;
}

export interface StatusOptions {
  readonly json: boolean;
  /** Only report whether the running agent is healthy: exit code 0 or 1, for a container's health check. */
  readonly health?: boolean;
  /** Refresh every two seconds until Ctrl-C. */
  readonly watch?: boolean;
  readonly dataDir?: string;
}

export interface OperateOptions extends StatusOptions {
  /** For a halt: withdraw external opening orders as well. */
  readonly all?: boolean;
}

export interface FlattenOptions extends StatusOptions {
  /** Without it nothing is closed; the command lists what it would close. */
  readonly yes: boolean;
}

export interface Programs
  extends
    CompletionPrograms,
    ConfigPrograms,
    DataPrograms,
    DecidingPrograms,
    ExplainPrograms,
    JournalPrograms,
    LabPrograms,
    LogsPrograms,
    ReportPrograms {
  verify(options: VerifyOptions): Promise<number>;
  run(options: RunOptions): Promise<number>;
  sim(options: SimCommandOptions): Promise<number>;
  backtest(options: BacktestOptions): Promise<number>;
  record(options: RecordOptions): Promise<number>;
  status(options: StatusOptions): Promise<number>;
  operate(command: "halt" | "resume", options: OperateOptions): Promise<number>;
  flatten(options: FlattenOptions): Promise<number>;
  open(options: StatusOptions): Promise<number>;
  doctor(options: DoctorOptions): Promise<number>;
  init(dir: string, options: InitOptions): Promise<number>;
  notify(options: NotifyOptions): Promise<number>;
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

export interface CliText {
  readonly version: string;
  readonly exitCodes: string;
}

/** Parses and runs one command line. Returns the exit code; usage errors return 2 and name the next step. */
export async function runBallastCli(argv: readonly string[], programs: Programs, text: CliText): Promise<number> {
  let code = 0;
  const answer = (work: Promise<number>): Promise<void> => work.then((result) => void (code = result));
  const program = ballastCommands(programs, text, answer);
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return EXIT.ok;
    return asksJson() ? complain(`${cause.message.replace(/^error: /, "")}; see --help`, EXIT.usage) : EXIT.usage;
  }
}

type Answer = (work: Promise<number>) => Promise<void>;

/** Every command with its options and help; nothing runs yet. */
export function ballastCommands(programs: Programs, text: CliText, answer: Answer): Command {
  const program = new Command("ballast")
    .description("An autonomous trading agent with its own complete practice venue.")
    .version(text.version, "-v, --version")
    .exitOverride()
    .configureHelp({ helpWidth: 80 })
    // With --json a refusal is one JSON value and nothing else.
    .configureOutput({
      writeOut: (help) => void process.stdout.write(fitHelp(help)),
      writeErr: (text) => (asksJson() ? undefined : void process.stderr.write(text)),
    })
    .showHelpAfterError("Run `ballast --help` for the list of commands.")
    .addHelpText("after", `\nExit codes:\n${text.exitCodes}\n\nExample:\n  $ ballast run --config config/agent.yaml`);
  addInit(program, (dir, options) => answer(programs.init(dir, options)));
  addRun(program, programs, answer);
  addSim(program, programs, answer);
  addBacktest(program, (options) => answer(programs.backtest(options)));
  addLab(program, programs, answer);
  addData(program, programs, answer);
  addRecord(program, programs, answer);
  addReaders(program, programs, answer);
  addLogs(program, programs, answer);
  addExplainCommands(program, programs, answer);
  addReports(program, programs, answer);
  addOperator(program, programs, answer);
  addDecidingCommands(program, programs, answer);
  addConfig(program, programs, answer);
  addNotify(program, (options) => answer(programs.notify(options)));
  addDoctor(program, (options) => answer(programs.doctor(options)));
  addVerify(program, (options) => answer(programs.verify(options)));
  addJournal(program, programs, answer);
  addCompletion(program, programs, answer);
  for (const command of program.commands) command.exitOverride();
  return program.hook("preAction", (_, command) => refuseEmpty(command));
}

/** `--data-dir "$UNSET"` means a forgotten folder, never the default one. */
function refuseEmpty(command: Command): void {
  const values = command.opts<Record<string, unknown>>();
  for (const option of command.options) {
    const given = [values[option.attributeName()]].flat();
    if (given.some((value) => typeof value === "string" && value.trim() === ""))
      command.error(
        `error: option '${option.flags}' is empty (an unset variable?). Write a value, or leave the option out.`,
      );
  }
}

function addRun(program: Command, programs: Programs, answer: Answer): void {
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

function addSim(program: Command, programs: Programs, answer: Answer): void {
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

function addRecord(program: Command, programs: Programs, answer: Answer): void {
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

function addReaders(program: Command, programs: Programs, answer: Answer): void {
  dataDirOption(
    program
      .command("status")
      .description(
        "Equity, floor, positions and their protection, session, spend, uptime: from the running agent, else from the journal.",
      ),
  )
    .option("--json", "one JSON object", false)
    .option("--health", "only report whether the running agent is healthy (exit code 0 or 1)")
    .option("--watch", "refresh every two seconds, until Ctrl-C")
    .addHelpText("after", "\nExample:\n  $ ballast status --watch")
    .action((options: StatusOptions) => answer(programs.status(options)));
  dataDirOption(
    program
      .command("open")
      .description("Print the address of the running agent's page, and how to reach it from elsewhere."),
  )
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nExample:\n  $ ballast open")
    .action((options: StatusOptions) => answer(programs.open(options)));
}

function addOperator(program: Command, programs: Programs, answer: Answer): void {
  for (const [name, does] of [
    [
      "halt",
      "Stop the running agent from opening positions until `ballast resume`. It withdraws its own opening orders; positions, their stops and external orders stay.",
    ],
    ["resume", "Let a halted agent open positions again."],
  ] as const) {
    const command = dataDirOption(program.command(name).description(does));
    if (name === "halt") command.option("--all", "withdraw external opening orders on the account as well", false);
    command
      .option("--json", "one JSON object", false)
      .addHelpText("after", `\nExample:\n  $ ballast ${name}`)
      .action((options: OperateOptions) => answer(programs.operate(name, options)));
  }
  dataDirOption(
    program
      .command("flatten")
      .description(
        "Withdraw every opening order, external ones included, close every position at the market, confirm that nothing is held, and stay halted.",
      ),
  )
    .option("--yes", "carry it out; without this option the command only lists what it would close", false)
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nAn empty file FLATTEN in the data folder does the same.\n\nExample:\n  $ ballast flatten --yes",
    )
    .action((options: FlattenOptions) => answer(programs.flatten(options)));
}
