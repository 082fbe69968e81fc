/** The meaning of a gateway's error status for the budget and for the next attempt. Records §14.3; fault L7. */
import { fieldOf } from "../../core/record.ts";
import { parseInstant, SECOND_MS } from "../../core/time.ts";
import { blamesDialect } from "./dialect.ts";

/**
 * "budget": the gateway reports that the money is spent. "format": it blames the dialect. "model": it does not know
 * or allow the model. "path": nothing is served at this address.
 */
export type ModelRefusalReason = "budget" | "rate-limit" | "key" | "model" | "path" | "redirect" | "format" | "request";

/** An answer with an error status, in either dialect; header names must be lower case. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The member `error` of the body. */
  readonly body: unknown;
  readonly message: string;
}

/** `retryAfterMs` counts from now; null if the service states no wait. */
export interface ModelRefusal {
  /** Null: the request may have been executed and billed (408 and 5xx). */
  readonly why: ModelRefusalReason | null;
  readonly retryAfterMs: number | null;
}

/** `nowMs` is wall time: `retry-after` may be a date. */
export function readRefusal(answer: ErrorAnswer, nowMs: number): ModelRefusal {
  return { why: reasonOf(answer), retryAfterMs: readRetryAfter(answer.headers["retry-after"], nowMs) };
}

const SPENT = /budget|insufficient[_ ](quota|balance|credit)|exceeded your current quota|credit balance/i;
/** Phrases that blame the model's name: unknown, missing, or not for this key. */
const NO_MODEL =
  /model[_ ]not[_ ]found|(invalid|unknown|unsupported) model|no (available |such )?(model|deployment)|model\b.{0,80}(does not exist|not exist|not found|not supported|not available|is unknown|not recogni[sz]ed)|not a valid model|deployment ?not ?found|not (allowed|permitted) to (access|use) (the )?model|does not have access to model/i;

/** The type or the message distinguishes spent money from a rate limit, and a wrong model from a wrong key. */
function reasonOf({ status, body, message }: ErrorAnswer): ModelRefusalReason | null {
  const definite = status >= 300 && status < 500 && status !== 408;
  if (!definite) return null;
  if (status < 400) return "redirect";
  const words = `${wordIn(body, "type")} ${wordIn(body, "code")} ${message}`;
  if (status === 402 || SPENT.test(words)) return "budget";
  if (status === 429) return "rate-limit";
  const way = (status === 400 || status === 404 || status === 422) && blamesDialect(message);
  if (NO_MODEL.test(words) && !(way && !/model[_ ]not[_ ]found/i.test(words))) return "model";
  if (status === 401 || status === 403) return "key";
  if (way) return "format";
  return status === 404 || status === 405 ? "path" : "request";
}

const wordIn = (body: unknown, name: string): string => {
  const value = fieldOf(body, name);
  return typeof value === "string" ? value : "";
};

/** Seconds or an HTTP date; null if absent or unreadable. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * SECOND_MS;
  const atMs = parseInstant(text);
  return atMs === null ? null : Math.max(0, atMs - nowMs);
}
