/** Model spend from the journal: reservations and their ends, by attempt. */
import { type Num, NIL } from "./decimal.ts";
import { decimal, text, timeIn } from "./fields.ts";
import { type History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { Row } from "./rows.ts";

/** The rows of one reservation; a valid one that has ended has one of each kind. */
export interface Attempt {
  readonly attemptId: string;
  readonly reserves: readonly Row[];
  readonly settles: readonly Row[];
  /** Rows that lowered a booking at its bound, by the gateway's own counter; oldest first. */
  readonly corrections: readonly Row[];
}

/** Empty if the row names none. */
export const attemptIn = (row: Row): string => text(row.body, "attemptId") ?? "";
/** In USD; zero if the row states none. */
export const boundIn = (row: Row): Num => decimal(row.body, "boundUsd") ?? NIL;
/** In USD; zero if the row states none. */
export const costIn = (row: Row): Num => decimal(row.body, "costUsd") ?? NIL;
/** The time stated in the row, epoch ms; otherwise when it was written. */
export const spentAt = (row: Row): number => timeIn(row.body, "atMs") ?? row.atMs;
/** Charged without a reservation, because the gateway's own figure was higher. */
export const isAdopted = (row: Row): boolean => ["adopted", "reported"].includes(text(row.body, "how") ?? "");

/** Lowers an earlier booking. */
const isCorrection = (row: Row): boolean => text(row.body, "how") === "corrected";
/** The final booking of an attempt. */
export const lastBooking = ({ settles, corrections }: Attempt): Row | undefined => corrections.at(-1) ?? settles[0];

/** By attempt id; amounts adopted from the gateway are not attempts. */
export function attempts(history: History): ReadonlyMap<string, Attempt> {
  const found = new Map<string, { attemptId: string; reserves: Row[]; settles: Row[]; corrections: Row[] }>();
  for (const row of journalView(history).kinds("model-reserve", "model-settle")) {
    if (isAdopted(row)) continue;
    const attemptId = attemptIn(row);
    const attempt = found.get(attemptId) ?? { attemptId, reserves: [], settles: [], corrections: [] };
    found.set(attemptId, attempt);
    const settles = isCorrection(row) ? attempt.corrections : attempt.settles;
    (row.kind === "model-reserve" ? attempt.reserves : settles).push(row);
  }
  return found;
}

/** The attempt of a request id: a repair uses the reservation of its question. */
export const attemptOf = (requestId: string): string => requestId.replace(/\.repair$/, "");
