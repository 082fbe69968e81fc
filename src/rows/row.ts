/**
 * What a journal row is. The body is JSON with decimals as strings, and never holds a secret; each kind's shape has its own
 * file in this room. All rows of a decision carry its decision id.
 */
import { fieldOf } from "../core/record.ts";

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
  "markout",
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
 * Rows that are as durable as any, but do not move the tail mark at once: they are frequent, and losing the
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
  "markout",
]);

/** A row as readers need it: `seq` counts from 1, `body` is its parsed JSON. */
export interface WrittenRow {
  readonly seq: number;
  readonly kind: string;
  readonly body: unknown;
}

/** A row as the journal returns it: `runId` names the run that wrote it, `atMs` is wall time. */
export interface JournalRow extends WrittenRow {
  readonly kind: RowKind;
  readonly decisionId: string | null;
  readonly atMs: number;
  readonly runId: string;
  /** Milliseconds since some instant of this run; never goes back. */
  readonly monoMs: number;
  readonly hash: string;
}

/** One field of a row whose body nobody has checked, to decide whether the row is worth a check; undefined where there is none. */
export const peek = ({ body }: WrittenRow, field: string): unknown => fieldOf(body, field);

declare const constructed: unique symbol;

/** A body that a constructor of this room made, decimals as strings. The type accepts no other object. */
export type RowBody = Readonly<Record<string, unknown>> & { readonly [constructed]: true };

/** What the journal and its writers accept as a row. */
export interface RowValue<K extends RowKind = RowKind> {
  readonly kind: K;
  readonly body: RowBody;
}
