/**
 * An endpoint is a value: its name, its section in the documents, its request and its reply. The client calls these
 * values and the simulated service serves them, so both follow the same definition.
 */
import type { z } from "zod";

/** What an API key is allowed to do. A key has a list of these, and "trade" does not include "read". */
export type Permission = "read" | "trade";

/** One REST call of documents 1 and 2, for the client that sends it and the server that answers it. */
export interface Endpoint<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Where the documents describe it, for example "1 §4.2, §8.1; records §5.1". */
  readonly section: string;
  /** Competition rate: at most `requests` in any sliding window of `perMs`, per key. */
  readonly limit: { readonly requests: number; readonly perMs: number };
  readonly permission: Permission;
  /** Envelope code of success: 200000 on trading endpoints, 200 on feeds and rankings. */
  readonly successCode: 200000 | 200;
  /** HTTP status of success; 202 for asynchronous writes. */
  readonly successStatus: 200 | 202;
  /** Other paths that real clients use for the same endpoint. */
  readonly aliases: readonly string[];
  /** The parameters as sent: a strict object with the documents' field names. */
  readonly request: Request;
  /** The `data` part of the envelope; unknown fields are tolerated. */
  readonly reply: Reply;
  /**
   * For a server: turns the spellings of real clients into those of the documents (records §18) before the request
   * schema is applied. Our own client does not need it.
   */
  readonly normalize?: Normalize;
  /** For paged lists: the page size when the caller gives none, and the largest allowed. Records §1.3. */
  readonly paging?: { readonly defaultSize: number; readonly maxSize: number };
}

/** Turns raw parameters into the documents' names and value forms. Never throws and does not change its input. */
export type Normalize = (params: Readonly<Record<string, unknown>>) => Record<string, unknown>;

type Given<Request extends z.ZodType, Reply extends z.ZodType> = Pick<
  Endpoint<Request, Reply>,
  "method" | "path" | "section" | "limit" | "permission" | "request" | "reply"
> &
  Partial<Pick<Endpoint<Request, Reply>, "successCode" | "successStatus" | "aliases" | "normalize" | "paging">>;

/** Fills in what most endpoints share: code 200000, HTTP status 200 and no aliases. */
export function endpoint<Request extends z.ZodType, Reply extends z.ZodType>(
  given: Given<Request, Reply>,
): Endpoint<Request, Reply> {
  return { successCode: 200000, successStatus: 200, aliases: [], ...given };
}
