/** Rows as a test wants them in a journal, whether or not they fit their kind. */
import type { RowBody, RowKind, RowValue } from "../../src/rows/row.ts";

export const rawRow = <K extends RowKind>(kind: K, body: object): RowValue<K> => ({ kind, body: body as RowBody });
