/**
 * What the journal keeps of sessions, and sessions read back from it. A use that was written down before a crash stays
 * counted after it, whether or not its order ever left.
 */
import { dec, type Decimal, ZERO } from "../core/decimal.ts";
import { type AutomationSession, released } from "./session.ts";

/** The bodies of "session" rows. Decimals lie in the journal as text. */
export type SessionRow =
  | { readonly event: "started" | "extended" | "stopped"; readonly session: AutomationSession }
  | {
      readonly event: "reserved" | "released";
      readonly automationSessionId: string;
      readonly previewId: string;
      readonly notional: Decimal;
    };

type Texts<T> = { readonly [K in keyof T]: T[K] extends Decimal ? string : T[K] };

const fromTexts = (session: Texts<AutomationSession>): AutomationSession => ({
  ...session,
  maxNotionalPerOrder: dec(session.maxNotionalPerOrder),
  maxTotalNotional: dec(session.maxTotalNotional),
  usedNotional: dec(session.usedNotional),
});

/** The bodies of all "session" rows, oldest first, to the sessions as they stand. */
export function restoredSessions(bodies: Iterable<unknown>): readonly AutomationSession[] {
  const sessions = new Map<string, AutomationSession>();
  for (const body of bodies) {
    const row = body as { event: SessionRow["event"]; session: Texts<AutomationSession> } & {
      automationSessionId: string;
      notional: string;
    };
    if (row.event === "reserved" || row.event === "released") {
      const session = sessions.get(row.automationSessionId);
      if (session) sessions.set(row.automationSessionId, moved(session, row.event, dec(row.notional)));
    } else {
      // What was used is known from the reservations alone; the record's own figure may be a moment old.
      const usedNotional = sessions.get(row.session.automationSessionId)?.usedNotional ?? ZERO;
      sessions.set(row.session.automationSessionId, { ...fromTexts(row.session), usedNotional });
    }
  }
  return [...sessions.values()];
}

const moved = (session: AutomationSession, event: "reserved" | "released", notional: Decimal): AutomationSession =>
  event === "reserved" ? { ...session, usedNotional: session.usedNotional.add(notional) } : released(session, notional);
