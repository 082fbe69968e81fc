/** The rows of a small agent in memory, as its next run reads them. */
import type { JournalReader } from "../../src/journal/reader.ts";
import type { RowFilter } from "../../src/journal/query.ts";
import type { JournalRow, RowBody, RowKind } from "../../src/rows/row.ts";

export interface MemoryJournal {
  add(row: {
    readonly kind: RowKind;
    readonly body: RowBody;
    readonly atMs: number;
    readonly runId: string;
    readonly decisionId: string | null;
  }): void;
  readonly reader: JournalReader;
}

/** It loses the rows of the kinds that it `forgets`. */
export function memoryJournal(forgets: readonly RowKind[] = []): MemoryJournal {
  const rows: JournalRow[] = [];
  const ofKind = new Map<RowKind, JournalRow[]>();
  const listed = (kinds: readonly RowKind[] | undefined): readonly JournalRow[] => {
    if (!kinds) return rows;
    const [only = [], ...others] = kinds.map((kind) => ofKind.get(kind) ?? []);
    return others.length === 0 ? only : [only, ...others].flat().sort((a, b) => a.seq - b.seq);
  };
  const matching = ({ kinds, decisionId, sinceSeq = 0, untilSeq = Infinity, sinceMs = -Infinity }: RowFilter) =>
    listed(kinds).filter(
      (row) =>
        (decisionId === undefined || row.decisionId === decisionId) &&
        row.seq > sinceSeq &&
        row.seq <= untilSeq &&
        row.atMs >= sinceMs,
    );
  const select = (filter: RowFilter = {}): readonly JournalRow[] => {
    const { limit = Infinity, newest = false } = filter;
    const found = matching(filter);
    return newest ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
  };
  return {
    add: (row) => {
      if (forgets.includes(row.kind)) return;
      const added = { ...row, seq: rows.length + 1, monoMs: row.atMs, hash: "" } as JournalRow;
      rows.push(added);
      const alike = ofKind.get(row.kind);
      if (alike) alike.push(added);
      else ofKind.set(row.kind, [added]);
    },
    reader: {
      rows: select,
      latest: (kind) => select({ kinds: [kind], limit: 1, newest: true })[0],
      count: () => rows.length,
      verify: () => ({ ok: true, value: { rows: rows.length } }),
      opened: { state: "ok", rows: 0 },
      close: () => undefined,
    },
  };
}
