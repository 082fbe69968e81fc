/**
 * Authenticates news queries: the header scheme or the older query scheme, with the feed's own codes. Spec: 2 §5, §7.1;
 * records §13, §16.
 */
import { err, ok, type Result } from "../../../core/result.ts";
import { parseInstant } from "../../../core/time.ts";
import { canonicalQuery, hmacHex, plainParams, sameSignature } from "../../../net/sign.ts";
import { CLOCK_SKEW_MS } from "../../../protocol/limits.ts";
import type { VenueError } from "../../exchange/contract/api.ts";
import { addressAllowed, KYC_LEVEL_FEED, mayUse, type ApiKey } from "../access/key-book.ts";
import { type AuthRules, type Caller, covers, nonceFits } from "../rest/rest-auth.ts";
import type { RawParams, IncomingRequest } from "../rest/rest-request.ts";

const refuse = (code: number, message: string): Result<never, VenueError> => err({ code, message });
const signatureError = (why: string): Result<never, VenueError> => refuse(1004, `signature error: ${why}`);

/** The caller, by the scheme of the request. */
export function authenticateFeed(request: IncomingRequest, rules: AuthRules): Result<Caller, VenueError> {
  if (!request.query.ok) return refuse(400001, request.query.error);
  const params = request.query.value;
  const claimed = request.header("x-mbx-apikey");
  return claimed ? byHeaders(request, params, rules) : byQuery(request, params, rules);
}

function byHeaders(request: IncomingRequest, params: RawParams, rules: AuthRules): Result<Caller, VenueError> {
  const admitted = admit(request.header("x-mbx-apikey"), request, rules);
  if (!admitted.ok) return admitted;
  const key = admitted.value;
  const nonce = request.header("nonce");
  const signature = request.header("signature");
  if (!nonceFits(nonce, rules.nowMs)) return signatureError("nonce must be Unix seconds within 60 s of server time");
  return covers(params, { key, nonce, signature }) ? ok({ key, params }) : signatureError("mismatch");
}

function byQuery(request: IncomingRequest, all: RawParams, rules: AuthRules): Result<Caller, VenueError> {
  const { apiKey, sign, timestamp, ...params } = all;
  if (typeof apiKey !== "string" || typeof sign !== "string" || typeof timestamp !== "string") {
    return signatureError("neither signed headers nor apiKey, timestamp and sign are given");
  }
  const admitted = admit(apiKey, request, rules);
  if (!admitted.ok) return admitted;
  const saidMs = readTimestamp(timestamp);
  if (saidMs === null || Math.abs(saidMs - rules.nowMs) > CLOCK_SKEW_MS.queryTimestamp) {
    return signatureError("timestamp must be UTC yyyy-MM-ddTHH:mm:ss within 5 minutes of server time");
  }
  const signed = plainParams({ ...params, apiKey, timestamp });
  const expected = signed.ok ? hmacHex(admitted.value.secretKey, canonicalQuery(signed.value)) : "";
  return sameSignature(sign, expected) ? ok({ key: admitted.value, params }) : signatureError("mismatch");
}

/** Checks that the key is known and not disabled, its address allowed, its owner verified, and that it may read. */
function admit(accessKey: string, request: IncomingRequest, rules: AuthRules): Result<ApiKey, VenueError> {
  const key = rules.keys.find(accessKey);
  if (!key || key.status === "disabled") return refuse(1003, "API key does not exist");
  if (!addressAllowed(key, request.address)) return refuse(1007, `address ${request.address} is not on the allowlist`);
  if ((key.kyc ?? KYC_LEVEL_FEED) < KYC_LEVEL_FEED) return refuse(1010, "KYC level insufficient");
  if (key.status === "frozen" || !mayUse(key, "read")) return refuse(2003, "no access permission");
  return ok(key);
}

function readTimestamp(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return null;
  return parseInstant(text);
}
