/**
 * Every code that the documents and the records name, and what it proves. Only the definite refusals below prove that
 * nothing happened: an unknown code proves nothing.
 */

import type { RefusalReason, Rejected } from "../core/outcome.ts";

export interface CodeFact {
  readonly meaning: string;
  readonly section: string;
}

/** REST of the trading service. Spec: 1 §7.1; records §2. */
export const REST_CODES: Readonly<Record<string, CodeFact>> = {
  "200000": { meaning: "success", section: "1 §7.1" },
  "200": { meaning: "success on ranking and feed endpoints", section: "2 §7.1; records §2" },
  "429": { meaning: "too many requests", section: "records §2" },
  "2000": { meaning: "signature mismatch, or required headers missing", section: "records §2" },
  "2001": { meaning: "source address not on the key's allow-list", section: "records §2" },
  "2002": { meaning: "invalid API authorization", section: "1 §7.1" },
  "2003": { meaning: "no access permission", section: "records §2" },
  "7000": { meaning: "nonce more than 60 s from server time", section: "records §2" },
  "40000": { meaning: "internal system error", section: "records §2" },
  "50001": { meaning: "service temporarily unavailable", section: "records §2" },
  "100018": { meaning: "API key unknown or disabled", section: "records §2" },
  "100041": { meaning: "API key frozen", section: "records §2" },
  "400000": { meaning: "generic failure", section: "records §2" },
  "400001": { meaning: "invalid parameter", section: "records §2" },
  "400009": { meaning: "malformed symbol", section: "records §2" },
  "401011": { meaning: "symbol not supported", section: "records §2" },
  "401015": { meaning: "price or quantity breaks precision or step", section: "records §2" },
  "401017": { meaning: "notional below the symbol's minimum", section: "records §2" },
  "401018": { meaning: "order not found", section: "1 §7.1" },
  "401023": { meaning: "insufficient margin", section: "records §2" },
  "401058": { meaning: "order already in a terminal state", section: "records §2" },
  "401097": { meaning: "position quantity is 0", section: "1 §7.1" },
  "401117": { meaning: "order already completed", section: "1 §7.1" },
  "406010": { meaning: "duplicate clientOrderId", section: "records §2" },
  "406012": { meaning: "position mode switch blocked by open positions or orders", section: "1 §7.1" },
  "30015": { meaning: "ranking: phase value not valid", section: "records §2" },
  "30016": { meaning: "ranking: no data yet for this key", section: "records §2" },
  "1100004": { meaning: "track B ranking: no data", section: "records §2" },
  "1100005": { meaning: "track B ranking: participant not bound to this key", section: "records §2" },
};

/** REST of the feed service. Spec: 2 §7.1; records §2. */
export const FEED_CODES: Readonly<Record<string, CodeFact>> = {
  "200": { meaning: "success", section: "2 §7.1" },
  "1003": { meaning: "API key does not exist", section: "2 §7.1" },
  "1004": { meaning: "signature error", section: "2 §7.1" },
  "1007": { meaning: "IP not on allowlist", section: "2 §7.1" },
  "1010": { meaning: "KYC level insufficient", section: "2 §7.1" },
  "2003": { meaning: "no access permission", section: "2 §7.1" },
  "30012": { meaning: "pageSize above the maximum of 30", section: "records §2" },
};

/** Market-data WebSocket. Spec: 1 §7.2. */
export const MARKET_WS_CODES: Readonly<Record<string, CodeFact>> = {
  "200000": { meaning: "success", section: "1 §7.2" },
  "0": { meaning: "success", section: "1 §7.2" },
  "11100": { meaning: "invalid symbol", section: "1 §7.2" },
  "11101": { meaning: "invalid channel", section: "1 §7.2" },
  "11102": { meaning: "invalid parameter", section: "1 §7.2" },
  "11103": { meaning: "invalid request", section: "1 §7.2" },
  "11106": { meaning: "invalid access key", section: "1 §7.2" },
  "11107": { meaning: "invalid signature", section: "1 §7.2" },
  "11108": { meaning: "invalid timestamp", section: "1 §7.2" },
  "11109": { meaning: "permission denied", section: "1 §7.2" },
  "11112": { meaning: "not subscribed", section: "1 §7.2" },
  "11200": { meaning: "too many connections per IP", section: "1 §7.2" },
  "11210": { meaning: "unauthenticated symbol limit (5) exceeded", section: "1 §7.2" },
  "11220": { meaning: "authenticated symbol limit (50) exceeded", section: "1 §7.2" },
  "11230": { meaning: "connection not authenticated", section: "1 §7.2" },
  "11240": { meaning: "subscribe rate limit exceeded", section: "1 §7.2" },
  "11250": { meaning: "symbol not currently supported", section: "1 §7.2" },
  "11260": { meaning: "request rate limit exceeded", section: "1 §7.2" },
};

