/**
 * The kinds of rows in the journal. One append-only table, hash-chained; the body is JSON with decimals as strings and
 * never a secret. Every stage of a decision carries its decision id.
 */
export const ROW_KINDS = [
  "boot",
  "config",
  "session",
  "decision",
  "question",
  "snapshot",
  "verdict",
  "intent",
  "preview",
  "wire-out",
  "wire-in",
  "order",
  "fill",
  "protection",
  "position",
  "trade",
  "cost",
  "equity",
  "floor",
  "reconcile",
  "model-reserve",
  "model-settle",
  "news",
  "beat",
  "operator",
  "switch",
  "shadow",
  "lesson",
  "stop",
] as const;
/** Part of every row's hash. A kind that this build does not know makes the chain count as damaged. */
export type RowKind = (typeof ROW_KINDS)[number];

/**
 * Rows that are as durable as any, but after which the tail mark is not moved at once: they are many, and losing the
 * last of them costs no money. The next row of another kind moves the mark past them.
 */
export const LIGHT_KINDS: ReadonlySet<RowKind> = new Set([
  "news",
  "beat",
  "equity",
  "question",
  "snapshot",
  "decision",
  "verdict",
  "preview",
  "shadow",
  "cost",
]);

/** As readers get it: `seq` counts from 1, `boot` names the run that wrote it, `atMs` is wall time, `body` parsed. */
export interface JournalRow {
  readonly seq: number;
  readonly boot: string;
  readonly atMs: number;
  /** Milliseconds since some instant of this boot; never goes back. */
  readonly monoMs: number;
  readonly kind: RowKind;
  readonly decisionId: string | null;
  readonly body: unknown;
  readonly hash: string;
}
