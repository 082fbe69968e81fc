/**
 * All rows of one decision in the order in which they were written, from the trigger to the last fill. Rows about its
 * orders that came from the user stream without a decision id are found by their client order ids.
 */
import type { JournalReader } from "../../journal/reader.ts";
import type { JournalRow } from "../../rows/row.ts";
import { namesIn } from "../../rows/names.ts";

/** What `ballast explain` is built from. `clientOrderIds` are those that the decision's own rows name. */
export interface DecisionStory {
  readonly decisionId: string;
  readonly clientOrderIds: readonly string[];
  /** Oldest first; empty when the journal knows no such decision. */
  readonly rows: readonly JournalRow[];
}

const clientOrderIdOf = (row: JournalRow): string | null => namesIn(row).clientOrderId ?? null;

/**
 * The story of one decision. Reads the order and fill rows since its first row, all of them unless `limit` says how many:
 * meant for a person, not for a loop.
 */
export function decisionStory(
  reader: Pick<JournalReader, "rows">,
  decisionId: string,
  limit = Number.MAX_SAFE_INTEGER,
): DecisionStory {
  const own = reader.rows({ decisionId });
  const ids = new Set(own.map(clientOrderIdOf).filter((id) => id !== null));
  const first = own[0];
  const related = first && ids.size > 0 ? ordersSince(reader, first.seq, limit).filter((row) => isOurs(row, ids)) : [];
  const rows = [...own, ...related].sort((a, b) => a.seq - b.seq);
  return { decisionId, clientOrderIds: [...ids], rows };
}

const ordersSince = (reader: Pick<JournalReader, "rows">, sinceSeq: number, limit: number): readonly JournalRow[] =>
  reader.rows({ kinds: ["wire-in", "order", "fill", "protection"], sinceSeq, limit });

const isOurs = (row: JournalRow, ids: ReadonlySet<string>): boolean => {
  const id = clientOrderIdOf(row);
  return row.decisionId === null && id !== null && ids.has(id);
};

/** The decision behind an order, by either of its ids; null when the journal knows none. For `explain ORDER`. */
export function decisionOfOrder(reader: JournalReader, orderOrClientId: string): string | null {
  const rows = reader.rows({ kinds: ["intent", "wire-in", "order", "fill"] });
  const about = rows.filter((row) => {
    const { orderId, clientOrderId } = namesIn(row);
    return orderId === orderOrClientId || clientOrderId === orderOrClientId;
  });
  const direct = about.find((row) => row.decisionId !== null)?.decisionId;
  if (direct) return direct;
  const id = about.map(clientOrderIdOf).find((found) => found !== null && found !== orderOrClientId);
  return id ? decisionOfOrder(reader, id) : null;
}
