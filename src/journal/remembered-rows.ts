/**
 * A reader for a start, which asks the same kinds of rows again and again before anything is written. An answer that no
 * condition and no limit has cut holds every row of its kinds: later questions about them are answered from it.
 */
import type { JournalRow, RowKind } from "../rows/row.ts";
import type { RowFilter } from "./query.ts";
import type { JournalReader } from "./reader.ts";

/** Only for as long as no row is written: it would not be seen. */
export function rememberingReader(reader: JournalReader): JournalReader {
  const whole = new Map<RowKind, readonly JournalRow[]>();

  const keep = (filter: RowFilter, rows: readonly JournalRow[]): void => {
    const { kinds, limit = Infinity } = filter;
    if (!kinds || isNarrowed(filter) || rows.length >= limit) return;
    if (kinds.length === 1) for (const kind of kinds) whole.set(kind, rows);
    else
      for (const kind of kinds)
        whole.set(
          kind,
          rows.filter((row) => row.kind === kind),
        );
  };

  const rows = (filter: RowFilter = {}): readonly JournalRow[] => {
    const known = filter.kinds?.map((kind) => whole.get(kind));
    if (known && filter.decisionId === undefined && known.every((list) => list !== undefined))
      return selected(inOrder(known), filter);
    const found = reader.rows(filter);
    keep(filter, found);
    return found;
  };

  return {
    rows,
    latest: (kind) => rows({ kinds: [kind], newest: true, limit: 1 })[0],
    count: () => reader.count(),
    verify: () => reader.verify(),
    get opened() {
      return reader.opened;
    },
    close: () => reader.close(),
  };
}

const isNarrowed = ({ decisionId, sinceSeq, untilSeq, sinceMs }: RowFilter): boolean =>
  [decisionId, sinceSeq, untilSeq, sinceMs].some((condition) => condition !== undefined);

function inOrder(lists: readonly (readonly JournalRow[])[]): readonly JournalRow[] {
  const [only = [], ...others] = lists;
  return others.length === 0 ? only : lists.flat().sort((a, b) => a.seq - b.seq);
}

function selected(rows: readonly JournalRow[], filter: RowFilter): readonly JournalRow[] {
  const { sinceSeq = -Infinity, untilSeq = Infinity, sinceMs = -Infinity, limit = Infinity, newest } = filter;
  const fits = rows.filter(({ seq, atMs }) => seq > sinceSeq && seq <= untilSeq && atMs >= sinceMs);
  if (limit === Infinity) return fits;
  return newest ? fits.slice(Math.max(0, fits.length - limit)) : fits.slice(0, limit);
}
