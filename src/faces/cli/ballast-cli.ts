/**
 * The command line of `ballast`: commands, options, help with an example each. `main/` passes in one function per
 * command, which returns its exit code.
 */
import { Command, CommanderError, Help, type Option } from "commander";
import { asksJson, complain } from "../../ops/complaint.ts";
import { EXIT } from "../../ops/exit-codes.ts";
import { addDoctor, type DoctorOptions } from "./doctor-command.ts";
import { fitHelp } from "../../core/wrap-text.ts";
import { addCompletion, type CompletionPrograms } from "./completion-command.ts";
import { addConfig, type ConfigPrograms } from "./config-command.ts";
import { addInit, type InitOptions } from "./init-command.ts";
import { addNotify, type NotifyOptions } from "./notify-command.ts";
import { addJournal, type JournalPrograms } from "./journal-command.ts";
import type { ReportExit } from "./shared-options.ts";
import { addVerify, type VerifyOptions } from "./verify-command.ts";
import { explainCommands, type ExplainPrograms } from "./explain-commands.ts";
import { addDecidingCommands, type DecidingPrograms } from "./deciding-commands.ts";
import { addLogs, type LogsPrograms } from "./logs-command.ts";
import { addBacktest, type BacktestOptions } from "./backtest-command.ts";
import { addLab, type LabPrograms } from "./lab-command.ts";
import { addReports, type ReportPrograms } from "./report-commands.ts";
import { addData, type DataPrograms } from "./data-command.ts";
import { addRecord, addRun, addSim, type RunPrograms } from "./run-commands.ts";
import { addOperator, addReaders, type OperatorPrograms } from "./operator-commands.ts";

/** One function per command. */
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
    OperatorPrograms,
    ReportPrograms,
    RunPrograms {
  verify(options: VerifyOptions): Promise<number>;
  backtest(options: BacktestOptions): Promise<number>;
  doctor(options: DoctorOptions): Promise<number>;
  init(dir: string, options: InitOptions): Promise<number>;
  notify(options: NotifyOptions): Promise<number>;
}

/** What the build knows: the version and the table of exit codes. */
export interface CliText {
  readonly version: string;
  readonly exitCodes: string;
}

/** Parses and runs one command line. Returns the exit code; usage errors return 2 and name the next step. */
export async function runBallastCli(argv: readonly string[], programs: Programs, text: CliText): Promise<number> {
  let code = 0;
  const answer = (work: Promise<number>): Promise<void> => work.then((result) => void (code = result));
  const program = ballastCommands(programs, text, answer, argv[0]);
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return EXIT.ok;
    return asksJson() ? complain(`${cause.message.replace(/^error: /, "")}; see --help`, EXIT.usage) : EXIT.usage;
  }
}

/** That a switch is off by default goes without saying. */
const describeOption = (option: Option): string =>
  option.defaultValue === false ? option.description : new Help().optionDescription(option);

/**
 * Every command with its options and help; nothing runs yet. With the name of a command as `word`, only those that are
 * built with it: a command that answers at once waits for no others.
 */
export function ballastCommands(programs: Programs, text: CliText, answer: ReportExit, word?: string): Command {
  const program = new Command("ballast")
    .description("An autonomous trading agent with its own complete practice venue.")
    .version(text.version, "-v, --version")
    .exitOverride()
    .configureHelp({ helpWidth: 80, optionDescription: describeOption })
    // With --json a refusal is one JSON value and nothing else.
    .configureOutput({
      writeOut: (help) => void process.stdout.write(fitHelp(help)),
      writeErr: (text) => (asksJson() ? undefined : void process.stderr.write(text)),
    })
    .showHelpAfterError("Run `ballast --help` for the list of commands.")
    .addHelpText("after", `\nExit codes:\n${text.exitCodes}\n\nExample:\n  $ ballast run --config config/agent.yaml`);
  const groups = groupsOf(programs, answer);
  const asked = groups.filter(({ names }) => names.includes(word ?? ""));
  for (const { add } of asked.length > 0 ? asked : groups) add(program);
  for (const command of program.commands) {
    command.exitOverride();
    pointToHelp(command, `ballast ${command.name()}`);
  }
  return program.hook("preAction", (_, command) => refuseEmpty(command));
}

/** After a mistake in its options a command names its own help. */
function pointToHelp(command: Command, path: string): void {
  const has = command.commands.length > 0 ? "commands" : "options";
  command.showHelpAfterError(`Run \`${path} --help\` for its ${has}.`);
  for (const part of command.commands) pointToHelp(part, `${path} ${part.name()}`);
}

/** Commands that are built together, and their names. `completion` describes all others, so that it has none of its own. */
export interface CommandGroup {
  readonly names: readonly string[];
  readonly add: (program: Command) => void;
}

/** In the order of the help. */
export const groupsOf = (programs: Programs, answer: ReportExit): readonly CommandGroup[] => [
  { names: ["init"], add: (to) => addInit(to, (dir, options) => answer(programs.init(dir, options))) },
  { names: ["run"], add: (to) => addRun(to, programs, answer) },
  { names: ["sim"], add: (to) => addSim(to, programs, answer) },
  { names: ["backtest"], add: (to) => addBacktest(to, (options) => answer(programs.backtest(options))) },
  { names: ["lab"], add: (to) => addLab(to, programs, answer) },
  { names: ["data"], add: (to) => addData(to, programs, answer) },
  { names: ["record"], add: (to) => addRecord(to, programs, answer) },
  { names: ["status", "open"], add: (to) => addReaders(to, programs, answer) },
  { names: ["logs"], add: (to) => addLogs(to, programs, answer) },
  ...Object.entries(explainCommands()).map(([name, add]) => ({
    names: [name],
    add: (to: Command) => add(to, programs, answer),
  })),
  { names: ["report", "export"], add: (to) => addReports(to, programs, answer) },
  { names: ["halt", "resume", "flatten"], add: (to) => addOperator(to, programs, answer) },
  { names: ["strategy", "lessons"], add: (to) => addDecidingCommands(to, programs, answer) },
  { names: ["config"], add: (to) => addConfig(to, programs, answer) },
  { names: ["notify"], add: (to) => addNotify(to, (options) => answer(programs.notify(options))) },
  { names: ["doctor"], add: (to) => addDoctor(to, (options) => answer(programs.doctor(options))) },
  { names: ["verify"], add: (to) => addVerify(to, (options) => answer(programs.verify(options))) },
  { names: ["journal", "backup"], add: (to) => addJournal(to, programs, answer) },
  { names: [], add: (to) => addCompletion(to, programs, answer) },
];

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
