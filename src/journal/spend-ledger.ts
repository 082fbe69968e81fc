/**
 * The journal as the ledger of the model budget: reservations and their bookings as durable rows. The bodies belong to
 * the budget; this file adds only that they are on the disk before a call is made and found again after a crash.
 */
import type { Journal } from "./journal.ts";

const KINDS = ["model-reserve", "model-settle"] as const;

/** A reservation, written before a model is called, or the booking that ends it. */
export interface SpendRow {
  readonly kind: "model-reserve" | "model-settle";
  /** When it was written, epoch ms. */
  readonly atMs: number;
  readonly body: unknown;
}

/** What the model budget keeps its books in. `append` is durable when it returns, and throws JournalError. */
export interface SpendLedger {
  append(row: { readonly kind: SpendRow["kind"]; readonly body: unknown; readonly decisionId?: string }): SpendRow;
  /** Rows written at or after `sinceMs`, and the newest `atLeast` whatever the clock says, oldest first. */
  rowsSince(sinceMs: number, atLeast: number): readonly SpendRow[];
}

/** Remembers nothing itself: each `rowsSince` reads the journal, archives included. */
export function spendLedger(journal: Journal): SpendLedger {
  return {
    append: ({ kind, body, decisionId }) => {
      const row = journal.append(kind, body, decisionId);
      return { kind, atMs: row.atMs, body: row.body };
    },
    rowsSince: (sinceMs, atLeast) => {
      const newest = journal.rows({ kinds: KINDS, newest: true, limit: atLeast });
      const late = journal.rows({ kinds: KINDS, sinceMs });
      const bySeq = new Map([...newest, ...late].map((row) => [row.seq, row]));
      return [...bySeq.values()]
        .sort((a, b) => a.seq - b.seq)
        .map(({ kind, atMs, body }) => ({ kind: kind as SpendRow["kind"], atMs, body }));
    },
  };
}
