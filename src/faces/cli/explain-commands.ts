/** `ballast explain`, `why`, `reasons`, `trades`, `budget` and `prompt diff`: options and help with an example each. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { HOUR_MS, parseSpan } from "../../core/time.ts";
import { instant } from "./option-values.ts";
import { type ReportExit, dataDirOption } from "./shared-options.ts";

/** Absent: BALLAST_DATA_DIR locates the journal. */
export interface ReadOptions {
  readonly dataDir?: string;
}

/** With `rerun`, a step with a different result gives exit code 1. */
export interface ExplainOptions extends ReadOptions {
  readonly json: boolean;
  readonly rerun: boolean;
  readonly full: boolean;
}

export interface WhyOptions extends ReadOptions {
  readonly json: boolean;
}

/** `for` in ms, back from now. */
export interface WhyNotOptions extends ReadOptions {
  readonly for: number;
  readonly json: boolean;
}

/** `to` is exclusive. */
export interface ReasonsOptions extends ReadOptions {
  /** Epoch ms; absent: the whole run. */
  readonly from?: number;
  readonly to?: number;
  readonly format: "text" | "csv" | "md" | "json";
}

/** `from` and `to` as in ReasonsOptions, by the time a trade was closed. */
export interface TradesOptions extends ReadOptions {
  readonly symbol?: string;
  readonly from?: number;
  readonly to?: number;
  readonly strategy?: string;
  readonly limit?: number;
  readonly json: boolean;
  readonly csv: boolean;
}

export interface BudgetOptions extends ReadOptions {
  /** Midnight of the UTC day on which the budget day begins, epoch ms; absent: the running budget day. */
  readonly day?: number;
  readonly format: "text" | "json";
}

/** `decision` has two ids or none; a single one is a usage error. */
export interface PromptDiffOptions extends ReadOptions {
  readonly decision: readonly string[];
  readonly prompt?: string;
  readonly json: boolean;
}

/** Each program is one file in `main/` and returns its exit code. */
export interface ExplainPrograms {
  explain(decision: string, options: ExplainOptions): Promise<number>;
  why(id: string, options: WhyOptions): Promise<number>;
  whyNot(options: WhyNotOptions): Promise<number>;
  reasons(options: ReasonsOptions): Promise<number>;
  trades(options: TradesOptions): Promise<number>;
  budget(options: BudgetOptions): Promise<number>;
  promptDiff(options: PromptDiffOptions): Promise<number>;
}

interface Json {
  readonly json: boolean;
}

/** For a command with several formats `--json` is short for `--format json`. */
const jsonToo = <T extends { readonly format: string }>({ json, ...options }: T & Json): Omit<T & Json, "json"> & T =>
  ({ ...options, ...(json ? { format: "json" } : {}) }) as never;

const common = (command: Command): Command => dataDirOption(command).exitOverride();

/** Midnight UTC of the day; `main/budget.ts` finds the budget day that begins on it at any hour. */
function day(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new InvalidArgumentError("write a day such as 2026-01-31.");
  return instant(text);
}

/** Adds one command. `answer` awaits its program and keeps the exit code. */
type Add = (program: Command, programs: ExplainPrograms, answer: ReportExit) => void;

/** By name, in the order of the help. */
export const explainCommands = (): Readonly<Record<string, Add>> => ({
  explain: addExplain,
  why: addWhy,
  "why-not": addWhyNot,
  reasons: addReasons,
  trades: addTrades,
  budget: addBudget,
  prompt: addPrompt,
});

function addExplain(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  common(program.command("explain <decision>"))
    .description(
      "Show everything about one decision: trigger, inputs with ages, prompt and reply, cost, verdicts, orders, fills, outcome. `last` is the newest.",
    )
    .option("--rerun", "repeat the decision from the stored inputs, with the strategy loaded again, and compare", false)
    .option("--full", "show the stable part of the prompt too, and every row", false)
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nThe id of an order names the decision behind it.\n\nExample:\n  $ ballast explain last --rerun",
    )
    .action((decision: string, options: ExplainOptions) => answer(programs.explain(decision, options)));
}

