/**
 * A raw REST client, written from the documents alone (1 §5.1, §5.2; 2 §5): it shares no code with the client under
 * `src/`, so that one misreading cannot hide in both.
 */
import { createHmac } from "node:crypto";
import { type Json, at, parseJson } from "./json.ts";
import type { Transport } from "./transport.ts";

export interface Key {
  readonly accessKey: string;
  readonly secretKey: string;
}

export type Params = Readonly<Record<string, string | number | boolean>>;
export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly body: Json;
  /** Of the envelope, as text; "" when there is none. */
  readonly code: string;
  readonly message: string;
  readonly data: Json;
}

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: Params;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message, "utf8").digest("hex");

/** Parameters sorted by key, joined as `key=value` with `&`, raw. */
export const sorted = (params: Params): string =>
  Object.keys(params)
    .sort()
    .map((name) => `${name}=${String(params[name])}`)
    .join("&");

/** 1 §5.2: the parameters, `&`, the nonce; with no parameters `&` and the nonce. */
export const signature = (secret: string, params: Params, nonce: string): string =>
  hmac(secret, `${sorted(params)}&${nonce}`);

export const signedHeaders = (key: Key, params: Params, nonce: string): Record<string, string> => ({
  "X-MBX-APIKEY": key.accessKey,
  nonce,
  signature: signature(key.secretKey, params, nonce),
  "Content-Type": "application/json",
});

export async function send(transport: Transport, baseUrl: string, call: Call): Promise<Reply> {
  const search = new URLSearchParams(
    Object.entries(call.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const reply = await transport.http(`${baseUrl}${call.path}${search ? `?${search}` : ""}`, {
    method: call.method,
    headers: { ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
  });
  const { status, text } = reply;
  const body = parseJson(text);
  const code = at(body, "code");
  const message = at(body, "message");
  return {
    status,
    contentType: reply.header("content-type") ?? "",
    text,
    body,
    code: code === null ? "" : String(code),
    message: typeof message === "string" ? message : "",
    data: at(body, "data"),
  };
}

/** GET and DELETE take query parameters, POST and PUT a JSON body (1 §4). */
export function signedCall(method: Method, path: string, params: Params, auth: { key: Key; nonce: string }): Call {
  const headers = signedHeaders(auth.key, params, auth.nonce);
  return method === "POST" || method === "PUT"
    ? { method, path, body: JSON.stringify(params), headers }
    : { method, path, query: params, headers };
}
