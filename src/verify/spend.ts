/** The model money of the journal: reservations and what ended them, by attempt. */
import { type Num, NIL } from "./decimal.ts";
import { decimal, text, timeIn } from "./fields.ts";
import { type History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { Row } from "./rows.ts";

/** The rows of one reservation; a sound one that has ended has one of each kind. */
export interface Attempt {
  readonly attemptId: string;
  readonly reserves: readonly Row[];
  readonly settles: readonly Row[];
  /** Rows that lowered a booking at its bound, by the gateway's own counter; oldest first. */
  readonly corrections: readonly Row[];
}

/** Empty where the row names none. */
export const attemptIn = (row: Row): string => text(row.body, "attemptId") ?? "";
/** In USD; zero where the row states none. */
export const boundIn = (row: Row): Num => decimal(row.body, "boundUsd") ?? NIL;
/** In USD; zero where the row states none. */
export const costIn = (row: Row): Num => decimal(row.body, "costUsd") ?? NIL;
/** The time that the row itself states, epoch ms; else when it was written. */
export const spentAt = (row: Row): number => timeIn(row.body, "atMs") ?? row.atMs;
/** Charged because the gateway's own figure was higher, without a reservation of ours. */
export const isAdopted = (row: Row): boolean => ["adopted", "reported"].includes(text(row.body, "how") ?? "");

/** Lowers an earlier booking. */
const isCorrection = (row: Row): boolean => text(row.body, "how") === "corrected";
/** What an attempt is booked at in the end. */
export const lastBooking = ({ settles, corrections }: Attempt): Row | undefined => corrections.at(-1) ?? settles[0];

/** By attempt id; what was adopted from the gateway is no attempt. */
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

/** The attempt behind a request id: a repair spends the reservation of its question. */
export const attemptOf = (requestId: string): string => requestId.replace(/\.repair$/, "");
