/** New rows of the journal as lines for the page: read once a second for all who look, and only while somebody looks. */
import type { JournalReader } from "../journal/reader.ts";
import { readDecision } from "../rows/decision.ts";
import { readNews } from "../rows/news.ts";
import { rowText } from "../rows/all-rows.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { stepOf } from "./steps.ts";
import type { DeckRow, DeckStep } from "./shapes.ts";

/** What a person wants to see pass; heartbeats, previews and bookings of money are not among it. */
const SHOWN: readonly RowKind[] = [
  "boot",
  "decision",
  "question",
  "verdict",
  "intent",
  "order",
  "fill",
  "protection",
  "position",
  "trade",
  "floor",
  "news",
  "operator",
  "switch",
  "lesson",
  "stop",
];
/** A page that was away for longer starts again with the newest rows. */
export const ROWS_KEPT = 400;
const NEWS_KEPT = 40;
const TEXT_MAX = 600;

export interface RowFeed {
  /** Rows after that number, oldest first; the newest 400 at most. */
  since(seq: number): readonly DeckRow[];
}

export function createRowFeed(reader: Pick<JournalReader, "rows">): RowFeed {
  let kept: DeckRow[] = [];
  let older: readonly DeckRow[] = [];
  let read = false;
  const refresh = (): void => {
    const newest = kept.at(-1)?.seq;
    const found =
      read && newest !== undefined
        ? reader.rows({ kinds: SHOWN, sinceSeq: newest, limit: ROWS_KEPT, newest: true })
        : reader.rows({ kinds: SHOWN, limit: ROWS_KEPT, newest: true });
    const first = !read;
    read = true;
    if (first) older = olderNews(reader, found[0]?.seq ?? 0);
    if (found.length > 0) kept = [...kept, ...found.map(deckRow)].slice(-ROWS_KEPT);
  };
  return {
    since: (seq) => {
      refresh();
      const rows = kept.filter((row) => row.seq > seq);
      return seq === 0 ? [...older, ...rows] : rows;
    },
  };
}

/** News is rare among rows: a page that opens sees the newest of it, however long ago that was. */
const olderNews = (reader: Pick<JournalReader, "rows">, beforeSeq: number): readonly DeckRow[] =>
  reader
    .rows({ kinds: ["news"], limit: NEWS_KEPT, newest: true })
    .filter(({ seq }) => seq < beforeSeq)
    .map(deckRow);

/** A row that this build cannot read is a line as well: the page must not end with it. */
function deckRow(row: JournalRow): DeckRow {
  const { seq, atMs, kind, decisionId } = row;
  let text: string;
  let news: readonly string[] = [];
  let step: DeckStep | null = null;
  try {
    text = rowText(row);
    news = newsIn(row);
    step = stepOf(row);
  } catch (cause) {
    text = cause instanceof Error ? cause.message : String(cause);
  }
  return {
    seq,
    atMs,
    kind,
    decisionId,
    text: text.slice(0, TEXT_MAX),
    ...(news.length > 0 ? { news } : {}),
    ...(step ? { step } : {}),
  };
}

const isNewsKey = (key: string): boolean => /^(news|hot|featured):/.test(key);

function newsIn(row: JournalRow): readonly string[] {
  if (row.kind === "news") return [readNews(row).key];
  if (row.kind !== "decision") return [];
  const decision = readDecision(row);
  return "by" in decision ? [...new Set(decision.wishes.flatMap(({ evidence }) => evidence))].filter(isNewsKey) : [];
}
