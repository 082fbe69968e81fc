/**
 * One limited and signed REST call: waits for a slot, signs at the moment of sending, sends once. Interprets the HTTP
 * answers that mean "too many requests"; envelopes, endpoints and retries belong to the callers.
 */
import type { Clock } from "../core/clock.ts";
import { parseInstant } from "../core/time.ts";
import type { HttpOutcome } from "./http.ts";
import { type NetEnv, networkOf } from "./network.ts";
import type { Priority, RateLimit, RateLimiter, Tightened } from "./rate-limit.ts";
import { plainParams, urlQuery } from "./sign.ts";

/** One call before limits and signature; its window is identified by method and path. */
export interface RestRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Flat. Query parameters for GET and DELETE, a JSON body for POST and PUT (1 §4). */
  readonly params: Readonly<Record<string, unknown>>;
  readonly limit: RateLimit;
  readonly priority: Priority;
  /** How long it may wait for its slot, in milliseconds of the clock. */
  readonly patienceMs: number;
  /** Real milliseconds for the exchange. */
  readonly timeoutMs?: number;
}

/** When the request left and when its answer was complete, on the monotonic clock. */
export interface Timing {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** "rate-limited": our own limiter or HTTP 429; nothing was executed. `retryAtMs` is wall time. */
export type RestOutcome =
  | (HttpOutcome & { readonly kind: "done" } & Timing)
  | Exclude<HttpOutcome, { kind: "done" }>
  | { readonly kind: "rate-limited"; readonly retryAtMs: number; readonly message: string };

/** What the signature adds: headers, and changed parameters where the scheme needs them. */
export type Sign = (params: ReadonlyMap<string, string>) => {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: ReadonlyMap<string, string>;
};

/** One host and one signature; all requests share one limiter. */
export interface Rest {
  /** Never throws and never sends twice. HTTP 429 returns "rate-limited" and pauses the endpoint. */
  send(request: RestRequest): Promise<RestOutcome>;
  close(): Promise<void>;
}

/** `sign` is called when a request leaves, so that its timestamp is current however long it has waited. */
export interface RestOptions {
  readonly env: NetEnv;
  readonly baseUrl: string;
  readonly limiter: RateLimiter;
  readonly sign: Sign;
}

/** Pause after a 429 without a Retry-After: the endpoint's window, but at most this. */
export const HASTE_PAUSE_MS = 5_000;

/** Describes the learned spacing, for the log line of the refusal. */
export const tightenedText = (tightened: Tightened | null): string =>
  tightened ? `; from now on one in ${(tightened.spacingMs / 1_000).toFixed(1)} s` : "";

/**
 * A refused write slows later writes down. A refused read only waits as long as the service asked: positions must be
 * known again within seconds of the service's return. Invariant I26.
 */
export function takeRefusal(
  limiter: RateLimiter,
  method: string,
  { key, retryAtMs }: { readonly key: string; readonly retryAtMs: number },
): Tightened | null {
  if (method !== "GET") return limiter.refused(key, retryAtMs);
  limiter.pause(key, retryAtMs);
  return null;
}

/** Writes use a new connection and do not wait behind reads; HTTP 429 is reported to the limiter. */
export function createRest(options: RestOptions): Rest {
  const { env, limiter, sign } = options;
  const { clock } = env;
  const network = networkOf(env);
  const http = network.http(clock, { baseUrl: options.baseUrl });
  const gate = network.gate();

  const limited = (key: string, request: RestRequest, headers: Readonly<Record<string, string>>): RestOutcome => {
    const ownMs = Math.min(request.limit.perMs, HASTE_PAUSE_MS);
    const retryAtMs = clock.nowMs() + Math.max(retryAfterMs(headers, clock), ownMs);
    const learned = tightenedText(takeRefusal(limiter, request.method, { key, retryAtMs }));
    return { kind: "rate-limited", retryAtMs, message: `the service answered 429 to ${key}${learned}` };
  };
  return {
    send: async (request) => {
      const plain = plainParams(request.params);
      if (!plain.ok) return { kind: "not-sent", message: plain.error };
      const key = `${request.method} ${request.path}`;
      const slot = await limiter.take(key, request.limit, request);
      if (!slot.ok) return { kind: "rate-limited", ...slot.error };
      let sentMs = clock.monotonicMs();
      const exchange = (): Promise<HttpOutcome> => {
        sentMs = clock.monotonicMs();
        return http.send(httpRequest(request, plain.value, sign(plain.value)));
      };
      // A write that waited behind stalled reads would leave together with the next one.
      const outcome = await (request.method === "GET" ? gate.run(request.priority, exchange) : exchange());
      slot.value.arrived();
      if (outcome.kind !== "done") return outcome;
      if (outcome.status === 429) return limited(key, request, outcome.headers);
      return { ...outcome, sentMs, answeredMs: clock.monotonicMs() };
    },
    close: () => http.close(),
  };
}

function httpRequest(request: RestRequest, plain: ReadonlyMap<string, string>, signed: ReturnType<Sign>) {
  const { method, path, timeoutMs } = request;
  const common = {
    method,
    headers: signed.headers,
    fresh: method !== "GET",
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  if (method === "GET" || method === "DELETE") return { ...common, path: path + urlQuery(signed.params) };
  const kept = Object.entries(request.params).filter(([name]) => plain.has(name));
  return { ...common, path, body: JSON.stringify(Object.fromEntries(kept)) };
}

/** Seconds, or a date by the service's own clock where the answer states it; 0 if absent or unreadable. */
function retryAfterMs(headers: Readonly<Record<string, string>>, clock: Clock): number {
  const { "retry-after": text, date } = headers;
  if (!text) return 0;
  const seconds = Number(text);
  const nowMs = parseInstant(date ?? "") ?? clock.nowMs();
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : (parseInstant(text) ?? 0) - nowMs;
  return Math.min(Math.max(0, waitMs), 3_600_000);
}
