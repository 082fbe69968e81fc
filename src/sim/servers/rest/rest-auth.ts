/**
 * Authenticates a call and returns its signed parameters: the checks of a trading call up to its signature, in the
 * documented order, and the header scheme of the feed, which has its own codes. Spec: 1 §5; 2 §5.1; records §1.2.
 */
import { err, ok, type Result } from "../../../core/result.ts";
import { headerPayload, hmacHex, plainParams, sameSignature } from "../../../net/sign.ts";
import { CLOCK_SKEW_MS } from "../../../protocol/limits.ts";
import type { VenueError } from "../../exchange/contract/api.ts";
import { addressAllowed, type ApiKey, type KeyBook } from "../access/key-book.ts";
import type { RawParams, IncomingRequest } from "./rest-request.ts";

/** The signer, after all checks of the key; permissions and rates are checked later. */
export interface Caller {
  readonly key: ApiKey;
  /** The parameters covered by the signature; nothing else of the request is used. */
  readonly params: RawParams;
}

/** Created for each call, with its time. */
export interface AuthRules {
  readonly keys: KeyBook;
  /** The service's visible time. */
  readonly nowMs: number;
  isFrozen(accountId: string): boolean;
}

const refuse = (code: number, message: string): Result<never, VenueError> => err({ code, message });

/** Header present, key known, not frozen, address allowed, nonce in its window, signature valid. */
export function authenticate(request: IncomingRequest, rules: AuthRules): Result<Caller, VenueError> {
  const accessKey = request.header("x-mbx-apikey");
  const nonce = request.header("nonce");
  const signature = request.header("signature");
  if (!accessKey || !nonce || !signature) return refuse(2000, "headers X-MBX-APIKEY, nonce and signature are required");
  const key = rules.keys.find(accessKey);
  if (!key || key.status === "disabled") return refuse(100018, "API key unknown or disabled");
  if (key.status === "frozen" || rules.isFrozen(key.accountId)) return refuse(100041, "API key frozen");
  if (!addressAllowed(key, request.address)) return refuse(2001, `address ${request.address} is not on the allow-list`);
  if (!nonceFits(nonce, rules.nowMs)) return refuse(7000, "nonce must be Unix seconds within 60 s of server time");
  const params = signedParams(request, { key, nonce, signature });
  return params.ok ? ok({ key, params: params.value }) : params;
}

/** Exactly 10 digits, so that a nonce in milliseconds fails visibly as the client's error. */
export const nonceFits = (nonce: string, nowMs: number): boolean =>
  /^\d{10}$/.test(nonce) && Math.abs(Number(nonce) * 1_000 - nowMs) <= CLOCK_SKEW_MS.headerNonce;

interface Signed {
  readonly key: ApiKey;
  readonly nonce: string;
  readonly signature: string;
}

/** GET signs the query, POST and PUT the body, DELETE either: the body is tried first. Records §1.2. */
function signedParams(request: IncomingRequest, signed: Signed): Result<RawParams, VenueError> {
  const { query, body, method } = request;
  if (!query.ok) return refuse(400001, query.error);
  if (method === "GET") return covers(query.value, signed) ? ok(query.value) : mismatch();
  if (!body.ok) return refuse(400001, body.error);
  if (method !== "DELETE") return covers(body.value ?? {}, signed) ? ok(body.value ?? {}) : mismatch();
  if (body.value && covers(body.value, signed)) return ok(body.value);
  return covers(query.value, signed) ? ok(query.value) : mismatch();
}

const mismatch = (): Result<never, VenueError> => refuse(2000, "signature mismatch");

/** Whether the signature covers these parameters, either without empty values, as clients sign, or as sent. */
export function covers(params: RawParams, { key, nonce, signature }: Signed): boolean {
  const plain = plainParams(params);
  if (!plain.ok) return false;
  if (sameSignature(signature, hmacHex(key.secretKey, headerPayload(plain.value, nonce)))) return true;
  const empties = Object.keys(params).filter((name) => params[name] === "");
  if (empties.length === 0) return false;
  const all = new Map(plain.value);
  for (const name of empties) all.set(name, "");
  return sameSignature(signature, hmacHex(key.secretKey, headerPayload(all, nonce)));
}
