/** `ballast journal export`, `ballast journal archive` and `ballast backup`. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { ConfigSchema } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { timedIds } from "../core/ids.ts";
import { silentLog } from "../core/log.ts";
import type { BackupOptions, JournalArchiveOptions, JournalExportOptions } from "../faces/cli/journal-command.ts";
import { backUp } from "../journal/backup.ts";
import { JournalError } from "../journal/error.ts";
import { exportLines } from "../journal/export.ts";
import { openJournal } from "../journal/journal.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { archiveOld } from "../ops/retention.ts";
import { journalPath } from "../ops/run-file.ts";
import { complain, print } from "../ops/complaint.ts";
import { noJournal } from "../control/past-journal.ts";
import { dataDirOf } from "../control/running-agent.ts";
import { configOfLastRun } from "../report/models/config.ts";
import { counted } from "../core/words.ts";

/** Works while an agent runs; a reader that stops early (`| head`) is no failure. */
export async function journalExportProgram({ from, to, dataDir }: JournalExportOptions): Promise<number> {
  const file = journalPath(dataDirOf(dataDir === undefined ? {} : { dataDir }));
  if (!existsSync(file)) return complain(noJournal(file));
  const span = { ...(from === undefined ? {} : { fromMs: from }), ...(to === undefined ? {} : { toMs: to }) };
  // The reader may stop early (`| head`), which is no failure.
  let left = false;
  process.stdout.on("error", () => (left = true));
  try {
    for (const line of exportLines(file, span)) {
      if (left) break;
      if (!process.stdout.write(`${line}\n`))
        await Promise.race([once(process.stdout, "drain"), once(process.stdout, "close")]);
    }
    return EXIT.ok;
  } catch (cause) {
    if (left) return EXIT.ok;
    return complain(cause instanceof Error ? cause.message : String(cause), EXIT.journal);
  }
}

/** Opens the journal as its only writer: exit code 5 if an agent runs. */
export async function journalArchiveProgram({ keep, dataDir }: JournalArchiveOptions): Promise<number> {
  const file = journalPath(dataDirOf(dataDir === undefined ? {} : { dataDir }));
  if (!existsSync(file)) return complain(noJournal(file));
  const clock = systemClock();
  const entropy = seededEntropy(`${process.pid}:${clock.nowMs()}`);
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy) };
  try {
    const journal = openJournal({ path: file, env, runId: env.ids.next("b").slice(2) });
    try {
      const { journal: set } = configOfLastRun(journal) ?? ConfigSchema.parse({});
      const moved = await archiveOld(journal, { keepMs: keep ?? set.keep, nowMs: clock.nowMs(), log: silentLog });
      if (!moved.ok) return complain(moved.error, EXIT.journal);
      print(
        moved.value
          ? `${counted(moved.value.rows, "row is", "rows are")} in ${moved.value.file} now.`
          : "No row is old enough.",
      );
      return EXIT.ok;
    } finally {
      journal.close();
    }
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return complain(cause.message, cause.kind === "in-use" ? EXIT.alreadyRunning : EXIT.journal);
  }
}

/** Works while an agent runs. Exit code 4 if no valid copy was made. */
export async function backupProgram(to: string, { json, dataDir }: BackupOptions): Promise<number> {
  const file = journalPath(dataDirOf(dataDir === undefined ? {} : { dataDir }));
  if (!existsSync(file)) return complain(noJournal(file));
  try {
    const { rows, files } = await backUp(file, to);
    print(
      json
        ? JSON.stringify({ ok: true, rows, files })
        : `${counted(rows, "row is", "rows are")} in ${files.join(" and ")}. Restore: copy them into an empty data folder as journal.db and journal.tail`,
    );
    return EXIT.ok;
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return complain(cause.message, EXIT.journal);
  }
}
