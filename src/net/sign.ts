/**
 * The service's three signatures as pure functions. Clients create them and the simulated service checks them with
 * the same code. Spec: 1 §5.1 to §5.3, 2 §5; records §1.2.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { err, ok, type Result } from "../core/result.ts";

/** What a REST call carries besides its parameters. */
export interface SignedHeaders {
  readonly "X-MBX-APIKEY": string;
  readonly nonce: string;
  readonly signature: string;
  readonly "Content-Type": "application/json";
}

/** Lower-case hex HMAC-SHA256 of UTF-8 text. */
export const hmacHex = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text, "utf8").digest("hex");

/** Compares hex signatures in constant time, in either letter case. */
export function sameSignature(found: string, expected: string): boolean {
  const a = Buffer.from(found.toLowerCase());
  const b = Buffer.from(expected.toLowerCase());
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The parameters as text, without omitted ones. Refuses input for which one signed text could stand for two requests:
 * `&` or `=` in a name, `&` in a value (fault A6, invariant I35). Also refuses nested values and numbers without a
 * plain decimal form.
 */
export function plainParams(params: Readonly<Record<string, unknown>>): Result<ReadonlyMap<string, string>, string> {
  const plain = new Map<string, string>();
  for (const [name, value] of Object.entries(params)) {
    const text = plainText(value);
    if (text === null) return err(`parameter ${name} is neither text, a plain number nor a boolean`);
    if (text === "") continue;
    if (/[&=]/.test(name)) return err(`parameter name ${JSON.stringify(name)} must not contain & or =`);
    if (text.includes("&")) return err(`parameter ${name} must not contain &, found ${JSON.stringify(text)}`);
    plain.set(name, text);
  }
  return ok(plain);
}

function plainText(value: unknown): string | null {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  const text = String(value);
  return text.includes("e") ? null : text;
}

/** `key=value` pairs in code-unit order of the keys, joined by `&`, not URL-encoded. Records §1.2. */
export function canonicalQuery(params: ReadonlyMap<string, string>): string {
  return [...params.keys()]
    .sort()
    .map((name) => `${name}=${params.get(name) ?? ""}`)
    .join("&");
}

/** The text that the header scheme signs: canonical parameters, `&`, nonce. Spec: 1 §5.2, 2 §5.1. */
export const headerPayload = (params: ReadonlyMap<string, string>, nonce: string): string =>
  `${canonicalQuery(params)}&${nonce}`;

/** Plain-text keys, revealed from a `Secret` only while signing. */
export interface KeyPair {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Headers of the REST scheme. `nonceSeconds` is the service's time in whole seconds. */
export function signHeaders(keys: KeyPair, params: ReadonlyMap<string, string>, nonceSeconds: number): SignedHeaders {
  const nonce = String(nonceSeconds);
  return {
    "X-MBX-APIKEY": keys.accessKey,
    nonce,
    signature: hmacHex(keys.secretKey, headerPayload(params, nonce)),
    "Content-Type": "application/json",
  };
}

/** `yyyy-MM-ddTHH:mm:ss`, UTC: the timestamp of the query scheme. Spec: 2 §5.2. */
export const queryTimestamp = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19);

/** The parameters with `apiKey`, `timestamp` and `sign` added: the older scheme of the feed. Spec: 2 §5.2. */
export function signQuery(
  keys: KeyPair,
  params: ReadonlyMap<string, string>,
  atMs: number,
): ReadonlyMap<string, string> {
  const all = new Map(params);
  all.set("apiKey", keys.accessKey);
  all.set("timestamp", queryTimestamp(atMs));
  return all.set("sign", hmacHex(keys.secretKey, canonicalQuery(all)));
}

/** The WebSocket signature over timestamp, `GET` and `/users/self/verify`. Spec: 1 §5.3. */
export const signSocketLogin = (secretKey: string, timestamp: string): string =>
  hmacHex(secretKey, `${timestamp}GET/users/self/verify`);

/** The parameters as a URL query, each name and value percent-encoded, or "" when there are none. */
export const urlQuery = (params: ReadonlyMap<string, string>): string =>
  params.size === 0
    ? ""
    : `?${[...params].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")}`;
