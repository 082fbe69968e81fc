/**
 * Submit: the one way to the wire. A preview is honoured once, in its runtime, with its parameters and token, under its
 * session; the session is charged and the write journalled before it leaves; and the state is looked at again in the
 * instant before. Nothing is ever sent twice. Spec: 3 §3.1; records §17.5, §17.6.
 */
import { BoundedMap } from "../core/bounded.ts";
import { hashOf } from "../core/hash.ts";
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import { err, ok, type Result } from "../core/result.ts";
import { businessParams, type DeskAction, newClientOrderId, type ReplaceAction } from "./action.ts";
import { charge, refund } from "./charge.ts";
import { type DeskParts, recorded } from "./context.ts";
import { isApproved } from "../risk/review.ts";
import { overtaken, symbolOf } from "./preflight.ts";
import type { Preview } from "./preview.ts";
import { expired, findUsable } from "./preview-use.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { type AutomationSession, isActive, mayOpen } from "./session.ts";
import { note, report } from "./report-outcome.ts";
import { inWords, levelOf } from "./outcome-words.ts";
import { cameToNothing, type ReplyOf, send, type Wire } from "./wire.ts";
import { wireProblem } from "./wire-limits.ts";
import { wireOutRow } from "../rows/wire-out.ts";
import type { Seen } from "../rows/seen.ts";

/** A preview's keys, the same action, and the caller's hooks before the wire. */
export interface SubmitInput<A extends DeskAction> {
  readonly previewId: string;
  /** The preview's submit token. */
  readonly continueConsentId: string;
  /** The same parameters; they must hash to the preview's hash. */
  readonly action: A;
  /** Optional; if given it must match the preview's. */
  readonly automationSessionId?: string;
  /** Called directly before the wire, after all rows are durable: a reason to drop the write, or null. */
  readonly recheck?: () => string | null;
  /** The facts that the write relies on at this moment (ages, settings, counted amounts), for the wire-out row. */
  readonly seen?: () => Seen | null;
  /** Called when everything but the final check has passed, for the caller's own rows. A throw drops the write. */
  readonly beforeWire?: (wire: Wire) => void;
}

/** Only `sent` can have reached the venue. */
export type SubmitResult<A extends DeskAction = DeskAction> =
  /** Nothing was sent, and nothing is charged. */
  | { readonly kind: "blocked"; readonly refusal: Refusal }
  /** The write went to the venue client; `outcome` is at best an acceptance, and a read-back shows the rest. */
  | { readonly kind: "sent"; readonly wire: Wire; readonly outcome: Outcome<ReplyOf<A>> };

/** The client order ids sent through this desk. */
export type SentIds = BoundedMap<string, true>;
/** Ids that one desk remembers; `wasSent` covers older ones. */
export const SENT_IDS_CAP = 20_000;

function mismatch(preview: Preview, { action, automationSessionId }: SubmitInput<DeskAction>): Refusal | null {
  if (preview.paramsHash !== hashOf(businessParams(action))) {
    return refuse("preview-mismatch", "the parameters differ from the preview's; preview again");
  }
  const bound = preview.automationSession?.automationSessionId;
  if (automationSessionId === undefined || automationSessionId === bound) return null;
  // The preview was an ordinary one although it named the session; so is the submit.
  if (bound === undefined && !mayOpen(action.kind)) return null;
  return refuse("preview-mismatch", `the preview is bound to ${bound ?? "no session"}`);
}

/** An amendment by the agent must equal the reviewed draft exactly. */
function isReviewed({ draft, price, qty }: ReplaceAction): boolean {
  if (!draft || !isApproved(draft)) return false;
  const { order } = draft;
  return qty !== null && order.qty.eq(qty) && price !== null && order.limitPrice?.eq(price) === true;
}

function unsendable(parts: DeskParts, sent: SentIds, action: DeskAction): Refusal | null {
  if (action.kind === "order.place" && !isApproved(action.draft)) {
    return refuse("not-reviewed", "the draft is not the one that a review approved");
  }
  if (action.kind === "order.replace" && parts.wireFacts && !isReviewed(action)) {
    return refuse("not-reviewed", "the changed order is not the one that a review approved");
  }
  const id = newClientOrderId(action);
  if (id === null || !(sent.has(id) || parts.wasSent?.(id))) return null;
  return refuse("duplicate-client-order-id", `an order with client order id ${id} was already sent`);
}

async function checked(
  parts: DeskParts,
  sent: SentIds,
  input: SubmitInput<DeskAction>,
): Promise<Result<Preview, Refusal>> {
  const forbidden = parts.forbidden?.() ?? null;
  if (forbidden !== null) return err(refuse("forbidden", forbidden));
  const found = findUsable(await parts.previews.get(input.previewId), {
    previewId: input.previewId,
    token: input.continueConsentId,
    runtime: parts.runtime,
    action: input.action.kind,
    nowMs: parts.env.clock.nowMs(),
  });
  if (!found.ok) return found;
  const preview = found.value;
  const problem = mismatch(preview, input) ?? unsendable(parts, sent, input.action);
  if (problem) return err(problem);
  const changed = await overtaken(parts.venue, input.action, preview.orderReadback);
  return changed ? err(changed) : ok(preview);
}

const wireOf = (parts: DeskParts, preview: Preview, action: DeskAction): Wire => ({
  previewId: preview.previewId,
  action: action.kind,
  params: preview.businessParams,
  paramsHash: preview.paramsHash,
  runtime: parts.runtime,
  clientOrderId: newClientOrderId(action),
  decisionId: preview.decisionId,
  automationSessionId: preview.automationSession?.automationSessionId ?? null,
});

