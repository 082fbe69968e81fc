/**
 * Notices that a file was saved, by looking at it twice a second. A look follows the path afresh, so it sees a file that was
 * written in place, renamed over (editors, git, scp), re-linked (mounted config maps), or saved on a mount that sends no
 * events. One look costs a few microseconds; file-system events would miss half of these.
 */
import { readFileSync, realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../core/clock.ts";

const LOOK_EVERY_MS = 500;

/** What differs between two saved states of a path; null while there is no file. */
async function fingerprint(file: string): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch {
    return null;
  }
}

/**
 * Calls `changed` once for each saved state that two looks in a row have found, so that a file is not read while it is being
 * written. The first state counts too: the file may have been saved since its reader read it. The returned function ends the watch; its promise resolves once no look is under way.
 */
export function watchFile(file: string, changed: () => void, clock: Clock): () => Promise<void> {
  let known: string | null = null;
  let last: string | null = null;
  let looking = Promise.resolve();
  let ended = false;
  const look = async (): Promise<void> => {
    const found = await fingerprint(file);
    if (ended) return;
    const settled = found === last;
    last = found;
    // A file that is away for a moment is about to be replaced.
    if (!settled || found === null || found === known) return;
    known = found;
    changed();
  };
  const again = (): void => void (looking = looking.then(look));
  again();
  const stop = clock.every(LOOK_EVERY_MS, again);
  return () => {
    ended = true;
    stop();
    return looking;
  };
}

/** The fifth field of a mount table's line is where it is mounted; blanks are written as \\040. */
const mountPoints = (table: string): readonly string[] =>
  table
    .split("\n")
    .flatMap((line) => line.split(" ").slice(4, 5))
    .map((at) => at.replaceAll("\\040", " "));

function mountTable(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

/**
 * Why saving the file outside may go unnoticed; null when it cannot. A file that is itself a mount point stays bound to the
 * inode that was mounted, so a save that renames a new file into place is never seen here, not even after SIGHUP.
 */
export function deafness(file: string, mounts = mountTable()): string | null {
  let real: string;
  try {
    real = realpathSync(file);
  } catch {
    return null;
  }
  if (!mountPoints(mounts).includes(real)) return null;
  return `${file} is mounted by itself: a save that replaces the file (most editors, git, scp) will not be seen here. Mount its folder ${path.dirname(real)} instead, or write in place`;
}
