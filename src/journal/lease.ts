/**
 * One writer per journal. The lease is an exclusive lock of the operating system on a file beside the journal: the
 * kernel ends it with the process, also after kill -9 and across containers of one machine, so there is no stale lease
 * to break, no heartbeat to miss and no reused process id to confuse it. A card beside the lock names the holder for
 * people. Spec: invariant "one writer"; not for network file systems.
 */
import fs from "node:fs";
import path from "node:path";
import { JournalError } from "./error.ts";
import { holdFileLock, isFileLocked } from "./sqlite.ts";

/** The card beside the lock: process id, id of that run, and since when, epoch ms. */
export interface LeaseHolder {
  readonly pid: number;
  readonly boot: string;
  readonly sinceMs: number;
}

/** Held from `takeLease` until `release` or the end of the process, whichever comes first. */
export interface Lease {
  readonly holder: LeaseHolder;
  /** Gives the lease up. Calling it twice does no harm. */
  release(): void;
}

const lockPath = (journalPath: string): string => {
  const { dir, name } = path.parse(journalPath);
  return path.join(dir, `${name}.lock`);
};
const cardPath = (journalPath: string): string => `${lockPath(journalPath)}.json`;

/** Who holds the lease, by the card beside it; null when there is no readable card. The card may be out of date. */
export function leaseHolder(journalPath: string): LeaseHolder | null {
  try {
    const card = JSON.parse(fs.readFileSync(cardPath(journalPath), "utf8")) as Partial<LeaseHolder>;
    const { pid, boot: runId, sinceMs } = card;
    if (typeof pid !== "number" || typeof runId !== "string" || typeof sinceMs !== "number") return null;
    return { pid, boot: runId, sinceMs };
  } catch {
    return null;
  }
}

/** Whether a process holds the lease at this moment, whatever the card says. Throws if the folder does not let it be seen. */
export function isLeaseHeld(journalPath: string): boolean {
  try {
    fs.statSync(lockPath(journalPath));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw cause;
  }
  return isFileLocked(lockPath(journalPath));
}

/** Takes the lease or throws "in-use" with the holder's process id. */
export function takeLease(journalPath: string, holder: LeaseHolder): Lease {
  const lock = holdFileLock(lockPath(journalPath));
  if (!lock) throw inUse(journalPath);
  fs.writeFileSync(cardPath(journalPath), JSON.stringify(holder), { mode: 0o600 });
  let held = true;
  return {
    holder,
    release: () => {
      if (!held) return;
      held = false;
      fs.rmSync(cardPath(journalPath), { force: true });
      lock.release();
    },
  };
}

function inUse(journalPath: string): JournalError {
  const holder = leaseHolder(journalPath);
  const who = holder ? `process ${holder.pid} (run ${holder.boot})` : "another process";
  return new JournalError(
    "in-use",
    `${journalPath} is being written by ${who}. One agent per account: stop that one first, or read with "ballast status".`,
  );
}
