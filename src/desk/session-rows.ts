/**
 * What the journal keeps of sessions, and sessions read back from it. A use that was written down before a crash stays
 * counted after it, whether or not its order ever left.
 */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { WrittenRow } from "../rows/row.ts";
import { readSession } from "../rows/session.ts";
import { type AutomationSession, released } from "./session.ts";

/** All "session" rows, oldest first, to the sessions as they stand. */
export function restoredSessions(rows: Iterable<WrittenRow>): readonly AutomationSession[] {
  const sessions = new Map<string, AutomationSession>();
  for (const written of rows) {
    const row = readSession(written);
    if ("session" in row) {
      // What was used is known from the reservations alone; the record's own figure may be a moment old.
      const usedNotional = sessions.get(row.session.automationSessionId)?.usedNotional ?? ZERO;
      sessions.set(row.session.automationSessionId, { ...row.session, usedNotional });
    } else {
      const session = sessions.get(row.automationSessionId);
      if (session) sessions.set(row.automationSessionId, moved(session, row.event, row.notional));
    }
  }
  return [...sessions.values()];
}

const moved = (session: AutomationSession, event: "reserved" | "released", notional: Decimal): AutomationSession =>
  event === "reserved" ? { ...session, usedNotional: session.usedNotional.add(notional) } : released(session, notional);
