/** The command `ballast verify`: which files it takes and how it tells its result. */
import { type Command, Option } from "commander";

export interface VerifyOptions {
  readonly journal: string;
  readonly ledger?: string;
  readonly wire?: string;
  readonly modelLedger?: string;
  readonly sinks?: string;
  readonly secrets?: string;
  readonly twin?: string;
  readonly same?: string;
  /** A span. */
  readonly skew: string;
  readonly format: "text" | "json";
}

const FILES: readonly (readonly [string, string])[] = [
  ["--ledger <file>", "the venue's own facts: venue.jsonl, or the export of /control/venue-log"],
  ["--wire <file>", "every write that reached the venue: wire.jsonl, or the export of /control/wire-log"],
  ["--model-ledger <file>", "what the model gateway charged: model.jsonl, or the export of /control/model-ledger"],
  ["--sinks <dir>", "texts that the run put out: logs, pages, tool server output (docs/JOURNAL.md)"],
  ["--secrets <file>", "texts that must stand in no sink, one a line"],
  ["--twin <file>", "journal of a run of the same seed with other news"],
  ["--same <file>", "journal of a run of the same seed, build and configuration"],
];

export function addVerify(program: Command, run: (options: VerifyOptions) => Promise<void>): void {
  const verify = program
    .command("verify")
    .description(
      "Judge a journal by all 36 invariants, independently of the agent: held, violated with row and figures, or not judged.",
    )
    .requiredOption("--journal <file>", "the journal, for example data/journal.db");
  for (const [flags, what] of FILES) verify.option(flags, what);
  verify
    .option("--skew <span>", "how far the clocks of agent and venue may be apart", "0ms")
    .addOption(new Option("--format <format>", "how the result is told").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExit code 0 only when nothing is violated.\n\nExample:\n  $ ballast verify --journal data/journal.db --wire run/wire.jsonl --ledger run/venue.jsonl",
    )
    .action((options: VerifyOptions) => run(options));
}
