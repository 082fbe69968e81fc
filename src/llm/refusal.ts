/** What an error status of the gateway means for the purse and for the next try. Records §14.3; faults L7. */
import { parseInstant, SECOND_MS } from "../core/time.ts";
import { blamesDialect } from "./dialect.ts";

/** "budget": the gateway says that the money is spent. "format": it does not take this way of asking. */
export type RefusalReason = "budget" | "rate-limit" | "key" | "format" | "request";

/** An answer with an error status, of either dialect; names of headers must be in lower case. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The member `error` of the body. */
  readonly body: unknown;
  readonly message: string;
}

/** `retryAfterMs` counts from now; null where the service names no wait. */
export interface Refusal {
  /** Null: the request may have been carried out and billed (408 and 5xx). */
  readonly why: RefusalReason | null;
  readonly retryAfterMs: number | null;
}

/** `nowMs` is wall time: `retry-after` may be a date. */
export function readRefusal(answer: ErrorAnswer, nowMs: number): Refusal {
  return { why: reasonOf(answer), retryAfterMs: readRetryAfter(answer.headers["retry-after"], nowMs) };
}

/** The type, or the word in the message, tells spent money from a rate limit; the status does not. */
function reasonOf({ status, body, message }: ErrorAnswer): RefusalReason | null {
  const type = String((body as { type?: unknown } | null | undefined)?.type ?? "");
  const definite = status >= 300 && status < 500 && status !== 408;
  if (!definite) return null;
  if (/budget/i.test(type) || /budget/i.test(message)) return "budget";
  if (status === 429) return "rate-limit";
  if (status === 401 || status === 403) return "key";
  return (status === 400 || status === 404 || status === 422) && blamesDialect(message) ? "format" : "request";
}

/** Seconds or an HTTP date; null when there is none or it cannot be read. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * SECOND_MS;
  const atMs = parseInstant(text);
  return atMs === null ? null : Math.max(0, atMs - nowMs);
}
