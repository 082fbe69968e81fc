/**
 * The journal as the ledger of the model budget: reservations and bookings as durable rows. The budget defines the bodies;
 * this file only ensures that they are on the disk before a call is made and found again after a crash.
 */
import type { JournalRow, RowValue } from "../rows/row.ts";
import type { Journal } from "./journal.ts";

const KINDS = ["model-reserve", "model-settle"] as const;

/** Where the model budget keeps its books. `append` is durable when it returns, and throws JournalError. */
export interface SpendLedger {
  append(row: RowValue<(typeof KINDS)[number]>, decisionId?: string): JournalRow;
  /** Rows written at or after `sinceMs`, and the newest `atLeast` regardless of their time, oldest first. */
  rowsSince(sinceMs: number, atLeast: number): readonly JournalRow[];
}

/** Remembers nothing itself: each `rowsSince` reads the journal, archives included. */
export function spendLedger(journal: Journal): SpendLedger {
  return {
    append: (row, decisionId) => journal.append(row, decisionId),
    rowsSince: (sinceMs, atLeast) => {
      const newest = journal.rows({ kinds: KINDS, newest: true, limit: atLeast });
      const late = journal.rows({ kinds: KINDS, sinceMs });
      const bySeq = new Map([...newest, ...late].map((row) => [row.seq, row]));
      return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
    },
  };
}
