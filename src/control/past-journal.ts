/** Opening the journal for a command that only reads: beside a running agent, or after it has stopped. */
import { existsSync } from "node:fs";
import { journalPath } from "../ops/run-file.ts";
import { complain } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { dataDirOf } from "./running-agent.ts";
import { JournalError } from "../journal/error.ts";
import { type JournalReader, readJournal } from "../journal/reader.ts";
import { RowError } from "../rows/form.ts";

/** The reader is closed once the work has ended. */
export interface OpenJournal {
  readonly reader: JournalReader;
  readonly dataDir: string;
  readonly file: string;
}

/** Runs `work` on the journal and closes it. Answers the exit code; what is wrong is said on standard error. */
export async function withJournal(
  options: { readonly dataDir?: string },
  work: (journal: OpenJournal) => Promise<number> | number,
): Promise<number> {
  const dataDir = dataDirOf(options);
  const file = journalPath(dataDir);
  if (!existsSync(file)) return complain(`there is no journal at ${file}. Start an agent with: ballast run`);
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
