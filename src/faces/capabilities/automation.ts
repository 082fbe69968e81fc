/** Automation sessions: the owner's consent, with caps, replaces the approval of each order. Spec: 3 §2.4, §3.2, §4.7. */
import { z } from "zod";
import { err, ok } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import { type AutomationSession, isActive } from "../../desk/session.ts";
import { failure, refusalFailure } from "../contract/statuses.ts";
import { type Call, capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";

const output = z.looseObject({ automationSessionId: z.string(), status: z.string() });
const sessionId = { automationSessionId: fields.text("From automation start.") };
const consent = {
  explicitUserConsent: fields.flag("True only if the account's owner agreed."),
  acceptedRiskText: fields.text("The owner's own words."),
};
const SEQUEL = "Orders at the venue stay: stopping cancels nothing. Use order cancel-all for that.";

/** The record in the form of the records, with the remaining cap. An expired session is shown as stopped. */
function view({ client }: Call, session: AutomationSession): Readonly<Record<string, unknown>> {
  const { createdAtMs, expiresAtMs, stoppedAtMs, name, lastExtensionAcceptedRiskText, ...rest } = session;
  const nowMs = client.env.clock.nowMs();
  return {
    ...rest,
    status: isActive(session, nowMs) ? "ACTIVE" : "STOPPED",
    remainingNotional: session.maxTotalNotional.sub(session.usedNotional),
    createdAt: isoTime(createdAtMs),
    expiresAt: isoTime(expiresAtMs),
    ...(session.status === "ACTIVE" && nowMs >= expiresAtMs ? { expired: true } : {}),
    ...(name === null ? {} : { name }),
    ...(lastExtensionAcceptedRiskText === null ? {} : { lastExtensionAcceptedRiskText }),
    ...(stoppedAtMs === null ? {} : { stoppedAt: isoTime(stoppedAtMs) }),
  };
}

const consentMissing = (explicit: boolean) =>
  explicit
    ? null
    : failure("BLOCKED", "26000", "CONSENT_REQUIRED: explicitUserConsent must be true; only the owner can give it");

/** Drops undefined members, because the desk's types are exact. */
function given<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** Starting and extending are refused with 26000 unless the owner's consent is explicit; stopping never is. */
export const automation = [
  capability({
    id: "automation.start",
    command: ["automation", "start"],
    summary: "Begin a session: orders within its caps need no separate approval.",
    operationType: "TRADE_WRITE",
    riskLevel: "critical-trade-write",
    inputName: "AutomationStartInput",
    input: z.strictObject({
      symbols: fields.texts("Symbols that may be traded."),
      maxNotionalPerOrder: fields.decimalText("Largest value of one order, USDT."),
      maxTotalNotional: fields.decimalText("Largest value of all orders together, USDT."),
      expiresInSeconds: fields.whole(1, 2_592_000, "Life of the session; default one day.").optional(),
      allowedActions: fields.texts("Allowed writes; default place, replace and cancel.").optional(),
      allowedOrderTypes: fields.texts("LIMIT, MARKET; default both.").optional(),
      name: fields.text("A name for people.").optional(),
      ...consent,
    }),
    outputName: "AutomationSession",
    output,
    requiresExplicitHumanConfirmation: true,
    example: {
      symbols: ["EXCHANGE_A_PERP_BTC_USDT"],
      maxNotionalPerOrder: "100",
      maxTotalNotional: "1000",
      expiresInSeconds: 3600,
      explicitUserConsent: true,
      acceptedRiskText: "I allow automated orders in BTC up to 100 each and 1000 in total.",
    },
    run: async (call, input) => {
      const refused = consentMissing(input.explicitUserConsent);
      if (refused) return err(refused);
      const { expiresInSeconds, allowedActions, allowedOrderTypes, name, ...needed } = input;
      const optional: Partial<{
        expiresInSeconds: number;
        allowedActions: string[];
        allowedOrderTypes: string[];
        name: string;
      }> = given({ expiresInSeconds, allowedActions, allowedOrderTypes, name });
      const started = await call.client.desk.startSession({ ...needed, ...optional });
      return started.ok ? ok(view(call, started.value)) : err(refusalFailure(started.error));
    },
  }),
  capability({
    id: "automation.list",
    command: ["automation", "list"],
    summary: "All sessions, newest first.",
    operationType: "READ",
    riskLevel: "read",
    inputName: "AutomationListInput",
    input: z.strictObject({}),
    outputName: "AutomationSessionList",
    output: z.looseObject({ sessions: z.array(output) }),
    run: async (call) => ok({ sessions: (await call.client.desk.sessions()).map((session) => view(call, session)) }),
  }),
  capability({
    id: "automation.status",
    command: ["automation", "status"],
    summary: "One session with its used and remaining caps.",
    operationType: "READ",
    riskLevel: "read",
    inputName: "AutomationStatusInput",
    input: z.strictObject(sessionId),
    outputName: "AutomationSession",
    output,
    example: { automationSessionId: "ras_…" },
    run: async (call, { automationSessionId }) => {
      const found = await call.client.desk.session(automationSessionId);
      return found.ok ? ok(view(call, found.value)) : err(refusalFailure(found.error));
    },
  }),
  capability({
    id: "automation.extend",
    command: ["automation", "extend"],
    summary: "Move the expiry of an active session.",
    operationType: "TRADE_WRITE",
    riskLevel: "critical-trade-write",
    inputName: "AutomationExtendInput",
    input: z.strictObject({
      ...sessionId,
      expiresInSeconds: fields.whole(1, 2_592_000, "New life from now on."),
      ...consent,
    }),
    outputName: "AutomationSession",
    output,
    requiresExplicitHumanConfirmation: true,
    example: {
      automationSessionId: "ras_…",
      expiresInSeconds: 3600,
      explicitUserConsent: true,
      acceptedRiskText: "One more hour.",
    },
    run: async (call, input) => {
      const refused = consentMissing(input.explicitUserConsent);
      if (refused) return err(refused);
      const extended = await call.client.desk.extendSession(input);
      return extended.ok ? ok(view(call, extended.value)) : err(refusalFailure(extended.error));
    },
  }),
  capability({
    id: "automation.stop",
    command: ["automation", "stop"],
    summary: "End a session. Orders at the venue stay.",
    operationType: "DIAGNOSTIC",
    riskLevel: "write-config",
    inputName: "AutomationStopInput",
    input: z.strictObject(sessionId),
    outputName: "AutomationSession",
    output,
    example: { automationSessionId: "ras_…" },
    run: async (call, { automationSessionId }) => {
      const stopped = await call.client.desk.stopSession(automationSessionId);
      return stopped.ok ? ok({ ...view(call, stopped.value), note: SEQUEL }) : err(refusalFailure(stopped.error));
    },
  }),
];
