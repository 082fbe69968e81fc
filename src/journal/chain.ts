/**
 * The hash chain: each row's hash covers all its columns and the hash before it, so no byte can change and no row can
 * vanish from the middle unnoticed. `tail-mark.ts` detects rows that vanish from the end.
 */
import { canonicalJson, sha256 } from "../core/hash.ts";
import { ROW_KINDS, type JournalRow, type RowKind } from "../rows/row.ts";
import type { SqlRow } from "./sqlite.ts";

/** A row as the table stores it; `body` is canonical JSON text. */
export interface StoredRow {
  readonly seq: number;
  readonly runId: string;
  readonly atMs: number;
  readonly monoMs: number;
  readonly kind: RowKind;
  readonly decisionId: string | null;
  readonly body: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The hash before the first row. */
export const GENESIS_HASH = "0".repeat(64);

/** SHA-256 in hex over the canonical JSON of all columns in their order; the body enters as its exact text. */
export const rowHash = (row: Omit<StoredRow, "hash">): string =>
  sha256(canonicalJson([row.seq, row.runId, row.atMs, row.monoMs, row.kind, row.decisionId, row.body, row.prevHash]));

/** The columns of the table `rows` in the order of its schema, for SELECT and INSERT alike. */
export const ROW_COLUMNS = "seq, boot, at_ms, mono_ms, kind, decision_id, body, prev_hash, hash";

/** Converts a table row. The values are not checked here: verifying the chain shows whether they are right. */
export function storedRow(row: SqlRow): StoredRow {
  const text = (column: string): string => String(row[column] ?? "");
  return {
    seq: Number(row["seq"]),
    runId: text("boot"),
    atMs: Number(row["at_ms"]),
    monoMs: Number(row["mono_ms"]),
    kind: text("kind") as RowKind,
    decisionId: row["decision_id"] === null ? null : text("decision_id"),
    body: text("body"),
    prevHash: text("prev_hash"),
    hash: text("hash"),
  };
}

/** The row for readers. A body that is no longer JSON reads as null; `verify` names such a row. */
export function journalRow(row: StoredRow): JournalRow {
  const { seq, runId, atMs, monoMs, kind, decisionId, hash } = row;
  return { seq, runId, atMs, monoMs, kind, decisionId, body: parseBody(row.body), hash };
}

/** The row for its writer, who hardly ever reads what it has just written: the body is parsed when it is asked for. */
export function writtenRow({ seq, runId, atMs, monoMs, kind, decisionId, body, hash }: StoredRow): JournalRow {
  return {
    seq,
    runId,
    atMs,
    monoMs,
    kind,
    decisionId,
    get body() {
      return parseBody(body);
    },
    hash,
  };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What is wrong with `row` as the successor of a row with that seq and hash; null when it fits. */
export function chainProblem(row: StoredRow, before: { readonly seq: number; readonly hash: string }): string | null {
  if (row.seq !== before.seq + 1) return `row ${before.seq + 1} is missing, found row ${row.seq} instead`;
  if (row.prevHash !== before.hash) return `row ${row.seq} does not follow the row before it`;
  if (row.hash !== rowHash(row)) return `row ${row.seq} was changed after it was written`;
  if (!ROW_KINDS.includes(row.kind)) return `row ${row.seq} has the unknown kind ${JSON.stringify(row.kind)}`;
  return null;
}
