/**
 * The status words and codes of document 3, created only here: from outcomes of the service, refusals of the desk,
 * and our own findings. Elsewhere the code speaks of refusals and rejections. Spec: 3 §7; records §17.5, §17.10.
 */
import type { Outcome, RefusalReason } from "../../core/outcome.ts";
import type { Refusal, RefusalKind } from "../../desk/refusal.ts";

/** Values of an envelope's `status`; only PASS has `ok: true`. */
export const STATUSES = [
  "PASS",
  "FAIL",
  "BLOCKED",
  "NOT_VERIFIED",
  "EXPECTED_ERROR",
  "INVALID_INPUT",
  "BUSINESS_ERROR",
  "NOT_FOUND",
  "PERMISSION_SCOPE_ERROR",
] as const;
export type Status = (typeof STATUSES)[number];

/** The only keys allowed under `details`. Records §17.3. */
export interface Details {
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
  readonly upstreamMessage?: string;
  readonly hint?: string;
}

/** Why a capability did not pass. `digits` are the five digits of the code; the face adds the prefix. */
export interface Failure {
  readonly status: Exclude<Status, "PASS">;
  readonly digits: string;
  readonly message: string;
  readonly details?: Details;
  /** Partial findings: reports, and the known fate of a write. */
  readonly data?: unknown;
}

/** Prefixes that document 3 §7.2 prints. All other codes have the prefix of the face. */
const PRINTED_PREFIX: Readonly<Record<string, string>> = {
  "01001": "RCORE",
  "01003": "RCORE",
  "01004": "RCORE",
  "00002": "RCORE",
  "22004": "RCORE",
  "23002": "RCORE",
  "23003": "RCORE",
  "20002": "RCLI",
  "22001": "RCLI",
  "30001": "RCLI",
};

/** Determines the prefix of codes; one face cannot submit what the other previewed. */
export type Face = "command-line" | "tool-server";

/** A prefix printed in document 3 §7.2 applies to both faces. */
export const codeOf = (digits: string, face: Face): string =>
  `${PRINTED_PREFIX[digits] ?? (face === "command-line" ? "RCLI" : "RMCP")}${digits}`;

/** `digits` are the five of records §17.10. */
export const failure = (
  status: Failure["status"],
  digits: string,
  message: string,
  more: Pick<Failure, "details" | "data"> = {},
): Failure => ({ status, digits, message, ...more });

/** Always 30001; people see the hint below the message. */
export const invalidInput = (message: string, hint?: string): Failure =>
  failure("INVALID_INPUT", "30001", message, hint === undefined ? {} : { details: { hint } });
/** For refusals by our own rules; the service's refusals come from `readFailure` and `writeFailure`. */
export const blocked = (digits: string, message: string, more: Pick<Failure, "details" | "data"> = {}): Failure =>
  failure("BLOCKED", digits, message, more);

/** The symbol or venue code of a service refusal. Anything else is a business error. */
const REJECTED: Readonly<Record<string, readonly [Failure["status"], string]>> = {
  "401018": ["NOT_FOUND", "22004"],
  "http-404": ["NOT_FOUND", "22004"],
  "2002": ["PERMISSION_SCOPE_ERROR", "01004"],
  "2003": ["PERMISSION_SCOPE_ERROR", "01004"],
  "2000": ["FAIL", "01002"],
  "2001": ["FAIL", "01002"],
  "100018": ["FAIL", "01002"],
  "100041": ["FAIL", "01002"],
};

/** The client corrects the time after such a refusal, but it repeats no write. */
const CLOCK_HINT = "this machine's clock is off, which svc now allows for: preview again, and set the clock by NTP";

function rejected(code: string, text: string, reason?: RefusalReason): Failure {
  const refused = /^http-4/.test(code) ? (["FAIL", "01002"] as const) : (["BUSINESS_ERROR", "22001"] as const);
  const [status, digits] = REJECTED[code] ?? refused;
  const hint = reason === "clock" ? { hint: CLOCK_HINT } : {};
  const details = { upstreamCode: code, upstreamMessage: text, ...hint };
  return failure(status, digits, `upstream business error ${code}: ${text}`, { details });
}

