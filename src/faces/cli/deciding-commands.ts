/** `ballast strategy` and `ballast lessons`: options and help with an example each. */
import { type Command, Option } from "commander";
import { type ReportExit, dataDirOption } from "./shared-options.ts";
import { wholeNumber } from "./option-values.ts";

export interface DecidingOptions {
  readonly json: boolean;
  readonly dataDir?: string;
}

/** Without `handover` the configuration's setting applies; without either, the agent refuses. */
export interface UseOptions extends DecidingOptions {
  readonly handover?: "adopt" | "wind-down" | "close";
}

/** `llm`: a strategy that asks a model, with a prompt. */
export interface NewOptions {
  readonly llm: boolean;
  readonly json: boolean;
}

/** Without `config`: the strategy's own file in the owner's folder, otherwise the shipped one. */
export interface CheckOptions {
  readonly json: boolean;
  readonly config?: string;
  readonly snapshots: number;
  /** Print the whole question. */
  readonly prompt: boolean;
}

/** Use, forget and review need the running agent and fail without it; the others do not need it. */
export interface DecidingPrograms {
  strategyUse(name: string, options: UseOptions): Promise<number>;
  strategyList(options: DecidingOptions): Promise<number>;
  strategyNew(name: string, options: NewOptions): Promise<number>;
  strategyCheck(name: string, options: CheckOptions): Promise<number>;
  strategyShadows(options: DecidingOptions): Promise<number>;
  lessons(options: DecidingOptions): Promise<number>;
  lessonsForget(id: string, options: DecidingOptions): Promise<number>;
  lessonsReview(options: DecidingOptions): Promise<number>;
}

const common = (command: Command): Command =>
  dataDirOption(command).option("--json", "one JSON object", false).exitOverride();

/** `lessons` alone lists them; `forget` and `review` accept its options too. */
export function addDecidingCommands(program: Command, programs: DecidingPrograms, answer: ReportExit): void {
  addStrategy(program, programs, answer);
  addLessons(program, programs, answer);
}

function addStrategy(program: Command, programs: DecidingPrograms, answer: ReportExit): void {
  const strategy = program
    .command("strategy")
    .description("List strategies, compare them on paper, switch, or write your own.")
    .addHelpText("after", "\nExample:\n  $ ballast strategy use momentum --handover adopt")
    .exitOverride();
  common(strategy.command("use <name>"))
    .description("Switch the running agent to another strategy at its next safe point.")
    .addOption(
      new Option(
        "--handover <policy>",
        "treatment of open positions; required unless the file has strategy.handover",
      ).choices(["adopt", "wind-down", "close"]),
    )
    .addHelpText(
      "after",
      "\nadopt: the new strategy manages them. wind-down: stops and targets stay, nothing is added. close: at once.\n\nExample:\n  $ ballast strategy use momentum --handover adopt",
    )
    .action((name: string, options: UseOptions) => answer(programs.strategyUse(name, options)));
  common(strategy.command("list"))
    .description("List all strategies; the active one of the running agent is marked.")
    .addHelpText("after", "\nExample:\n  $ ballast strategy list")
    .action((options: DecidingOptions) => answer(programs.strategyList(options)));
  common(strategy.command("shadows"))
    .description(
      "Show the scores of the shadows on paper, after costs: from the running agent, or from the journal if none runs.",
    )
    .addHelpText("after", "\nExample:\n  $ ballast strategy shadows")
    .action((options: DecidingOptions) => answer(programs.strategyShadows(options)));
  addAuthoring(strategy, programs, answer);
}

function addAuthoring(strategy: Command, programs: DecidingPrograms, answer: ReportExit): void {
  strategy
    .command("new <name>")
    .description("Create your own strategy: code, settings, test, and a prompt if it asks a model.")
    .option("--llm", "a strategy that asks the model", false)
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nThe files go into the folder own (or BALLAST_OWN_DIR). Nothing is overwritten.\n\nExample:\n  $ ballast strategy new my-idea --llm",
    )
    .exitOverride()
    .action((name: string, options: NewOptions) => answer(programs.strategyNew(name, options)));
  strategy
    .command("check <name>")
    .description("Check a strategy: its types, settings and prompt, then a guarded trial on the practice market.")
    .option("--config <file>", "settings, universe and model prices (default: own/<name>.yaml, else the shipped file)")
    .option("--snapshots <n>", "number of snapshots in the trial", wholeNumber(10_000), 100)
    .option("--prompt", "print the whole question as it would be sent", false)
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nExample:\n  $ ballast strategy check my-idea --prompt")
    .exitOverride()
    .action((name: string, options: CheckOptions) => answer(programs.strategyCheck(name, options)));
}

function addLessons(program: Command, programs: DecidingPrograms, answer: ReportExit): void {
  const lessons = common(program.command("lessons"))
    .description("List the lessons from the reviews of closed trades, with their expiry.")
    .addHelpText("after", "\nExample:\n  $ ballast lessons\n  $ ballast lessons forget l-0mabc123")
    .action((options: DecidingOptions) => answer(programs.lessons(options)));
  common(lessons.command("forget <id>"))
    .description("Remove a lesson from the running agent.")
    .addHelpText("after", "\nExample:\n  $ ballast lessons forget l-0mabc123")
    .action((id: string, _options: DecidingOptions, command: Command) =>
      answer(programs.lessonsForget(id, command.optsWithGlobals<DecidingOptions>())),
    );
  common(lessons.command("review"))
    .description("Review the closed trades now, within the model budget.")
    .addHelpText("after", "\nExample:\n  $ ballast lessons review")
    .action((_options: DecidingOptions, command: Command) =>
      answer(programs.lessonsReview(command.optsWithGlobals<DecidingOptions>())),
    );
}
