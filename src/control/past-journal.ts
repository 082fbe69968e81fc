/** Opens the journal for a command that only reads, while an agent runs or after it has stopped. */
import { existsSync } from "node:fs";
import path from "node:path";
import { journalPath } from "../ops/run-file.ts";
import { complain } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { dataDirOf, typed } from "./running-agent.ts";
import { JournalError } from "../journal/error.ts";
import { type JournalReader, readJournal } from "../journal/reader.ts";
import { RowError } from "../rows/form.ts";

/** The reader is closed once the work has ended. */
export interface OpenJournal {
  readonly reader: JournalReader;
  readonly dataDir: string;
  readonly file: string;
}

/** What a command says where nothing was written yet. */
export const noJournal = (file: string): string =>
  `there is no journal at ${path.resolve(file)}. Start an agent with: ballast run. For another data folder: --data-dir DIR`;

export const nothingIn = (options: { readonly dataDir?: string }): string =>
  `no agent is running and there is no journal in ${path.resolve(dataDirOf(options))}. Start one with: ${typed("ballast run", options)}. For another data folder: --data-dir DIR`;

/** Runs `work` on the journal and closes it. Returns the exit code; problems are reported on standard error. */
export async function withJournal(
  options: { readonly dataDir?: string },
  work: (journal: OpenJournal) => Promise<number> | number,
): Promise<number> {
  const dataDir = dataDirOf(options);
  const file = journalPath(dataDir);
  if (!existsSync(file)) return complain(noJournal(file));
  try {
    const reader = readJournal(file);
    try {
      return await work({ reader, dataDir, file });
    } finally {
      reader.close();
    }
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof RowError)) throw error;
    return complain(error.message, EXIT.journal);
  }
}