function announce(parts: DeskParts, wire: Wire, input: SubmitInput<DeskAction>): Result<void, Refusal> {
  const written = recorded(parts, wireOutRow({ ...wire, seen: input.seen?.() ?? null }), wire.decisionId);
  if (!written.ok) return written;
  try {
    input.beforeWire?.(wire);
    return ok(undefined);
  } catch (error) {
    return err(
      refuse("not-recorded", `the caller's own row failed: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
}

/** The current session, after waits that may have taken seconds; undefined for a preview without a session. */
async function sessionNow(parts: DeskParts, preview: Preview): Promise<AutomationSession | undefined> {
  const sessionId = preview.automationSession?.automationSessionId;
  return sessionId === undefined ? undefined : parts.sessions.get(sessionId);
}

/** The final check. No promise is awaited between this and the venue call. */
function lastLook(
  parts: DeskParts,
  preview: Preview,
  session: AutomationSession | undefined,
  input: SubmitInput<DeskAction>,
): Refusal | null {
  const late = expired(preview, parts.env.clock.nowMs());
  if (late) return late;
  const bound = preview.automationSession?.automationSessionId;
  if (bound !== undefined && !(session && isActive(session, parts.env.clock.nowMs()))) {
    return refuse("session-not-active", `automation session ${bound} has ended`);
  }
  const reason = input.recheck?.() ?? null;
  return reason === null ? wireRefusal(parts, preview, input.action) : refuse("rechecked", reason);
}

function wireRefusal(parts: DeskParts, preview: Preview, action: DeskAction): Refusal | null {
  const symbol = symbolOf(action, { order: preview.orderReadback, position: preview.positionReadback });
  if (!parts.wireFacts || symbol === null) return null;
  const problem = wireProblem(action, preview.orderReadback, parts.wireFacts(symbol));
  return problem === null ? null : refuse("wire-limits", problem);
}

function block(
  parts: DeskParts,
  input: SubmitInput<DeskAction>,
  refusal: Refusal,
): { kind: "blocked"; refusal: Refusal } {
  const words = inWords(input.action.kind, businessParams(input.action));
  const evt = refusal.kind === "rechecked" ? "order.dropped" : "preview.blocked";
  parts.log.event(refusal.kind === "forbidden" ? "debug" : "warn", evt, `${words}: ${refusal.message}`, {
    reason: refusal.kind,
    previewId: input.previewId,
    action: input.action.kind,
  });
  return { kind: "blocked", refusal };
}

async function transmit<A extends DeskAction>(
  parts: DeskParts,
  wire: Wire,
  input: SubmitInput<A>,
): Promise<Outcome<ReplyOf<A>>> {
  const { previewId, clientOrderId, decisionId } = wire;
  parts.log.event(levelOf(wire.action), "order.submitted", inWords(wire.action, wire.params), {
    previewId,
    clientOrderId,
    decisionId,
  });
  const seen = input.seen?.() ?? null;
  const outcome = await send(parts.venue, input.action);
  const reply = outcome.kind === "done" ? outcome.value : null;
  note(parts, wire, { outcome: outcome.kind, message: describeOutcome(outcome), reply: reply ?? null, seen });
  report(parts, wire, outcome);
  return outcome;
}

/**
 * A stop only reduces. One whose reply never came is asked for again under its own id, which a venue that has the first one
 * refuses. An order that could open leaves once, even if its fate is unknown. Invariant I2.
 */
const mayComeAgain = (action: DeskAction, { kind }: Outcome<unknown>): boolean =>
  action.kind === "algo.place" && action.order.reduceOnly && kind === "unknown";

/**
 * The caller that keeps the sent ids forgets one that the service refused, so that its next preview and submit agree. A
 * refusal as duplicate tells of an order with this id, and one that no service gave tells nothing. Invariant I2.
 */
const isForgotten = (parts: DeskParts, outcome: Outcome<unknown>): boolean =>
  parts.wasSent !== undefined &&
  outcome.kind === "rejected" &&
  outcome.reason !== "duplicate-id" &&
  outcome.reason !== "not-served";

/** Carries out a preview. See `SubmitResult`. Never throws because of outside input. */
export async function submit<A extends DeskAction>(
  parts: DeskParts,
  sent: SentIds,
  input: SubmitInput<A>,
): Promise<SubmitResult<A>> {
  const found = await checked(parts, sent, input);
  if (!found.ok) return block(parts, input, found.error);
  const preview = found.value;
  const charged = await charge(parts, preview, input.action);
  if (!charged.ok) return block(parts, input, charged.error);
  const drop = async (refusal: Refusal): Promise<SubmitResult<A>> => {
    await refund(parts, charged.value);
    return block(parts, input, refusal);
  };
  if (!(await parts.previews.take(preview.previewId))) {
    return drop(refuse("preview-used", `preview ${preview.previewId} was already submitted`));
  }
  // Check before the row as well, so that no row promises a write that cannot be sent.
  const early = lastLook(parts, preview, await sessionNow(parts, preview), input);
  if (early) return drop(early);
  const wire = wireOf(parts, preview, input.action);
  const announced = announce(parts, wire, input);
  if (!announced.ok) return drop(announced.error);
  const session = await sessionNow(parts, preview);
  const refusal = unsendable(parts, sent, input.action) ?? lastLook(parts, preview, session, input);
  if (refusal) {
    note(parts, wire, { outcome: "not-sent", message: refusal.message });
    return drop(refusal);
  }
  if (wire.clientOrderId !== null) sent.set(wire.clientOrderId, true);
  const outcome = await transmit(parts, wire, input);
  const isFree = mayComeAgain(input.action, outcome) || isForgotten(parts, outcome);
  if (wire.clientOrderId !== null && isFree) sent.delete(wire.clientOrderId);
  if (cameToNothing(outcome)) await refund(parts, charged.value);
  return { kind: "sent", wire, outcome };
}