/** The failure of a read. A read risks nothing, so a missing answer is a plain failure. */
export function readFailure(outcome: Exclude<Outcome<unknown>, { kind: "done" }>): Failure {
  switch (outcome.kind) {
    case "rejected":
      return rejected(outcome.code, outcome.message, outcome.reason);
    case "rate-limited":
      return failure("FAIL", "23003", outcome.message, { details: { hint: "wait a little and try again" } });
    case "not-sent":
      return / must be /.test(outcome.message)
        ? invalidInput(outcome.message)
        : failure("FAIL", "23002", outcome.message);
    case "unknown": {
      const status = /^HTTP (\d{3})/.exec(outcome.message)?.[1];
      const answered = status !== undefined && Number(status) >= 200;
      const details = answered ? { details: { upstreamStatus: Number(status) } } : {};
      return failure("FAIL", answered ? "22001" : "23002", outcome.message, details);
    }
  }
}

/**
 * The failure of a write. A write that was sent and not answered may have happened, so it is never called a failure.
 */
export function writeFailure(outcome: Exclude<Outcome<unknown>, { kind: "done" }>): Failure {
  if (outcome.kind !== "unknown") return readFailure(outcome);
  const hint = "the write may have happened: look it up by its id; do not send it again";
  return failure("NOT_VERIFIED", "23002", `no trustworthy answer: ${outcome.message}`, { details: { hint } });
}

/** Word, five digits and, if documented, the reason that starts the message. */
const REFUSED: Readonly<Record<RefusalKind, readonly [Failure["status"], string, string?]>> = {
  forbidden: ["BLOCKED", "21001"],
  input: ["BLOCKED", "00001"],
  "not-reviewed": ["BLOCKED", "00001"],
  "preview-missing": ["BLOCKED", "20002", "PREVIEW_NOT_FOUND"],
  "preview-expired": ["BLOCKED", "20002", "PREVIEW_EXPIRED"],
  "preview-used": ["BLOCKED", "20002", "PREVIEW_USED"],
  "preview-mismatch": ["BLOCKED", "20002", "PREVIEW_MISMATCH"],
  "other-runtime": ["BLOCKED", "20002", "OTHER_RUNTIME"],
  "token-missing": ["BLOCKED", "20002", "CONSENT_MISSING"],
  "token-wrong": ["BLOCKED", "20002", "CONSENT_MISMATCH"],
  "consent-text": ["BLOCKED", "20002", "CONSENT_TEXT"],
  "session-input": ["INVALID_INPUT", "26000"],
  "session-unknown": ["NOT_FOUND", "26002"],
  "session-not-active": ["BLOCKED", "26002", "SESSION_NOT_ACTIVE"],
  "session-ambiguous": ["BLOCKED", "26003", "SESSION_AMBIGUOUS"],
  "session-scope": ["BLOCKED", "26004", "SESSION_SCOPE"],
  "session-cap": ["BLOCKED", "26005", "SESSION_CAP"],
  "above-max-notional": ["BLOCKED", "24001", "MAX_NOTIONAL_EXCEEDED"],
  "duplicate-client-order-id": ["BLOCKED", "24004", "DUPLICATE_CLIENT_ORDER_ID"],
  "order-not-found": ["NOT_FOUND", "22004", "ORDER_NOT_FOUND"],
  "order-not-open": ["BLOCKED", "22005", "ORDER_NOT_OPEN"],
  "no-position": ["BLOCKED", "24003", "NO_POSITION_TO_CLOSE"],
  rechecked: ["BLOCKED", "22005"],
  "wire-limits": ["BLOCKED", "24001"],
  unreadable: ["FAIL", "23002"],
  "not-recorded": ["FAIL", "20003"],
};

/** Maps the desk's refusal to the document's words. */
export function refusalFailure(refusal: Refusal): Failure {
  const { kind, message, details = {} } = refusal;
  const upstream = details["upstreamCode"];
  if (kind === "unreadable" && typeof upstream === "string") return rejected(upstream, message);
  if (kind === "unreadable" && details["outcome"] === "rate-limited") return failure("FAIL", "23003", message);
  const [status, digits, reason] = REFUSED[kind];
  const more = typeof upstream === "string" ? { details: { upstreamCode: upstream } } : {};
  return failure(status, digits, reason ? `${reason}: ${message}` : message, more);
}
