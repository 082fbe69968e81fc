/**
 * The writing half of a journal: rows enter the chain, the tail mark follows, and disk faults are handled. The first full
 * disk is met with the reserve; another process's lock fails only the rows at hand; a disk that has failed is never trusted
 * again, because a later successful sync proves nothing about earlier pages. Spec: faults D1, D2, D8, D9.
 */
import { basename } from "node:path";
import type { Env } from "../core/ids.ts";
import { canonicalJson } from "../core/hash.ts";
import { rowHash, type StoredRow, writtenRow } from "./chain.ts";
import { guarded, JournalError } from "./error.ts";
import { tailOf } from "./query.ts";
import { noReserve, type Reserve, reserveBeside } from "./reserve.ts";
import { LIGHT_KINDS, type JournalRow, type RowValue } from "../rows/row.ts";
import { journalIdOf } from "./schema.ts";
import { openSqlite, type Sqlite } from "./sqlite.ts";
import { type TailMark, tailMarkPath, writeTailMark } from "./tail-mark.ts";
import { SLOW_COMMIT_MS, type TroubleListener, troubles } from "./trouble.ts";

/** A row as its writer passes it; number, times, run and hashes are added by the commit. `body` becomes canonical JSON. */
export interface NewRow extends RowValue {
  readonly decisionId?: string | undefined;
}

/** The two disk operations of a commit. */
export interface JournalDisk {
  open(path: string): Sqlite;
  mark(file: string, mark: TailMark): void;
}

/** A row that waits for another process's lock holds up the decision loop, so it waits only briefly. */
const BUSY_MS = 200;
/** SQLite with every commit on the disk, waiting 200 ms at most for a lock, and a mark that no power cut tears. */
export const realDisk: JournalDisk = { open: (path) => openSqlite(path, { busyMs: BUSY_MS }), mark: writeTailMark };

/** The members of `JournalOptions` that a commit needs, with the same meanings. */
export interface CommitOptions {
  readonly path: string;
  readonly env: Env;
  readonly runId: string;
  readonly redact?: (text: string) => string;
  readonly reserveBytes?: number;
  readonly disk?: JournalDisk;
}

/** Applies `change` to every string inside a JSON value, including keys. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

function bodyText(body: unknown, redact: CommitOptions["redact"]): string {
  const text = canonicalJson(body);
  return redact ? canonicalJson(mapStrings(JSON.parse(text), redact)) : text;
}

const INSERT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

function insert(db: Sqlite, row: StoredRow): void {
  const { seq, runId, atMs, monoMs, kind, decisionId, body, prevHash, hash } = row;
  db.run(INSERT, seq, runId, atMs, monoMs, kind, decisionId, body, prevHash, hash);
}

/** Inserts rows in one commit, each linked to the previous one; returns them as stored. */
function insertLinked(db: Sqlite, rows: readonly NewRow[], options: CommitOptions): readonly StoredRow[] {
  const { clock } = options.env;
  return db.transaction(() => {
    let tail = tailOf(db);
    return rows.map(({ kind, body, decisionId }) => {
      const bare = {
        seq: tail.seq + 1,
        runId: options.runId,
        atMs: clock.nowMs(),
        monoMs: clock.monotonicMs(),
        kind,
        decisionId: decisionId ?? null,
        body: bodyText(body, options.redact),
        prevHash: tail.hash,
      };
      const row = { ...bare, hash: rowHash(bare) };
      insert(db, row);
      tail = row;
      return row;
    });
  });
}

/** What `openJournal` writes through. After an "io" fault every further commit throws "closed". */
export interface Committer {
  /** All rows or none, durable when it returns. Throws JournalError "write-failed" or "closed". */
  readonly commit: (rows: readonly NewRow[]) => readonly JournalRow[];
  /** From now on the tail mark follows the rows. */
  markFromHere(): void;
  readonly listen: (listener: TroubleListener) => void;
  readonly keepReserve: () => boolean;
  /** False when it was closed before. */
  close(): boolean;
}

/** What failed writes have shown of the disk so far. */
class DiskCondition {
  readonly #reserve: Reserve;
  readonly #report: TroubleListener;
  #troubled = false;
  #busyInARow = 0;
  /** Nothing is written from then on. */
  hasFailed = false;

  constructor(reserve: Reserve, report: TroubleListener) {
    this.#reserve = reserve;
    this.#report = report;
  }
  /** Reports what a failed write means. True if the disk was just given room, so that another try may succeed. */
  hasRoomAfter(error: unknown): boolean {
    if (!(error instanceof JournalError) || error.fault === null) return false;
    const { fault, message } = error;
    this.#troubled = true;
    this.#busyInARow = fault === "busy" ? this.#busyInARow + 1 : 0;
    if (fault === "full") {
      const reserveFreed = this.#reserve.free();
      this.#report({ kind: "full", reserveFreed, message });
      return reserveFreed;
    }
    if (fault === "io") this.hasFailed = true;
    this.#report(fault === "io" ? { kind: "io", message } : { kind: "busy", inARow: this.#busyInARow, message });
    return false;
  }
  /** A write succeeded. */
  wrote(): void {
    if (this.#troubled) this.#report({ kind: "mended" });
    this.#troubled = false;
    this.#busyInARow = 0;
  }
}

/** `marked` false: the tail mark stays where it is until `markFromHere`. */
export function committerOf(db: Sqlite, marked: boolean, options: CommitOptions): Committer {
  const { path, env, reserveBytes = 0, disk = realDisk } = options;
  const journalId = journalIdOf(db);
  const reserve = reserveBytes > 0 ? reserveBeside(path, reserveBytes) : noReserve;
  reserve.keep();
  const { listen, report } = troubles();
  let marking = marked;
  let closed = false;
  const condition = new DiskCondition(reserve, report);
  // Rows repeat the message, and the folder's location on this machine does not belong in them.
  const name = basename(path);
  const persist = <T>(work: () => T): T => {
    for (;;) {
      try {
        return guarded("write-failed", `cannot write ${name}`, work);
      } catch (error) {
        if (!condition.hasRoomAfter(error)) throw error;
      }
    }
  };
  /** No write may go to the venue while its rows lack their mark, but the rows themselves exist. */
  const markAt = (mark: TailMark): void => {
    try {
      persist(() => disk.mark(tailMarkPath(path), mark));
    } catch (error) {
      throw error instanceof JournalError ? new JournalError(error.kind, error.message, error, true) : error;
    }
  };
  return {
    commit: (rows) => {
      const refusal = closed ? "it is closed" : condition.hasFailed ? "the disk failed" : null;
      if (refusal !== null) throw new JournalError("closed", `${path} takes no rows: ${refusal}`);
      const beganMs = env.clock.monotonicMs();
      const stored = persist(() => insertLinked(db, rows, options));
      const last = stored.at(-1);
      const heavy = stored.some((row) => !LIGHT_KINDS.has(row.kind));
      if (last && heavy && marking) markAt({ journalId, seq: last.seq, hash: last.hash });
      condition.wrote();
      const tookMs = env.clock.monotonicMs() - beganMs;
      if (tookMs >= SLOW_COMMIT_MS) report({ kind: "slow", tookMs });
      return stored.map(writtenRow);
    },
    markFromHere: () => {
      marking = true;
    },
    listen,
    keepReserve: reserve.keep,
    close: () => {
      const first = !closed;
      closed = true;
      return first;
    },
  };
}