function addWhy(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  common(program.command("why <id>"))
    .description(
      "Trace an order, a protective order or a fill back to the decision, the market data and the news behind it.",
    )
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nThe id is an order id, a client order id, an algo order id or a transaction id, as `explain` shows them.\n\nExample:\n  $ ballast why i-0mwqvzfd2000d91-2",
    )
    .action((id: string, options: WhyOptions) => answer(programs.why(id, options)));
}

function span(text: string): number {
  const ms = parseSpan(text);
  if (ms === null || ms <= 0) throw new InvalidArgumentError("write a span such as 30m, 1h or 2d.");
  return ms;
}

function addWhyNot(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  common(program.command("why-not"))
    .description(
      "Show why the agent opened nothing: the decisions of a span by outcome, with reasons and figures, or why there were none.",
    )
    .addOption(new Option("--for <span>", "how far back, such as 30m, 1h or 2d").argParser(span).default(HOUR_MS, "1h"))
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nReads the journal: it works beside a running agent and after it has stopped.\n\nExample:\n  $ ballast why-not --for 1h",
    )
    .action((options: WhyNotOptions) => answer(programs.whyNot(options)));
}

function addReasons(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  common(program.command("reasons"))
    .description(
      "Print the reasoning log of a run: basis, model call, verdicts and result of every place, amend, cancel, open and close.",
    )
    .option("--from <time>", "first instant, UTC (default: the first row)", instant)
    .option("--to <time>", "up to this instant, UTC (default: the last row)", instant)
    .addOption(new Option("--format <format>", "output format").choices(["text", "csv", "md", "json"]).default("text"))
    .option("--json", "the same as --format json", false)
    .addHelpText(
      "after",
      "\nExample:\n  $ ballast reasons --from 2026-01-31 --to 2026-02-01 --format csv > reasons.csv",
    )
    .action((options: ReasonsOptions & Json) => answer(programs.reasons(jsonToo(options))));
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("write a whole number from 1 up.");
  return Number(text);
}

function addTrades(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  common(program.command("trades"))
    .description(
      "List the closed trades: prices, result after fees and funding, reason of the exit, strategy, and the total.",
    )
    .option("--symbol <symbol>", "only symbols whose name contains this, such as BTC")
    .option("--from <time>", "closed at or after this instant, UTC", instant)
    .option("--to <time>", "closed before this instant, UTC", instant)
    .option("--strategy <name>", "only trades that this strategy opened")
    .option("--limit <number>", "show only the newest; the total covers all", count)
    .option("--json", "one JSON object", false)
    .option("--csv", "one CSV record for each trade", false)
    .addHelpText(
      "after",
      "\nReads the journal: it works beside a running agent and after it has stopped.\n\nExample:\n  $ ballast trades --symbol BTC --from 2026-01-31 --limit 20",
    )
    .action((options: TradesOptions) => answer(programs.trades(options)));
}

function addBudget(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  common(program.command("budget"))
    .description(
      "Show a day's model spend: spent, reserved and left, by strategy, model and decision, savings of the caches, and what the rest would pay for.",
    )
    .option("--day <day>", "the budget day that begins on this UTC day (default: the running one)", day)
    .addOption(new Option("--format <format>", "output format").choices(["text", "json"]).default("text"))
    .option("--json", "the same as --format json", false)
    .addHelpText("after", "\nExample:\n  $ ballast budget --day 2026-01-31 --format json")
    .action((options: BudgetOptions & Json) => answer(programs.budget(jsonToo(options))));
}

function addPrompt(program: Command, programs: ExplainPrograms, answer: ReportExit): void {
  const prompt = program
    .command("prompt")
    .description("Compare prompts that were sent.")
    .addHelpText("after", "\nExample:\n  $ ballast prompt diff")
    .exitOverride();
  common(prompt.command("diff"))
    .description(
      "Show where two prompts diverge, how long their common prefix is, and what a broken prefix costs per day.",
    )
    .addOption(new Option("--decision <id>", "a decision; give two").argParser(collect).default([], "the last two"))
    .option("--prompt <name>", "only prompts of this name")
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nExample:\n  $ ballast prompt diff --decision d-1 --decision d-2")
    .action((options: PromptDiffOptions) => answer(programs.promptDiff(options)));
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
