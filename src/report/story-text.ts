/** The rows of one decision as a story for a person: one line a row, figures first, long parts cut. */
import { isoTime } from "../core/time.ts";
import { rowText } from "../rows/all-rows.ts";
import type { WrittenRow } from "../rows/row.ts";

/** `atMs` is when the row was written, epoch ms. */
export interface StoryRow extends WrittenRow {
  readonly atMs: number;
}

/** Clock times are UTC. Throws RowError for a row that does not fit its kind. */
export function storyText(decisionId: string, rows: readonly StoryRow[]): string {
  const lines = rows.map((row) => `  ${isoTime(row.atMs).slice(11, 23)}  ${row.kind.padEnd(13)} ${rowText(row)}`);
  const day = rows[0] ? isoTime(rows[0].atMs).slice(0, 10) : "";
  return `Decision ${decisionId}, ${day}, ${rows.length} rows\n${lines.join("\n")}\n`;
}
