/** One REST call as received, before any check. */
import { isRecord } from "../../../core/record.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { clientAddress } from "../transport/handlers.ts";
import type { BodyRead, HttpCall } from "../../wire/http-call.ts";
import { parseJson, requestTarget } from "../../wire/http-io.ts";

/** Untrusted: names and values are the client's own. */
export type RawParams = Readonly<Record<string, unknown>>;

/** `path` may be an alias; `address` is the client's, from `clientAddress`. */
export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly address: string;
  /** The last value of a repeated header; "" if absent. */
  header(name: string): string;
  /** Query parameters. The error is for a repeated name: its signature could mean either. */
  readonly query: Result<RawParams, string>;
  /** Body fields; null without a body. The error says why the body cannot be used. */
  readonly body: Result<RawParams | null, string>;
}

/** Never throws: unreadable input becomes an error in `query` or `body`, which is reported once the key is known. */
export function restRequest(call: HttpCall, bodyRead: BodyRead): IncomingRequest {
  const { path, search } = requestTarget(call.target);
  return {
    method: call.method,
    path,
    address: clientAddress(call),
    header: (name) => {
      const value = call.headers[name];
      return (Array.isArray(value) ? value.at(-1) : value) ?? "";
    },
    query: readQuery(search),
    body: readBodyFields(bodyRead),
  };
}

function readQuery(search: URLSearchParams): Result<RawParams, string> {
  const params: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of search) {
    if (Object.hasOwn(params, name)) return err(`parameter ${name.slice(0, 60)} is given twice`);
    params[name] = value;
  }
  return ok(params);
}

function readBodyFields(body: BodyRead): Result<RawParams | null, string> {
  if (!body.ok) return err(body.reason);
  if (body.text.trim() === "") return ok(null);
  const value = parseJson(body.text);
  return isRecord(value) ? ok(value) : err("request body must be a JSON object");
}