/** User-data WebSocket; action replies carry the REST codes besides. Spec: 1 §7.3; records §11. */
export const USER_WS_CODES: Readonly<Record<string, CodeFact>> = {
  "0": { meaning: "login success", section: "1 §7.3" },
  "200000": { meaning: "action accepted", section: "records §11.2" },
  "601009": { meaning: "login failed", section: "1 §7.3" },
  "601016": { meaning: "timestamp not in 10-digit seconds", section: "1 §7.3" },
  "60009": { meaning: "login failed, older form", section: "records §11.1" },
};

/** Feed WebSocket. Spec: 2 §6.1, §7.2. */
export const FEED_WS_CODES: Readonly<Record<string, CodeFact>> = {
  "0": { meaning: "success", section: "2 §6.1" },
  "500": { meaning: "unexpected server error; the socket stays open [guess]", section: "2 §7.2" },
};

/** Codes that leave open whether something happened: the service failed while it worked on the request. */
const UNCERTAIN = new Set(["40000", "50001", "400000", "500"]);
const SUCCESS = new Set(["200000", "200", "0"]);
/** Rate-limit codes: nothing happened, and the same request may succeed later. */
const RATE_LIMITED = new Set(["429", "11240", "11260"]);

const ALL_CODES = { ...REST_CODES, ...FEED_CODES, ...MARKET_WS_CODES, ...USER_WS_CODES };

/** The service refused the request: nothing happened, and sending it again changes nothing. */
export const isDefiniteRefusal = (code: string): boolean =>
  Object.hasOwn(ALL_CODES, code) && !UNCERTAIN.has(code) && !SUCCESS.has(code) && !RATE_LIMITED.has(code);

/** Too many requests: nothing happened, and the same request may succeed later. */
export const isRateLimitCode = (code: string): boolean => RATE_LIMITED.has(code);

/** What a refusal means. The agent does not distinguish codes that are not listed here. */
const REASONS: Readonly<Record<string, RefusalReason>> = {
  "401018": "not-found",
  "http-404": "not-served",
  "401058": "already-ended",
  "401117": "already-ended",
  "401097": "nothing-to-close",
  "406010": "duplicate-id",
  "400001": "stale-rules",
  "400009": "stale-rules",
  "401011": "stale-rules",
  "401015": "stale-rules",
  "401017": "stale-rules",
  "401023": "stale-rules",
  "2000": "unauthorized",
  "2001": "unauthorized",
  "2002": "unauthorized",
  "2003": "unauthorized",
  "100018": "unauthorized",
  "100041": "unauthorized",
  "1003": "unauthorized",
  "1004": "unauthorized",
  "1007": "unauthorized",
  "1010": "unauthorized",
  "7000": "clock",
  "11108": "clock",
  "601016": "clock",
};

export const reasonOf = (code: string): RefusalReason =>
  (Object.hasOwn(REASONS, code) ? REASONS[code] : null) ?? "other";

/** A definite refusal; a code without a text of its own gets the text of the documents. */
export const rejected = (code: string, message: string): Rejected => ({
  kind: "rejected",
  reason: reasonOf(code),
  code,
  message: message || describeCode(code),
});

/** The documents' text for a code, used where a reply has none; "unknown code" for any other. */
export const describeCode = (code: string): string =>
  Object.hasOwn(ALL_CODES, code) ? (ALL_CODES[code]?.meaning ?? "unknown code") : "unknown code";

/** What an HTTP status proves before the body is read; "uncertain" means that the request may have been carried out. */
export type HttpVerdict = "read-body" | "rate-limited" | "refused" | "uncertain";

/**
 * What an HTTP status alone proves (records §1.1). Business errors come with status 200; 429 and 404 are sent before
 * any work is done; other 4xx are refusals of the request; after 5xx and anything else the outcome is unknown.
 */
export function httpVerdict(status: number): HttpVerdict {
  if (status >= 200 && status < 300) return "read-body";
  if (status === 429) return "rate-limited";
  if (status === 408) return "uncertain";
  return status >= 400 && status < 500 ? "refused" : "uncertain";
}
