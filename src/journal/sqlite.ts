/**
 * The only file that uses the SQLite driver. It opens a file with the settings that make a commit durable (WAL,
 * synchronous=FULL) and keeps prepared statements. It knows no tables.
 */
import { type Driver, SqliteDriver } from "./sqlite-driver.ts";

/** The values bound and read here; no blobs and no big integers. */
export type SqlValue = string | number | null;
/** Values by the name of their column in the SELECT. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** One open file. Synchronous; statements are prepared once and kept; SQLite's errors are thrown as they are. */
export interface Sqlite {
  run(sql: string, ...values: readonly SqlValue[]): void;
  get(sql: string, ...values: readonly SqlValue[]): SqlRow | undefined;
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  /** Row by row, for reads that may take long. No other statement may run until the loop has ended. */
  each(sql: string, ...values: readonly SqlValue[]): IterableIterator<SqlRow>;
  /** Several statements at once, for schema steps. */
  script(sql: string): void;
  /** All or nothing. An error inside rolls back and is rethrown. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How long a statement waits for another process's lock before it fails as busy. */
const BUSY_TIMEOUT_MS = 2_000;
/** A write-ahead log that grew is truncated to this size when it is next reset. */
const WAL_KEPT_BYTES = 8 * 1_048_576;

const open = (file: string, options: Driver.Options): Driver.Database => new SqliteDriver(file, options);

const ALL_PAGES = 2_147_483_647;

/** For a file opened to be written; a reader waits 2 s for a lock. */
export interface SqliteOptions {
  /** Default 2,000. A statement blocks the whole process while it waits. */
  readonly busyMs?: number;
}

function wrap(db: Driver.Database): Sqlite {
  const statements = new Map<string, Driver.Statement<SqlValue[], SqlRow>>();
  const prepared = (sql: string): Driver.Statement<SqlValue[], SqlRow> => {
    const known = statements.get(sql);
    if (known) return known;
    const made = db.prepare<SqlValue[], SqlRow>(sql);
    statements.set(sql, made);
    return made;
  };
  return {
    run: (sql, ...values) => void prepared(sql).run(...values),
    get: (sql, ...values) => prepared(sql).get(...values),
    all: (sql, ...values) => prepared(sql).all(...values),
    each: (sql, ...values) => prepared(sql).iterate(...values),
    script: (sql) => void db.exec(sql),
    transaction: (work) => {
      if (db.inTransaction) return db.transaction(work).immediate();
      prepared("BEGIN IMMEDIATE").run();
      try {
        const done = work();
        prepared("COMMIT").run();
        return done;
      } catch (error) {
        // The database itself may have rolled back after a failure on a full or broken disk.
        if (db.inTransaction) prepared("ROLLBACK").run();
        throw error;
      }
    },
    close: () => void db.close(),
  };
}

/** Opens for writing, creating the file when it is missing. Every commit reaches the disk before it returns. */
export function openSqlite(path: string, { busyMs = BUSY_TIMEOUT_MS }: SqliteOptions = {}): Sqlite {
  const db = open(path, { timeout: busyMs });
  db.pragma("journal_mode = WAL");
  db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
  db.pragma("synchronous = FULL");
  return wrap(db);
}

/** Opens an existing file for reading only, beside a running writer or without one. */
export const openSqliteReader = (path: string): Sqlite =>
  wrap(open(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }));

/** Copies an open or closed file as it is at one instant, while its writer goes on. */
export async function copySqlite(from: string, to: string): Promise<void> {
  const db = open(from, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // All pages in one step: a copy in parts would restart with each commit of the writer.
    await db.backup(to, { progress: () => ALL_PAGES });
  } finally {
    db.close();
  }
}

const LOOK_IS_OVER_MS = 250;

/** What nobody refers to any more would be closed as garbage, and its lock given up. */
const held = new Set<ReturnType<typeof open>>();

/**
 * Holds an exclusive operating-system lock on `path` until `release`, or returns null when another holder has it. The
 * kernel drops the lock with the process, however it ends, so no stale lock can remain.
 */
export function holdFileLock(path: string): { release(): void } | null {
  // A look of `isFileLocked` is over at once, and must not turn a start away.
  const db = open(path, { timeout: LOOK_IS_OVER_MS });
  try {
    db.exec("BEGIN EXCLUSIVE");
    held.add(db);
    return {
      release: () => {
        held.delete(db);
        db.close();
      },
    };
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** Whether someone holds that lock now. Writes nothing, and needs no right to write. The file must exist. */
export function isFileLocked(path: string): boolean {
  const db = open(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    db.prepare("SELECT 1 FROM sqlite_master").get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof SqliteDriver.SqliteError && error.code.startsWith("SQLITE_BUSY");
