/**
 * The automation session: the operator's written consent with its caps. It replaces the approval of each single
 * order, not the preview. Pure rules over a record; `stores.ts` stores the record. Spec: 3 §2.4, §3.2; records §17.6.
 */
import { dec, Decimal, DECIMAL_PATTERN, ZERO } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import { parseSymbol } from "../domain/symbol.ts";
import type { SessionView } from "../risk/view.ts";
import { ACTION_KINDS, type ActionKind } from "./action.ts";
import { refuse, type Refusal } from "./refusal.ts";

/** The record in stores and journal. Notionals are USDT; an expired session still has state ACTIVE, see `isActive`. */
export interface AutomationSession {
  readonly automationSessionId: string;
  readonly status: "ACTIVE" | "STOPPED";
  readonly symbols: readonly string[];
  readonly maxNotionalPerOrder: Decimal;
  readonly maxTotalNotional: Decimal;
  readonly usedNotional: Decimal;
  readonly allowedActions: readonly string[];
  readonly allowedOrderTypes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly acceptedRiskText: string;
  readonly name: string | null;
  readonly lastExtensionAcceptedRiskText: string | null;
  readonly stoppedAtMs: number | null;
}

/** The operator's input, unchecked. Absent lists mean the three order writes and both order types. */
export interface AutomationStartInput {
  readonly symbols: readonly string[];
  /** Decimal texts. */
  readonly maxNotionalPerOrder: string;
  readonly maxTotalNotional: string;
  /** Default 86,400, at most 2,592,000. */
  readonly expiresInSeconds?: number;
  readonly allowedActions?: readonly string[];
  readonly allowedOrderTypes?: readonly string[];
  readonly name?: string;
  readonly explicitUserConsent: boolean;
  readonly acceptedRiskText: string;
}

/** Unchecked; the span counts from now, not from the old expiry. */
export interface AutomationExtendInput {
  readonly automationSessionId: string;
  readonly expiresInSeconds: number;
  readonly explicitUserConsent: boolean;
  readonly acceptedRiskText: string;
}

const LIFE_SECONDS_DEFAULT = 86_400;
const LIFE_SECONDS_MAX = 2_592_000;
const ACTIONS_DEFAULT: readonly string[] = ["order.place", "order.replace", "order.cancel"];
const ACTIONS_KNOWN: ReadonlySet<string> = new Set(ACTION_KINDS);
const OPENING: ReadonlySet<ActionKind> = new Set<ActionKind>(["order.place", "order.replace"]);
/** Whether an action of this kind can open or enlarge a position. */
export const mayOpen = (action: ActionKind): boolean => OPENING.has(action);
const ORDER_TYPES: readonly string[] = ["LIMIT", "MARKET"];

const wrong = (field: string, rule: string): Refusal =>
  refuse("session-input", `${field} must be ${rule}`, { field, rule });

