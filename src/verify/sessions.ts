/** Automation sessions from the journal: their caps and their ends, at any moment. */
import type { Num } from "./decimal.ts";
import { decimal, figure, rec, type Rec, text, timeIn } from "./fields.ts";
import type { JournalView } from "./journal-view.ts";

/** A session as recorded at some moment. */
export interface SessionView {
  readonly id: string;
  readonly symbols: readonly string[];
  readonly actions: readonly string[];
  readonly orderTypes: readonly string[];
  readonly perOrder: Num | null;
  readonly total: Num | null;
  readonly expiresAtMs: number;
  readonly stoppedAtMs: number | null;
  readonly startedSeq: number;
}

/** The session after the rows up to `atMs` and `seq`; null if the id is unknown. */
export function sessionAt(view: JournalView, id: string, upTo: { readonly atMs: number }): SessionView | null {
  let found: SessionView | null = null;
  let startedSeq: number | null = null;
  for (const row of view.kinds("session")) {
    const session = rec(row.body, "session");
    if (!session || text(session, "automationSessionId") !== id || row.atMs > upTo.atMs) continue;
    startedSeq ??= row.seq;
    const stopped = text(session, "status") === "STOPPED" || row.body["event"] === "stopped";
    found = {
      id,
      symbols: stringsIn(session, "symbols"),
      actions: stringsIn(session, "allowedActions"),
      orderTypes: stringsIn(session, "allowedOrderTypes"),
      perOrder: decimal(session, "maxNotionalPerOrder"),
      total: decimal(session, "maxTotalNotional"),
      expiresAtMs: timeIn(session, "expiresAtMs") ?? -Infinity,
      stoppedAtMs: stopped ? (figure(session, "stoppedAtMs") ?? row.atMs) : null,
      startedSeq,
    };
  }
  return found;
}

const stringsIn = (from: Rec, name: string): readonly string[] => {
  const value = from[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};
