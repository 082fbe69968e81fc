/** How full the disk and the write-ahead log are, judged by fixed marks. Spec: faults D7 and E4. */
import { existsSync, statfsSync, statSync } from "node:fs";

const MIB = 1_048_576;
/** A write-ahead log above this is worth a warning. */
export const WAL_ALARM_BYTES = 64 * MIB;
/** Above this openings are held: some reader keeps the log from being checkpointed. */
export const WAL_HOLD_BYTES = 256 * MIB;
/** A hold for a full disk ends only when this much of the share is free again, so that it does not flutter. */
const RELEASE = 0.02;

/** From the file system of the data folder; `freeBytes` is Infinity where it does not say. */
export interface DiskFacts {
  readonly walBytes: number;
  /** Share of the disk in use, 0 to 1, and bytes that are free for us. */
  readonly usedShare: number;
  readonly freeBytes: number;
}

/** Both must be passed for a hold: a large disk has room enough at a high share. */
export interface DiskMarks {
  readonly holdAtUsed: number;
  readonly freeEnoughBytes: number;
}

/** The agent keeps the two holds separately; null ends each. */
export interface DiskJudgement {
  /** Why nothing should be opened; null when the disk is fine. */
  readonly walHold: string | null;
  readonly diskHold: string | null;
  /** Worth a warning, with no hold yet. */
  readonly alarm: string | null;
}

const mib = (bytes: number): string => `${Math.round(bytes / MIB)} MB`;

/** `held` says whether the disk was over its mark at the last look. */
export function judgeDisk(facts: DiskFacts, marks: DiskMarks, held: boolean): DiskJudgement {
  const { walBytes, usedShare, freeBytes } = facts;
  const mark = held ? marks.holdAtUsed - RELEASE : marks.holdAtUsed;
  const filled = usedShare >= mark && freeBytes < marks.freeEnoughBytes;
  const walHold =
    walBytes > WAL_HOLD_BYTES
      ? `the journal's write-ahead log has ${mib(walBytes)}, because a reader keeps it open`
      : null;
  return {
    walHold,
    diskHold: filled ? `the disk is ${Math.round(usedShare * 100)} % full, ${mib(freeBytes)} are left` : null,
    alarm:
      walHold === null && walBytes > WAL_ALARM_BYTES
        ? `the journal's write-ahead log has grown to ${mib(walBytes)}; openings are held at ${mib(WAL_HOLD_BYTES)}`
        : null,
  };
}

/** A disk whose usage cannot be read counts as empty: the journal's own errors show when the disk is full. */
export function diskFacts(dataDir: string, journalFile: string): DiskFacts {
  const wal = `${journalFile}-wal`;
  const walBytes = existsSync(wal) ? statSync(wal).size : 0;
  try {
    const { blocks, bfree, bavail, bsize } = statfsSync(dataDir);
    const used = blocks - bfree;
    const usable = used + bavail;
    return { walBytes, usedShare: usable > 0 ? used / usable : 0, freeBytes: bavail * bsize };
  } catch {
    return { walBytes, usedShare: 0, freeBytes: Infinity };
  }
}
