/**
 * The desk: preview, then submit, under the operator's consent. Every order passes through it, whether from the
 * daemon, the command line or the tool server. It has no strategy and no market data, and sends only what the review
 * approved.
 */
import { BoundedMap } from "../core/bounded.ts";
import { err, ok, type Result } from "../core/result.ts";
import { businessParams, type DeskAction } from "./action.ts";
import { type DeskParts, recorded } from "./context.ts";
import { countedNotional, preflight, scopeOf, symbolOfAlgo } from "./preflight.ts";
import { newPreview, type Preview } from "./preview.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { AutomationExtendInput, AutomationSession, AutomationStartInput, SessionDemand } from "./session.ts";
import { bindNamed, bindOnly, couldCover, extendSession, findSession, startSession, stopSession } from "./sessions.ts";
import { inWords, levelOf } from "./outcome-words.ts";
import { singleConsent, type SingleConsentInput } from "./single-consent.ts";
import { SENT_IDS_CAP, submit, type SubmitInput, type SubmitResult } from "./submit.ts";
import { previewRow } from "../rows/preview.ts";

/** If all are absent, the preview has no session, and a submit needs only the token. */
export interface PreviewOptions {
  /** The session to bind to; it must cover the action. */
  readonly automationSessionId?: string;
  /** Without an id: bind to the session that covers the action, if exactly one does. */
  readonly bindOnlyFitting?: boolean;
  /** Consent for this one preview. */
  readonly consent?: SingleConsentInput;
  readonly decisionId?: string;
}

/** Refusals are values. Sessions and previews are in the stores; the desk itself remembers only the ids it sent. */
export interface Desk {
  /** Needs the owner's explicit consent in the input. Refusals: "session-input", "not-recorded". */
  startSession(input: AutomationStartInput): Promise<Result<AutomationSession, Refusal>>;
  /** Changes only the expiry; needs a new consent. */
  extendSession(input: AutomationExtendInput): Promise<Result<AutomationSession, Refusal>>;
  /** Afterwards no preview bound to the session can be submitted. Orders at the venue stay. */
  stopSession(automationSessionId: string): Promise<Result<AutomationSession, Refusal>>;
  session(automationSessionId: string): Promise<Result<AutomationSession, Refusal>>;
  sessions(): Promise<readonly AutomationSession[]>;
  /** Describes an action without carrying it out. Reads at most one record from the venue and writes nothing there. */
  preview(action: DeskAction, options?: PreviewOptions): Promise<Result<Preview, Refusal>>;
  /** Carries out a preview once. */
  submit<A extends DeskAction>(input: SubmitInput<A>): Promise<SubmitResult<A>>;
}

function bind(
  parts: DeskParts,
  demand: SessionDemand,
  options: PreviewOptions,
): Promise<Result<AutomationSession | null, Refusal>> {
  if (options.automationSessionId !== undefined) return bindNamed(parts, options.automationSessionId, demand);
  return options.bindOnlyFitting ? bindOnly(parts, demand) : Promise.resolve(ok(null));
}

/** Whether a session could cover the action: only then is the symbol read of a stop that is named by its id alone. */
async function asksSession(
  { env, sessions }: DeskParts,
  { kind }: DeskAction,
  { automationSessionId: id, bindOnlyFitting = false }: PreviewOptions,
): Promise<boolean> {
  const nowMs = env.clock.nowMs();
  const named = id === undefined ? null : await sessions.get(id);
  if (named !== null) return named !== undefined && couldCover(named, kind, nowMs);
  return bindOnlyFitting && (await sessions.list()).some((session) => couldCover(session, kind, nowMs));
}

async function makePreview(
  parts: DeskParts,
  action: DeskAction,
  options: PreviewOptions,
): Promise<Result<Preview, Refusal>> {
  const forbidden = parts.forbidden?.() ?? null;
  if (forbidden !== null) return err(refuse("forbidden", forbidden));
  const readback = await preflight(parts.venue, action);
  if (!readback.ok) return readback;
  const notional = countedNotional(action, readback.value.order);
  if (!notional) return err(refuse("input", "the value of the order cannot be known"));
  const automation = options.consent ? singleConsent(options.consent, businessParams(action)) : ok(null);
  if (!automation.ok) return automation;
  const algo = (await asksSession(parts, action, options)) ? await symbolOfAlgo(parts.venue, action) : ok(null);
  if (!algo.ok && algo.error.kind !== "unreadable") return algo;
  const symbols = algo.ok && algo.value !== null ? [algo.value] : scopeOf(action, readback.value);
  const orderType = action.kind === "order.place" ? action.draft.order.orderType : null;
  // A stop whose symbol cannot be read is nobody's: an ordinary preview, which needs its owner's own approval.
  const session = algo.ok
    ? await bind(parts, { action: action.kind, symbols, orderType, notional }, options)
    : ok(null);
  if (!session.ok) return session;
  const preview = newPreview(parts.env, {
    action,
    runtime: parts.runtime,
    decisionId: options.decisionId ?? null,
    session: session.value,
    sessionNamed: options.automationSessionId !== undefined,
    automation: automation.value,
    orderReadback: readback.value.order,
    positionReadback: readback.value.position,
    countedNotional: notional,
  });
  return keep(parts, preview);
}

async function keep(parts: DeskParts, preview: Preview): Promise<Result<Preview, Refusal>> {
  const { previewId, action, paramsHash, businessParams: params, decisionId, expiresAtMs, runtime } = preview;
  const automationSessionId = preview.automationSession?.automationSessionId ?? null;
  const { clientOrderId } = params;
  const named = typeof clientOrderId === "string" ? { clientOrderId } : {};
  const row = { previewId, action, paramsHash, params, expiresAtMs, runtime, automationSessionId, ...named };
  const written = recorded(parts, previewRow(row), decisionId);
  if (!written.ok) return written;
  await parts.previews.add(preview);
  parts.log.event(levelOf(action), "preview.created", inWords(action, params), {
    previewId,
    automationSessionId,
    decisionId,
  });
  return ok(preview);
}

/** Creates the desk of one runtime from its stores and venue. */
export function createDesk(parts: DeskParts): Desk {
  const sent = new BoundedMap<string, true>(SENT_IDS_CAP);
  return {
    startSession: (input) => startSession(parts, input),
    extendSession: (input) => extendSession(parts, input),
    stopSession: (id) => stopSession(parts, id),
    session: (id) => findSession(parts, id),
    sessions: () => parts.sessions.list(),
    preview: async (action, options = {}) => {
      const made = await makePreview(parts, action, options);
      if (!made.ok) {
        const { kind: reason, message } = made.error;
        parts.log.event(reason === "forbidden" ? "debug" : "warn", "preview.blocked", message, {
          reason,
          action: action.kind,
          decisionId: options.decisionId,
        });
      }
      return made;
    },
    submit: (input) => submit(parts, sent, input),
  };
}