const positive = (text: string): boolean => DECIMAL_PATTERN.test(text) && dec(text).gt(0);
const lifeOk = (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= LIFE_SECONDS_MAX;
const LIFE_RULE = `a whole number from 1 to ${LIFE_SECONDS_MAX}`;

function consentProblem(input: { explicitUserConsent: boolean; acceptedRiskText: string }): Refusal | null {
  if (input.explicitUserConsent !== true)
    return wrong("explicitUserConsent", "true: only the account's owner can give it");
  return input.acceptedRiskText.trim() === "" ? wrong("acceptedRiskText", "the owner's own words") : null;
}

function startProblem(input: AutomationStartInput): Refusal | null {
  const { symbols, allowedActions = [], allowedOrderTypes = [], expiresInSeconds = LIFE_SECONDS_DEFAULT } = input;
  const consent = consentProblem(input);
  if (consent) return consent;
  if (symbols.length === 0) return wrong("symbols", "at least one canonical symbol");
  const badSymbol = symbols.find((symbol) => !parseSymbol(symbol).ok);
  if (badSymbol !== undefined) return wrong("symbols", `canonical symbols; found ${JSON.stringify(badSymbol)}`);
  if (!positive(input.maxNotionalPerOrder)) return wrong("maxNotionalPerOrder", "a positive decimal text");
  if (!positive(input.maxTotalNotional)) return wrong("maxTotalNotional", "a positive decimal text");
  if (!lifeOk(expiresInSeconds)) return wrong("expiresInSeconds", LIFE_RULE);
  const badAction = allowedActions.find((action) => !ACTIONS_KNOWN.has(action));
  if (badAction !== undefined) return wrong("allowedActions", `write capabilities; found ${JSON.stringify(badAction)}`);
  const badType = allowedOrderTypes.find((type) => !ORDER_TYPES.includes(type));
  return badType === undefined ? null : wrong("allowedOrderTypes", `LIMIT or MARKET; found ${JSON.stringify(badType)}`);
}

/** A new session from the operator's input, or the error in it. */
export function newSession(input: AutomationStartInput, id: string, nowMs: number): Result<AutomationSession, Refusal> {
  const problem = startProblem(input);
  if (problem) return err(problem);
  return ok({
    automationSessionId: id,
    status: "ACTIVE",
    symbols: [...new Set(input.symbols)],
    maxNotionalPerOrder: dec(input.maxNotionalPerOrder),
    maxTotalNotional: dec(input.maxTotalNotional),
    usedNotional: ZERO,
    allowedActions: input.allowedActions ?? ACTIONS_DEFAULT,
    allowedOrderTypes: input.allowedOrderTypes ?? ORDER_TYPES,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + (input.expiresInSeconds ?? LIFE_SECONDS_DEFAULT) * 1_000,
    acceptedRiskText: input.acceptedRiskText.trim(),
    name: input.name ?? null,
    lastExtensionAcceptedRiskText: null,
    stoppedAtMs: null,
  });
}

/** Active until stopped or expired; the instant of expiry counts as expired. */
export const isActive = (session: AutomationSession, nowMs: number): boolean =>
  session.status === "ACTIVE" && nowMs < session.expiresAtMs;

function inactive(session: AutomationSession, nowMs: number): Refusal | null {
  if (isActive(session, nowMs)) return null;
  const how = session.status === "STOPPED" ? "was stopped" : "has expired";
  return refuse("session-not-active", `automation session ${session.automationSessionId} ${how}`);
}

/** Sets the expiry to now plus the new span and changes nothing else. Needs a new consent and an active session. */
export function extended(
  session: AutomationSession,
  input: AutomationExtendInput,
  nowMs: number,
): Result<AutomationSession, Refusal> {
  const problem =
    consentProblem(input) ?? (lifeOk(input.expiresInSeconds) ? null : wrong("expiresInSeconds", LIFE_RULE));
  const refusal = problem ?? inactive(session, nowMs);
  if (refusal) return err(refusal);
  const expiresAtMs = nowMs + input.expiresInSeconds * 1_000;
  return ok({ ...session, expiresAtMs, lastExtensionAcceptedRiskText: input.acceptedRiskText.trim() });
}

/** A second stop changes nothing; the time of the first one stays. */
export const stopped = (session: AutomationSession, nowMs: number): AutomationSession =>
  session.status === "STOPPED" ? session : { ...session, status: "STOPPED", stoppedAtMs: nowMs };

/** What an action requires of a session. */
export interface SessionDemand {
  readonly action: ActionKind;
  /** `every`: all symbols of the account. Null if the action concerns none or the symbol is unknown. */
  readonly symbols: readonly string[] | "every" | null;
  /** Null for an action without an order type. */
  readonly orderType: string | null;
  readonly notional: Decimal;
}

function outOfScope(session: AutomationSession, demand: SessionDemand): Refusal | null {
  const { action, symbols, orderType } = demand;
  const say = (what: string): Refusal =>
    refuse("session-scope", `automation session ${session.automationSessionId} does not allow ${what}`);
  if (!session.allowedActions.includes(action)) return say(action);
  if (symbols === "every") return say(`${action} without its symbols named`);
  const beyond = symbols?.find((symbol) => !session.symbols.includes(symbol));
  if (beyond !== undefined) return say(beyond);
  return orderType !== null && !session.allowedOrderTypes.includes(orderType) ? say(`${orderType} orders`) : null;
}

function aboveCaps(
  { maxNotionalPerOrder, maxTotalNotional, usedNotional }: AutomationSession,
  notional: Decimal,
): Refusal | null {
  if (notional.gt(maxNotionalPerOrder)) {
    const details = { found: notional, allowed: maxNotionalPerOrder };
    return refuse(
      "session-cap",
      `order value ${notional.toFixed()} is above the session's ${maxNotionalPerOrder.toFixed()} per order`,
      details,
    );
  }
  const after = usedNotional.add(notional);
  if (after.lte(maxTotalNotional)) return null;
  const details = { found: after, allowed: maxTotalNotional };
  return refuse(
    "session-cap",
    `the session would have used ${after.toFixed()} of ${maxTotalNotional.toFixed()} in total`,
    details,
  );
}

/** Why the session does not cover the demand now; null if it does. */
export const sessionProblem = (session: AutomationSession, demand: SessionDemand, nowMs: number): Refusal | null =>
  inactive(session, nowMs) ?? outOfScope(session, demand) ?? aboveCaps(session, demand.notional);

/** The session with the demand counted, or why it does not fit. The count comes before the wire. */
export function reserved(
  session: AutomationSession,
  demand: SessionDemand,
  nowMs: number,
): Result<AutomationSession, Refusal> {
  const problem = sessionProblem(session, demand, nowMs);
  return problem ? err(problem) : ok({ ...session, usedNotional: session.usedNotional.add(demand.notional) });
}

/** The session without a demand that certainly had no effect. */
export const released = (session: AutomationSession, notional: Decimal): AutomationSession => ({
  ...session,
  usedNotional: Decimal.max(ZERO, session.usedNotional.sub(notional)),
});

/** The session in the form that the limits use. */
export const sessionView = (session: AutomationSession, nowMs: number): SessionView => ({
  id: session.automationSessionId,
  active: isActive(session, nowMs),
  expiresAtMs: session.expiresAtMs,
  symbols: session.symbols,
  allowedActions: session.allowedActions,
  allowedOrderTypes: session.allowedOrderTypes,
  maxNotionalPerOrder: session.maxNotionalPerOrder,
  maxTotalNotional: session.maxTotalNotional,
  usedNotional: session.usedNotional,
});
