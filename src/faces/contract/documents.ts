/**
 * Where the client layer keeps what must outlive one command: a small store of JSON documents by kind and id. Contract:
 * `atomically` excludes every other process for as long as its work lasts, and its work is durable when it returns.
 */

export interface StoredDocument {
  readonly id: string;
  readonly body: unknown;
  readonly atMs: number;
}

/** Every call is synchronous and throws as the disk does; `list` and `forget` go by `atMs`. */
export interface Documents {
  get(kind: string, id: string): StoredDocument | undefined;
  put(kind: string, document: StoredDocument): void;
  /** True when it was not there before; an existing one is left as it is. */
  putNew(kind: string, document: StoredDocument): boolean;
  remove(kind: string, id: string): boolean;
  /** Newest first. */
  list(kind: string, limit: number): readonly StoredDocument[];
  /** Removes what was put before the instant. */
  forget(kind: string, beforeMs: number): void;
  /** All or nothing, alone. An error inside undoes it and is thrown on. Must not wait for anything. */
  atomically<T>(work: () => T): T;
  close(): void;
}
