/**
 * Journal rows of sessions, and sessions restored from them. A charge that was written before a crash still counts
 * after it, whether or not its order was sent.
 */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { WrittenRow } from "../rows/row.ts";
import { readSession } from "../rows/session.ts";
import { type AutomationSession, released } from "./session.ts";

/** Restores the sessions from all "session" rows, oldest first. */
export function restoredSessions(rows: Iterable<WrittenRow>): readonly AutomationSession[] {
  const sessions = new Map<string, AutomationSession>();
  for (const written of rows) {
    const row = readSession(written);
    if ("session" in row) {
      // Only reservations determine the used amount; the figure in the session's own row may be out of date.
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
