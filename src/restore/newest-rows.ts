/** The newest rows of several kinds: how a start looks back without reading the whole journal. */
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";

/**
 * The newest `limit` rows of each kind, oldest first. Of each, and not of all together: a position may be held for days, and
 * frequent rows must not crowd out the rare one that opened it.
 */
export const newestRows = (reader: JournalReader, kinds: readonly RowKind[], limit: number): readonly JournalRow[] =>
  inSequence(kinds.flatMap((kind) => reader.rows({ kinds: [kind], limit, newest: true })));

export const inSequence = (rows: readonly JournalRow[]): readonly JournalRow[] =>
  [...rows].sort((a, b) => a.seq - b.seq);
