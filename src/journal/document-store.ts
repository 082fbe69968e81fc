/**
 * A small store of JSON documents by kind and id in one SQLite file, private to its owner and safe for many processes at
 * once: a transaction takes the file's write lock at its beginning. It does not know the kinds and does not read bodies.
 */
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { openSqlite, type Sqlite, type SqlRow } from "./sqlite.ts";

/** `body` is any JSON value; `atMs`, cut to whole ms, is what `list` sorts and `forget` chooses by. */
export interface DocumentRecord {
  readonly id: string;
  readonly body: unknown;
  readonly atMs: number;
}

/** Where `svc` keeps what must outlive one command. Synchronous; SQLite's errors are thrown as they are. */
export interface DocumentStore {
  get(kind: string, id: string): DocumentRecord | undefined;
  put(kind: string, document: DocumentRecord): void;
  /** True when it was not there before; an existing one is left as it is. */
  putNew(kind: string, document: DocumentRecord): boolean;
  /** True when it was there. */
  remove(kind: string, id: string): boolean;
  /** Newest first. */
  list(kind: string, limit: number): readonly DocumentRecord[];
  /** Removes what was put before the instant. */
  forget(kind: string, beforeMs: number): void;
  /** All or nothing, and exclusive among all processes. An error inside rolls back and is rethrown. */
  atomically<T>(work: () => T): T;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS documents (
    kind TEXT NOT NULL, id TEXT NOT NULL, at_ms INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS documents_by_time ON documents (kind, at_ms);
`;

const read = (row: SqlRow): DocumentRecord => ({
  id: String(row["id"]),
  atMs: Number(row["at_ms"]),
  body: JSON.parse(String(row["body"])) as unknown,
});

/** Opens the store, making the folder (0700) and the file (0600) where they are missing. */
export function openDocumentStore(file: string): DocumentStore {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = openSqlite(file);
  chmodSync(file, 0o600);
  if (!db.get("SELECT name FROM sqlite_master WHERE name = 'documents_by_time'")) db.script(SCHEMA);
  return storeOver(db);
}

function storeOver(db: Sqlite): DocumentStore {
  const get = (kind: string, id: string): DocumentRecord | undefined => {
    const row = db.get("SELECT id, at_ms, body FROM documents WHERE kind = ? AND id = ?", kind, id);
    return row && read(row);
  };
  const put = (kind: string, { id, atMs, body }: DocumentRecord): void =>
    db.run(
      "INSERT INTO documents (kind, id, at_ms, body) VALUES (?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body",
      kind,
      id,
      Math.floor(atMs),
      JSON.stringify(body ?? null),
    );
  const atomically = <T>(work: () => T): T => db.transaction(work);
  return {
    get,
    put,
    atomically,
    putNew: (kind, document) =>
      atomically(() => {
        if (get(kind, document.id)) return false;
        put(kind, document);
        return true;
      }),
    remove: (kind, id) =>
      atomically(() => {
        const known = get(kind, id) !== undefined;
        if (known) db.run("DELETE FROM documents WHERE kind = ? AND id = ?", kind, id);
        return known;
      }),
    list: (kind, limit) =>
      db
        .all("SELECT id, at_ms, body FROM documents WHERE kind = ? ORDER BY at_ms DESC, id DESC LIMIT ?", kind, limit)
        .map(read),
    forget: (kind, beforeMs) =>
      db.run("DELETE FROM documents WHERE kind = ? AND at_ms < ?", kind, Math.floor(beforeMs)),
    close: () => db.close(),
  };
}
