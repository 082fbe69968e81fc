/**
 * Monitors the agent's own health: self-tests at start, the disk and the journal while it runs, and the venue's records
 * against ours. A finding reaches the agent as a hold (ends with its cause) or a halt (ends by the operator's command).
 */
import type { Clock, Stop } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Config } from "../config/config.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import type { Journal } from "../journal/journal.ts";
import type { JournalTrouble } from "../journal/trouble.ts";
import { type DiskFacts, diskFacts, judgeDisk } from "../ops/disk-watch.ts";
import { failedDrills } from "../control/switching.ts";
import type { Feed } from "./streams.ts";
import { compareHistory } from "./unknown-orders.ts";

const DISK_EVERY_MS = 10_000;
/** A single busy commit may be somebody reading the file; this many in a row are a lasting state. */
const BUSY_IN_A_ROW = 3;
const GIB = 1_073_741_824;

/** `feed` passes holds and halts to the agent; `onFatal` ends the process. */
export interface HealthParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly journalFile: string;
  readonly dataDir: string;
  readonly config: Config;
  readonly venue: Pick<VenuePort, "orderHistory" | "openOrders">;
  readonly feed: Feed;
  readonly onFatal: (cause: unknown) => void;
  /** For tests; default the real disk. */
  readonly disk?: () => DiskFacts;
}

/** Runs the self-tests at once and checks the disk every ten seconds; the returned function stops it. */
export function watchHealth(parts: HealthParts): Stop {
  drill(parts);
  const stopDisk = watchDisk(parts);
  parts.journal.onTrouble((trouble) => queueMicrotask(() => onTrouble(parts, trouble)));
  const stopHistory = compareHistory(parts);
  return () => {
    stopDisk();
    stopHistory();
  };
}

function drill({ clock, config, log, feed }: HealthParts): void {
  const failed = failedDrills(config, clock.nowMs());
  const words = failed.join("; ");
  if (failed.length === 0)
    log.event("info", "drills.passed", "every limit refused the orders that it must refuse and passed the sound ones");
  else log.event("error", "drills.failed", words, { failed: failed.length });
  feed({ kind: "hold", cause: "drills", reason: failed.length === 0 ? null : `a drill failed: ${words}` });
}

function onTrouble({ log, feed, onFatal }: HealthParts, trouble: JournalTrouble): void {
  switch (trouble.kind) {
    case "full":
      log.event(
        "error",
        "journal.trouble",
        `${trouble.message}; ${trouble.reserveFreed ? "a part of the reserve has been released" : "there is no reserve left"}`,
      );
      return feed({ kind: "halt", reason: "the disk of the journal is full" });
    case "busy":
      log.event("warn", "journal.trouble", `${trouble.message} (${trouble.inARow} in a row)`);
      if (trouble.inARow < BUSY_IN_A_ROW) return;
      return feed({ kind: "hold", cause: "journal", reason: "another process keeps the journal locked" });
    case "io":
      return onFatal(new Error(`the journal's disk failed, no row can be written any more: ${trouble.message}`));
    case "slow":
      return log.event("warn", "journal.trouble", `a commit took ${Math.round(trouble.tookMs)} ms`, {
        tookMs: trouble.tookMs,
      });
    case "mended":
      log.event("info", "journal.trouble", "rows are written again");
      return feed({ kind: "hold", cause: "journal", reason: null });
  }
}

function watchDisk(parts: HealthParts): Stop {
  const { clock, config, dataDir, feed, journal, journalFile, log } = parts;
  const { holdAtDiskUsed, diskFreeEnough } = config.journal;
  const marks = { holdAtUsed: holdAtDiskUsed, freeEnoughBytes: diskFreeEnough * GIB };
  const facts = parts.disk ?? (() => diskFacts(dataDir, journalFile));
  let held = false;
  let alarmed = false;
  const look = (): void => {
    const found = judgeDisk(facts(), marks, held);
    held = found.diskHold !== null;
    if (!held) journal.keepReserve();
    if (found.alarm !== null && !alarmed) log.event("warn", "disk.filling", found.alarm);
    alarmed = found.alarm !== null;
    feed({ kind: "hold", cause: "disk", reason: found.diskHold });
    feed({ kind: "hold", cause: "wal", reason: found.walHold });
  };
  look();
  return clock.every(DISK_EVERY_MS * clock.scale, look);
}
