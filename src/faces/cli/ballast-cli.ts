/**
 * The command line of `ballast`: commands, options, help with an example each. `main/` passes in one function per
 * command, which returns its exit code.
 */
import { Command, CommanderError } from "commander";
import { asksJson, complain } from "../../ops/complaint.ts";
import { EXIT } from "../../ops/exit-codes.ts";
import { addDoctor, type DoctorOptions } from "./doctor-command.ts";
import { fitHelp } from "../../core/wrap-text.ts";
import { addCompletion, type CompletionPrograms } from "./completion-command.ts";
import { addConfig, type ConfigPrograms } from "./config-command.ts";
import { addInit, type InitOptions } from "./init-command.ts";
import { addNotify, type NotifyOptions } from "./notify-command.ts";
import { addJournal, type JournalPrograms } from "./journal-command.ts";
import type { Answer } from "./shared-options.ts";
import { addVerify, type VerifyOptions } from "./verify-command.ts";
import { addExplainCommands, type ExplainPrograms } from "./explain-commands.ts";
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
