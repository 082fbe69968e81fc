/** The commands `ballast journal export`, `ballast journal archive` and `ballast backup`. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseInstant, parseSpan } from "../../core/time.ts";
import { dataDirOption } from "./shared-options.ts";

/** `to` is exclusive; archived rows are included. */
export interface JournalExportOptions {
  /** Epoch ms; absent for an open end. */
  readonly from?: number;
  readonly to?: number;
  readonly format: "jsonl";
  readonly dataDir?: string;
}

export interface JournalArchiveOptions {
  /** Milliseconds; absent: the setting of the last run's configuration. */
  readonly keep?: number;
  readonly dataDir?: string;
}

export interface BackupOptions {
  readonly json: boolean;
  readonly dataDir?: string;
}

/** Export works while an agent runs; archive takes the journal's lock and is refused then. */
export interface JournalPrograms {
  journalExport(options: JournalExportOptions): Promise<number>;
  journalArchive(options: JournalArchiveOptions): Promise<number>;
  backup(file: string, options: BackupOptions): Promise<number>;
}

/** `2026-01-31` is its first instant in UTC; a time without a zone would depend on the machine. */
function instant(text: string): number {
  const dated = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text);
  const atMs = dated || zoned ? parseInstant(text) : null;
  if (atMs === null) throw new InvalidArgumentError("write 2026-01-31 or 2026-01-31T09:30:00Z.");
  return atMs;
}

function span(text: string): number {
  const ms = parseSpan(text);
  if (ms === null) throw new InvalidArgumentError("write a span such as 30d.");
  return ms;
}

/** Times without a zone are usage errors, except for a plain date, which is UTC. */
export function addJournal(
  program: Command,
  programs: JournalPrograms,
  answer: (work: Promise<number>) => Promise<void>,
): void {
  const journal = program
    .command("journal")
    .description("Export or archive the rows of the journal.")
    .addHelpText("after", "\nExample:\n  $ ballast journal export --from 2026-01-31")
    .exitOverride();
  dataDirOption(journal.command("export"))
    .description("Print rows as JSON lines, oldest first, archived ones included; works beside a running agent.")
    .option("--from <time>", "rows written at or after it, UTC date or ISO 8601 time", instant)
    .option("--to <time>", "rows written before it", instant)
    .addOption(new Option("--format <format>", "how rows are written").choices(["jsonl"]).default("jsonl"))
    .addHelpText("after", "\nExample:\n  $ ballast journal export --from 2026-01-31 --to 2026-02-01 > day.jsonl")
    .exitOverride()
    .action((options: JournalExportOptions) => answer(programs.journalExport(options)));
  dataDirOption(journal.command("archive"))
    .description("Move old rows to an archive file now. A running agent does so itself, once a day.")
    .option("--keep <span>", "rows younger than this stay; default: journal.keep of the last run's configuration", span)
    .addHelpText("after", "\nExample:\n  $ ballast journal archive --keep 30d")
    .exitOverride()
    .action((options: JournalArchiveOptions) => answer(programs.journalArchive(options)));
  dataDirOption(program.command("backup").argument("<file>", "file to write; it must not exist"))
    .description("Copy the journal of a running or stopped agent to a file, and check the copy.")
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nA second file beside it, ending in .tail, says where the copy ends. To restore, copy both into an empty data folder as journal.db and journal.tail, with the archives (journal.archive...) if there are any.\n\nExample:\n  $ ballast backup /backups/journal-2026-01-31.db",
    )
    .exitOverride()
    .action((file: string, options: BackupOptions) => answer(programs.backup(file, options)));
}
