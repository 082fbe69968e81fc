/** The operator's consent as a running session. Without one the agent opens nothing. Spec: 3 §2.4, §3.2. */
import { z } from "zod";
import type { ConsentPort } from "../agent/contract/ports.ts";
import type { Config } from "../config/config.ts";
import { session as sessionSection } from "../config/session.ts";
import type { Clock } from "../core/clock.ts";
import { toWire } from "../core/decimal.ts";
import { hashOf } from "../core/hash.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Desk } from "../desk/desk.ts";
import { sessionView } from "../desk/session.ts";
import type { SessionView } from "../risk/view.ts";
import { consentGap, type ConsentVenue } from "./consent-gap.ts";
import type { LivePermit } from "./go-live.ts";

/** The agent's consent port, plus what only a saved file may do. */
export interface ConsentKeeper extends ConsentPort {
  /** A saved configuration. If it changes the terms, the running session ends and the next renewal starts a new one. */
  change(session: Config["session"], symbols: readonly string[]): Promise<void>;
}

/** A session is named after its terms, so that a restart finds it; in its last minute, or half of a shorter life, the next one is started. */
export function keepConsent(
  desk: Desk,
  clock: Clock,
  terms: { session: Config["session"]; symbols: readonly string[]; venue: ConsentVenue; permit?: LivePermit },
): ConsentKeeper {
  let { session, symbols } = terms;
  const { venue, permit } = terms;
  const nameOf = (): string => `terms-${hashOf({ session: z.encode(sessionSection, session), symbols }).slice(0, 12)}`;
  const running = async (): Promise<SessionView | null> => {
    const nowMs = clock.nowMs();
    const sessions = await desk.sessions();
    const wanted = nameOf();
    const fitting = sessions.filter(({ name }) => name === wanted);
    const active = fitting.map((candidate) => sessionView(candidate, nowMs)).find((view) => view.active);
    return active ?? null;
  };
  return {
    view: running,
    renew: async () => {
      const forbidden = permit?.missing() ?? null;
      const gap = forbidden ?? consentGap(session, venue);
      if (gap) return { session: null, reason: gap, readOnly: forbidden !== null };
      const active = await running();
      if (active && active.expiresAtMs - clock.nowMs() > Math.min(MINUTE_MS, session.expiresIn / 2))
        return { session: active, reason: "", readOnly: false };
      const started = await desk.startSession({
        symbols,
        maxNotionalPerOrder: toWire(session.maxNotionalPerOrder),
        maxTotalNotional: toWire(session.maxTotalNotional),
        expiresInSeconds: Math.round(session.expiresIn / SECOND_MS),
        allowedActions: session.allowedActions,
        allowedOrderTypes: session.allowedOrderTypes,
        name: nameOf(),
        explicitUserConsent: true,
        acceptedRiskText: session.consent,
      });
      if (!started.ok) return { session: null, reason: started.error.message, readOnly: false };
      return { session: sessionView(started.value, clock.nowMs()), reason: "", readOnly: false };
    },
    change: async (next, nextSymbols) => {
      const before = nameOf();
      session = next;
      symbols = nextSymbols;
      permit?.change(next);
      if (before === nameOf()) return;
      for (const candidate of await desk.sessions()) {
        if (candidate.name === before && candidate.status === "ACTIVE")
          await desk.stopSession(candidate.automationSessionId);
      }
    },
  };
}
