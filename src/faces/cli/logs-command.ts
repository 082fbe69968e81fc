/** `ballast logs`: options and help with an example. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { LogLevel } from "../../core/log.ts";
import { parseInstant, parseSpan } from "../../core/time.ts";
import { eventNames, LOG_LEVELS } from "../../ops/log-records.ts";
import { dataDirOption } from "./shared-options.ts";
import { wholeNumber } from "./option-values.ts";

/** A span back from now, or an instant; ms. */
export type Since = { readonly spanMs: number } | { readonly atMs: number };

export interface LogsOptions {
  readonly follow: boolean;
  readonly json: boolean;
  readonly since?: Since;
  readonly lines?: number;
  readonly evt?: readonly string[];
  readonly decision?: string;
  readonly level?: LogLevel;
  readonly dataDir?: string;
}

export interface LogsPrograms {
  logs(file: string | undefined, options: LogsOptions): Promise<number>;
}

function since(text: string): Since {
  const spanMs = parseSpan(text);
  if (spanMs !== null) return { spanMs };
  const atMs = /^\d{4}-/.test(text) ? parseInstant(text) : null;
  if (atMs === null)
    throw new InvalidArgumentError(
      "write a span back from now such as 1h, or a UTC time such as 2026-01-31T09:30:00Z.",
    );
  return { atMs };
}

function names(text: string, before: readonly string[] = []): readonly string[] {
  const read = eventNames(text);
  if (!read.ok) throw new InvalidArgumentError(read.error);
  return [...before, ...read.value];
}

/** `answer` awaits the program and keeps its exit code. */
export function addLogs(
  program: Command,
  programs: LogsPrograms,
  answer: (work: Promise<number>) => Promise<void>,
): void {
  dataDirOption(program.command("logs [file]"))
    .description(
      "Show the readable log of the agent in the data folder, of a file, or of a pipe (`-`). Lines of other programs pass through.",
    )
    .option("-f, --follow", "continue with new lines as they are logged", false)
    .option("--since <time>", "a span back from now such as 1h, or a UTC time", since)
    .option("-n, --lines <n>", "only the newest n lines (default: all; with -f: 20)", wholeNumber(1_000_000))
    .option("--evt <name>", "only events of this name, or of its family (order); several separated by commas", names)
    .option("--decision <id>", "only lines of this decision")
    .addOption(new Option("--level <level>", "least important level shown").choices(LOG_LEVELS))
    .option("--json", "the chosen lines as JSON", false)
    .addHelpText(
      "after",
      "\nExamples:\n  $ ballast logs -f\n  $ ballast logs --since 1h --level warn\n  $ docker logs ballast | ballast logs --evt order,position",
    )
    .action((file: string | undefined, options: LogsOptions) => answer(programs.logs(file, options)));
}
