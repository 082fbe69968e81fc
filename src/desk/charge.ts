/** Reserves a submit's amount in its automation session before the wire, and releases it if nothing was sent. */
import { ok, type Result } from "../core/result.ts";
import type { DeskAction } from "./action.ts";
import { type DeskParts, recorded } from "./context.ts";
import { scopeOf } from "./preflight.ts";
import type { Preview } from "./preview.ts";
import type { Refusal } from "./refusal.ts";
import { released, reserved, type SessionDemand } from "./session.ts";
import { sessionRow } from "../rows/session.ts";

const demandOf = (preview: Preview, action: DeskAction): SessionDemand => ({
  action: action.kind,
  symbols: scopeOf(action, { order: preview.orderReadback, position: preview.positionReadback }),
  orderType: action.kind === "order.place" ? action.draft.order.orderType : null,
  notional: preview.countedNotional,
});

/** A reservation, with what `refund` needs. */
export interface SessionCharge {
  readonly sessionId: string;
  readonly preview: Preview;
}

/** Charges the preview's session; null if it has none. The row is durable before this returns. */
export async function charge(
  parts: DeskParts,
  preview: Preview,
  action: DeskAction,
): Promise<Result<SessionCharge | null, Refusal>> {
  const sessionId = preview.automationSession?.automationSessionId;
  if (sessionId === undefined) return ok(null);
  const demand = demandOf(preview, action);
  const body = {
    event: "reserved" as const,
    automationSessionId: sessionId,
    previewId: preview.previewId,
    notional: demand.notional,
  };
  const changed = await parts.sessions.update(sessionId, (session) => {
    const next = reserved(session, demand, parts.env.clock.nowMs());
    if (!next.ok || demand.notional.isZero()) return next;
    const written = recorded(parts, sessionRow(body), preview.decisionId);
    return written.ok ? next : written;
  });
  return changed.ok ? ok({ sessionId, preview }) : changed;
}

/** Releases the charge of a write that certainly had no effect. A null or zero charge is ignored. */
export async function refund(parts: DeskParts, charged: SessionCharge | null): Promise<void> {
  if (!charged || charged.preview.countedNotional.isZero()) return;
  const { sessionId, preview } = charged;
  const notional = preview.countedNotional;
  const body = { event: "released" as const, automationSessionId: sessionId, previewId: preview.previewId, notional };
  // Without its row the release is not applied: after a crash, journal and store must agree.
  await parts.sessions.update(sessionId, (session) => {
    const written = recorded(parts, sessionRow(body), preview.decisionId);
    return written.ok ? ok(released(session, notional)) : written;
  });
}
