/** How long rows stay in the journal, and moving older ones into an archive. */
import type { Log } from "../core/log.ts";
import { DAY_MS } from "../core/time.ts";
import type { Archived } from "../journal/archive-rows.ts";
import type { Journal } from "../journal/journal.ts";
import type { Result } from "../core/result.ts";
import { counted } from "../core/words.ts";

/** The shortest time for which rows stay in the journal, where the next start looks first. */
export const KEEP_AT_LEAST_MS = 15 * DAY_MS;

/** Between two steps the event loop gets a turn: heartbeats, closes and stops do not wait for housekeeping. */
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Moves what is older than `keepMs` and logs that it did. */
export async function archiveOld(
  journal: Pick<Journal, "archive">,
  { keepMs: wanted, nowMs, log }: { readonly keepMs: number; readonly nowMs: number; readonly log: Log },
): Promise<Result<Archived | null, string>> {
  const keepMs = Math.max(wanted, KEEP_AT_LEAST_MS);
  const moved = await journal.archive(nowMs - keepMs, nextTick);
  if (!moved.ok) log.event("error", "journal.trouble", `old rows stay in the journal: ${moved.error}`);
  else if (moved.value)
    log.event("info", "journal.archived", `${counted(moved.value.rows, "row")} moved to ${moved.value.file}`, {
      rows: moved.value.rows,
      file: moved.value.file,
    });
  return moved;
}
