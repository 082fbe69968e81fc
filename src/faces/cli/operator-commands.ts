/** The command lines for the operator of a running agent: `ballast status`, `open`, `halt`, `resume` and `flatten`. */
import type { Command } from "commander";
import { type ReportExit, dataDirOption } from "./shared-options.ts";

/** Options of `ballast status` and `open`. */
export interface StatusOptions {
  readonly json: boolean;
  /** Only report whether the running agent is healthy: exit code 0 or 1, for a container's health check. */
  readonly health?: boolean;
  /** Refresh every two seconds until Ctrl-C. */
  readonly watch?: boolean;
  readonly dataDir?: string;
}

/** Options of `ballast halt` and `resume`. */
export interface OperateOptions extends StatusOptions {
  /** For a halt: withdraw external opening orders as well. */
  readonly all?: boolean;
}

/** Options of `ballast flatten`. */
export interface FlattenOptions extends StatusOptions {
  /** Without it nothing is closed; the command lists what it would close. */
  readonly yes: boolean;
}

/** Each returns its exit code. */
export interface OperatorPrograms {
  status(options: StatusOptions): Promise<number>;
  open(options: StatusOptions): Promise<number>;
  operate(command: "halt" | "resume", options: OperateOptions): Promise<number>;
  flatten(options: FlattenOptions): Promise<number>;
}

/** Adds `ballast status` and `open`, which change nothing. */
export function addReaders(program: Command, programs: OperatorPrograms, answer: ReportExit): void {
  dataDirOption(
    program
      .command("status")
      .description(
        "Show equity, floor, positions and their protection, session, spend and uptime: from the running agent, or from the journal if none runs.",
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

/** Adds `ballast halt`, `resume` and `flatten`. */
export function addOperator(program: Command, programs: OperatorPrograms, answer: ReportExit): void {
  for (const [name, does] of [
    [
      "halt",
      "Stop the running agent from opening positions until `ballast resume`. It cancels its own opening orders; positions, their stops and external orders stay.",
    ],
    ["resume", "Let a halted agent open positions again."],
  ] as const) {
    const command = dataDirOption(program.command(name).description(does));
    if (name === "halt") command.option("--all", "cancel external opening orders on the account as well", false);
    command
      .option("--json", "one JSON object", false)
      .addHelpText("after", `\nExample:\n  $ ballast ${name}`)
      .action((options: OperateOptions) => answer(programs.operate(name, options)));
  }
  dataDirOption(
    program
      .command("flatten")
      .description(
        "Cancel every opening order, including external ones, close every position at the market, confirm that nothing is held, and stay halted.",
      ),
  )
    .option("--yes", "do it; without this option the command only lists what it would close", false)
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nAn empty file FLATTEN in the data folder does the same.\n\nExample:\n  $ ballast flatten --yes",
    )
    .action((options: FlattenOptions) => answer(programs.flatten(options)));
}
