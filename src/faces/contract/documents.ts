/**
 * Storage of the client layer between commands: JSON documents by kind and id. `atomically` excludes every other
 * process while its work runs, and the work is durable when it returns.
 */

export interface StoredDocument {
  readonly id: string;
  readonly body: unknown;
  readonly atMs: number;
}

/** Every call is synchronous and throws on disk errors; `list` and `forget` use `atMs`. */
export interface Documents {
  get(kind: string, id: string): StoredDocument | undefined;
  put(kind: string, document: StoredDocument): void;
  /** True if it did not exist before; an existing document stays unchanged. */
  putNew(kind: string, document: StoredDocument): boolean;
  remove(kind: string, id: string): boolean;
  /** Newest first. */
  list(kind: string, limit: number): readonly StoredDocument[];
  /** Removes documents stored before the instant. */
  forget(kind: string, beforeMs: number): void;
  /** All or nothing, exclusively. An error inside rolls back and is rethrown. The work must not await anything. */
  atomically<T>(work: () => T): T;
  close(): void;
}
