/**
 * The preview: a description of an action, bound by a hash to its parameters, by a token to one submit, and by name
 * to the runtime that made it; valid for five minutes. Creating one writes nothing at the venue. Spec: 3 §2.2, §3.1;
 * records §17.5.
 */
import { type Decimal, toWire } from "../core/decimal.ts";
import type { Env } from "../core/ids.ts";
import { hashOf } from "../core/hash.ts";
import type { Order } from "../domain/order.ts";
import type { Position } from "../domain/position.ts";
import { type ActionKind, type BusinessParams, businessParams, type DeskAction } from "./action.ts";
import { placedValue } from "./preflight.ts";
import type { AutomationSession } from "./session.ts";
import type { SingleConsent } from "./single-consent.ts";

/** The session at the time of the preview, for display: a submit checks and charges the current record. */
export interface SessionBinding {
  readonly automationSessionId: string;
  readonly confirmationMode: "automation-session";
  readonly expiresAtMs: number;
  readonly maxNotionalPerOrder: Decimal;
  readonly maxTotalNotional: Decimal;
  /** At the time of the preview. */
  readonly usedNotional: Decimal;
}

/** Times are our wall clock, ms. A store sets `submitted`; everything else is immutable. */
export interface Preview {
  readonly previewId: string;
  /** `order.place-preview` for placements, otherwise the target's own id. */
  readonly capabilityId: string;
  readonly action: ActionKind;
  readonly paramsHash: string;
  readonly businessParams: BusinessParams;
  readonly requestSummary: Readonly<Record<string, string | number | boolean>>;
  readonly riskNotes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly submitted: boolean;
  readonly status: "PASS";
  readonly confirmation: {
    readonly submitToken: string;
    readonly requiredFields: readonly ["previewId", "continueConsentId"];
    readonly instruction: string;
  };
  readonly runtime: string;
  readonly decisionId: string | null;
  readonly automationSession: SessionBinding | null;
  readonly automation: SingleConsent | null;
  readonly orderReadback: Order | null;
  readonly positionReadback: Position | null;
  /** What a submit counts against the session, USDT. */
  readonly countedNotional: Decimal;
}

/** Lifetime of a preview; a later submit is refused as "preview-expired". */
export const PREVIEW_LIFE_MS = 300_000;

const SUMMARY_ACTION: Readonly<Record<ActionKind, string>> = {
  "order.place": "place_order",
  "order.replace": "order_replace",
  "order.cancel": "order_cancel",
  "order.cancel-all": "order_cancel-all",
  "position.close": "close_position",
  "position.close-all": "position.close-all",
  "position.set-leverage": "set_leverage",
  "portfolio.set-position-mode": "set_position_mode",
  "algo.place": "algo_place",
  "algo.replace": "algo_replace",
  "algo.cancel": "algo_cancel",
};

const without = (record: Preview["requestSummary"], name: string): Preview["requestSummary"] =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

function summary(action: DeskAction, params: BusinessParams): Preview["requestSummary"] {
  const named = { action: SUMMARY_ACTION[action.kind], ...params };
  if (action.kind === "position.close") {
    return { ...named, orderType: "MARKET", closeSide: "determined_by_current_position" };
  }
  if (action.kind !== "order.place") return named;
  const value = placedValue(action);
  // A price given for a MARKET order stays among the parameters, but it is no part of the order.
  const shown = action.draft.order.limitPrice ? named : without(named, "price");
  return value ? { ...shown, estimatedNotional: toWire(value) } : shown;
}

function riskNotes(action: DeskAction, bound: boolean, sessionNamed: boolean): string[] {
  const notes: string[] = [];
  if ("maxNotional" in action && action.maxNotional) notes.push("maxNotional is a ceiling, not the size of the order.");
  if (action.kind === "order.place" && action.draft.order.orderType === "MARKET") {
    notes.push("A market order fills at the prices it finds; the value is an estimate.");
  }
  if (action.kind === "position.close" || action.kind === "position.close-all") {
    notes.push("A close takes the side and quantity of the position as it is when the venue receives it.");
  }
  if (bound) notes.push("The automation session approves this order; its caps are checked again at submit.");
  else if (sessionNamed)
    notes.push("The named automation session does not cover this action: an ordinary preview, bound to no session.");
  return notes;
}

const bindingOf = (session: AutomationSession): SessionBinding => ({
  automationSessionId: session.automationSessionId,
  confirmationMode: "automation-session",
  expiresAtMs: session.expiresAtMs,
  maxNotionalPerOrder: session.maxNotionalPerOrder,
  maxTotalNotional: session.maxTotalNotional,
  usedNotional: session.usedNotional,
});

/** The parts of a preview, already checked by the desk. */
export interface PreviewParts {
  readonly action: DeskAction;
  readonly runtime: string;
  readonly decisionId: string | null;
  readonly session: AutomationSession | null;
  /** The caller named a session; it may be bound to none even so. */
  readonly sessionNamed: boolean;
  readonly automation: SingleConsent | null;
  readonly orderReadback: Order | null;
  readonly positionReadback: Position | null;
  readonly countedNotional: Decimal;
}

/** A new preview, not yet stored. */
export function newPreview(env: Env, parts: PreviewParts): Preview {
  const { action, session, runtime, decisionId, automation, orderReadback, positionReadback, countedNotional } = parts;
  const previewId = env.ids.next("rpv").replace("-", "_");
  const params = businessParams(action);
  const createdAtMs = env.clock.nowMs();
  return {
    previewId,
    capabilityId: action.kind === "order.place" ? "order.place-preview" : action.kind,
    action: action.kind,
    paramsHash: hashOf(params),
    businessParams: params,
    requestSummary: summary(action, params),
    riskNotes: riskNotes(action, session !== null, parts.sessionNamed),
    createdAtMs,
    expiresAtMs: createdAtMs + PREVIEW_LIFE_MS,
    submitted: false,
    status: "PASS",
    confirmation: {
      submitToken: `confirm_${previewId}`,
      requiredFields: ["previewId", "continueConsentId"],
      instruction: "Submit the same parameters with previewId and, as continueConsentId, the submit token.",
    },
    runtime,
    decisionId,
    automationSession: session && bindingOf(session),
    automation,
    orderReadback,
    positionReadback,
    countedNotional,
  };
}
