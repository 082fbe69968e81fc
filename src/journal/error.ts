/** Why a journal could not be opened or written. Thrown, because without a journal the program must not go on. */

export type JournalErrorKind = "newer-schema" | "in-use" | "unreadable" | "write-failed" | "closed";

export class JournalError extends Error {
  override name = "JournalError";
  readonly kind: JournalErrorKind;
  constructor(kind: JournalErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** Runs a piece of work on the database or the disk; what it throws becomes a JournalError with its cause. */
export function guarded<T>(kind: JournalErrorKind, doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError(kind, `${doing}: ${reason}`, error);
  }
}
