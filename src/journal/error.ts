/** Why a journal could not be opened or written. Thrown, because without a journal the program must not go on. */

export type JournalErrorKind = "newer-schema" | "in-use" | "unreadable" | "write-failed" | "closed";

/**
 * The kind of disk fault. "full": no room, but nothing is broken. "busy": another process held the file's write lock. "io":
 * the disk failed, and nothing that it reports later about earlier writes can be trusted.
 */
export type DiskFault = "full" | "busy" | "io";

/** Thrown when a journal is opened, read or written: `kind` says what failed, `fault` what the disk did. */
export class JournalError extends Error {
  override name = "JournalError";
  readonly kind: JournalErrorKind;
  /** Null if no disk was at fault, for example for a body that cannot be serialised. */
  readonly fault: DiskFault | null;
  /** Only the tail mark failed: the rows are in the chain, and writing them again would duplicate them. */
  readonly rowsStand: boolean;
  constructor(kind: JournalErrorKind, message: string, cause?: unknown, rowsStand = false) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.rowsStand = rowsStand;
    this.fault = cause instanceof JournalError ? cause.fault : diskFaultOf(cause);
  }
}

/** Codes of SQLite and of the operating system (EIO, EROFS and the like), which have no underscore. */
const DISK_CODE = /^(SQLITE_[A-Z_]+|E[A-Z0-9]+)$/;

function diskFaultOf(cause: unknown): DiskFault | null {
  const code = (cause as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== "string" || !DISK_CODE.test(code)) return null;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return "busy";
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code) ? "full" : "io";
}

/** True if SQLite could read the file, but found that it is no database or that its pages contradict each other. */
export const isMalformed = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown } | null | undefined)?.code));

/** Runs work on the database or the disk; any exception becomes a JournalError with its cause. */
export function guarded<T>(kind: JournalErrorKind, doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError(kind, `${doing}: ${reason}`, error);
  }
}
