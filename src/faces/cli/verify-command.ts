/** The command `ballast verify`: its input files and the format of its result. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseInstant, parseSpan } from "../../core/time.ts";
import { dataDirOption } from "./shared-options.ts";

/** Paths, except for `phaseTwo`, `skew` and `format`. An invariant without its evidence is not judged. */
export interface VerifyOptions {
  /** Default: the journal of the data folder. */
  readonly journal?: string;
  readonly dataDir?: string;
  readonly ledger?: string;
  readonly wire?: string;
  readonly modelLedger?: string;
  readonly sinks?: string;
  readonly log?: readonly string[];
  readonly mcpStdout?: readonly string[];
  readonly http?: readonly string[];
  readonly secrets?: string;
  readonly hashes?: string;
  readonly twin?: string;
  readonly same?: string;
  /** Epoch ms. */
  readonly phaseTwo?: number;
  /** Milliseconds. */
  readonly skew: number;
  readonly format: "text" | "json";
}

const FILES: readonly (readonly [string, string])[] = [
  ["--ledger <file>", "the venue's own facts: venue.jsonl, or the export of /control/venue-log"],
  ["--wire <file>", "every write that reached the venue: wire.jsonl, or the export of /control/wire-log"],
  ["--model-ledger <file>", "charges of the model gateway: model.jsonl, or the export of /control/model-ledger"],
  ["--sinks <dir>", "folder with outputs of the run: logs, pages, tool server output (docs/VERIFY.md)"],
  ["--log <file...>", "logs of the run, in JSON lines"],
  ["--mcp-stdout <file...>", "standard output of a tool server (svc mcp serve --record FILE)"],
  ["--http <file...>", "exchanges with the status endpoint, in JSON lines (docs/VERIFY.md)"],
  ["--secrets <file>", "secrets that no output may contain, one per line; besides those of the environment"],
  ["--hashes <file>", "approved strategy and prompt files, as `sha256sum` prints them"],
  ["--twin <file>", "journal of a run of the same seed with other news"],
  ["--same <file>", "journal of a run of the same seed, build and configuration"],
];

function span(text: string): number {
  const ms = parseSpan(text);
  if (ms === null) throw new InvalidArgumentError("write a span such as 500ms or 90s.");
  return ms;
}

function instant(text: string): number {
  const ms = parseInstant(text);
  if (ms === null) throw new InvalidArgumentError("write a time such as 2026-12-08T00:00:00Z.");
  return ms;
}

/** `--log`, `--mcp-stdout` and `--http` accept several files each. */
export function addVerify(program: Command, run: (options: VerifyOptions) => Promise<void>): void {
  const verify = dataDirOption(program.command("verify"))
    .description(
      "Check a journal against all 37 invariants, independently of the agent: held, violated (with row and figures), or not judged.",
    )
    .option("--journal <file>", "the journal (default: that of the data folder)");
  for (const [flags, what] of FILES) verify.option(flags, what);
  verify
    .addOption(
      new Option("--phase-two <time>", "start of Phase II (default: the configuration's own)").argParser(instant),
    )
    .addOption(
      new Option("--skew <span>", "allowed difference between the clocks of agent and venue")
        .argParser(span)
        .default(0, "0ms"),
    )
    .addOption(new Option("--format <format>", "output format").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExit code 0 only if nothing is violated. The records that the embedded practice venue kept beside the journal are found automatically if the journal contains only their run.\n\nExamples:\n  $ ballast verify\n  $ ballast verify --journal data/journal.db --wire run/wire.jsonl --ledger run/venue.jsonl",
    )
    .action((options: VerifyOptions) => run(options));
}
