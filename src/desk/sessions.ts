/** Starting, extending, stopping and finding automation sessions, and binding a preview to one. Spec: 3 §3.2, §4.7. */
import { isoTime } from "../core/time.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type DeskParts, recorded } from "./context.ts";
import { refuse, type Refusal } from "./refusal.ts";
import {
  type AutomationExtendInput,
  type AutomationSession,
  type AutomationStartInput,
  extended,
  isActive,
  newSession,
  mayOpen,
  type SessionDemand,
  sessionProblem,
  stopped,
  released,
} from "./session.ts";
import { sessionRow, readSession } from "../rows/session.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { WrittenRow } from "../rows/row.ts";

/** The clock counts parts of a millisecond; the times of a session are shown to people and to other programs. */
const wholeMs = ({ env }: DeskParts): number => Math.floor(env.clock.nowMs());

type Answer = Promise<Result<AutomationSession, Refusal>>;

function refused(parts: DeskParts, refusal: Refusal): Result<never, Refusal> {
  parts.log.event("warn", "session.refused", refusal.message, { reason: refusal.kind });
  return err(refusal);
}

/** Refused as "session-input" or "not-recorded"; without its row there is no session. */
export async function startSession(parts: DeskParts, input: AutomationStartInput): Answer {
  const { env } = parts;
  const made = newSession(input, env.ids.next("ras").replace("-", "_"), wholeMs(parts));
  if (!made.ok) return refused(parts, made.error);
  const written = recorded(parts, sessionRow({ event: "started", session: made.value }), null);
  if (!written.ok) return refused(parts, written.error);
  await parts.sessions.add(made.value);
  const { automationSessionId, maxNotionalPerOrder, maxTotalNotional, expiresAtMs } = made.value;
  parts.log.event(
    "info",
    "session.started",
    `An automation session began: ${maxNotionalPerOrder.toFixed()} USDT an order, ${maxTotalNotional.toFixed()} USDT in all, until ${isoTime(expiresAtMs)}.`,
    {
      automationSessionId,
      maxNotionalPerOrder: maxNotionalPerOrder.toFixed(),
      maxTotalNotional: maxTotalNotional.toFixed(),
      expiresAtMs,
    },
  );
  return made;
}

/** Refused as "session-unknown", "session-input", "session-not-active" or "not-recorded"; the expiry then stays. */
export async function extendSession(parts: DeskParts, input: AutomationExtendInput): Answer {
  const nowMs = wholeMs(parts);
  const changed = await parts.sessions.update(input.automationSessionId, (session) => {
    const next = extended(session, input, nowMs);
    if (!next.ok) return next;
    const written = recorded(parts, sessionRow({ event: "extended", session: next.value }), null);
    return written.ok ? next : written;
  });
  return changed.ok ? changed : refused(parts, changed.error);
}

/**
 * Works on any known session, also repeatedly, and cancels no orders. A stop counts even if its row cannot be
 * written.
 */
export async function stopSession(parts: DeskParts, automationSessionId: string): Answer {
  const nowMs = wholeMs(parts);
  const changed = await parts.sessions.update(automationSessionId, (session) => ok(stopped(session, nowMs)));
  if (!changed.ok) return refused(parts, changed.error);
  const written = recorded(parts, sessionRow({ event: "stopped", session: changed.value }), null);
  const fields = { automationSessionId };
  if (written.ok) parts.log.event("info", "session.stopped", "The automation session was stopped.", fields);
  else {
    const reported = `The session was stopped, but a restart may restore it as active. Stop it again: ${written.error.message}`;
    parts.log.event("error", "session.stopped", reported, fields);
  }
  return changed;
}

/** In any state, also expired or stopped; refused as "session-unknown". */
export async function findSession(parts: DeskParts, automationSessionId: string): Answer {
  const session = await parts.sessions.get(automationSessionId);
  return session ? ok(session) : err(refuse("session-unknown", `no automation session ${automationSessionId}`));
}

/** Whether the session is active and lists the action, so that its symbols decide whether it covers it. */
export const couldCover = (session: AutomationSession, action: SessionDemand["action"], nowMs: number): boolean =>
  isActive(session, nowMs) && session.allowedActions.includes(action);

/**
 * The named session, if it covers the demand. An action that cannot open becomes an ordinary preview without a session
 * where the session is unknown, has ended, or does not list it: a caller that names a session with every call must be
 * able to close.
 */
export async function bindNamed(
  parts: DeskParts,
  id: string,
  demand: SessionDemand,
): Promise<Result<AutomationSession | null, Refusal>> {
  const found = await findSession(parts, id);
  const nowMs = wholeMs(parts);
  if (!mayOpen(demand.action) && !(found.ok && couldCover(found.value, demand.action, nowMs))) return ok(null);
  if (!found.ok) return found;
  const problem = sessionProblem(found.value, demand, nowMs);
  return problem ? err(problem) : found;
}

/** The session that covers the demand; null if none does, refused if several do. Spec: records §17.6. */
export async function bindOnly(
  parts: DeskParts,
  demand: SessionDemand,
): Promise<Result<AutomationSession | null, Refusal>> {
  const nowMs = wholeMs(parts);
  const fitting = (await parts.sessions.list()).filter((session) => !sessionProblem(session, demand, nowMs));
  if (fitting.length <= 1) return ok(fitting[0] ?? null);
  const ids = fitting.map((session) => session.automationSessionId);
  return err(refuse("session-ambiguous", `${ids.length} automation sessions fit; name one`, { sessions: ids }));
}

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
