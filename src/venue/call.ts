/**
 * One generic call for every endpoint: check, wait for a slot, sign with the venue's time, send once, decode. Reads
 * are retried; writes never. Spec: 1 §4, §5, §8.1; records §1.
 */
import type { z } from "zod";
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import type { Log } from "../core/log.ts";
import type { Secret } from "../core/secret.ts";
import { parseInstant } from "../core/time.ts";
import type { NetEnv } from "../net/network.ts";
import type { Priority, RateLimiter } from "../net/rate-limit.ts";
import { createRest, takeRefusal, tightenedText, type Timing } from "../net/rest.ts";
import { retryRead } from "../net/retry.ts";
import { signHeaders } from "../net/sign.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import { decodeAnswer } from "./decode.ts";
import type { VenueClock } from "./venue-clock.ts";

/** Options of one call, all optional. */
export interface CallOptions {
  /** Priority when slots are scarce. Default "read" for GET, "open" otherwise. */
  readonly priority?: Priority;
  /** How long the call may wait for its slot before it returns "rate-limited". */
  readonly patienceMs?: number;
  /** Real milliseconds for the exchange. Default 10,000; `ANSWERS_SOON_MS` for a read, twice that for its repeats. */
  readonly timeoutMs?: number;
  /** Attempts of a read. Default 3. A write is sent once regardless. */
  readonly attempts?: number;
  /** Receives the answer's Date header, to measure the venue's clock. */
  readonly onAnswer?: (dateMs: number | null, timing: Timing) => void;
}

/** Calls any endpoint with its own parameters. Never throws; a request that its schema refuses is "not-sent". */
export type VenueCall = <Request extends z.ZodType, Reply extends z.ZodType>(
  endpoint: Endpoint<Request, Reply>,
  params: z.input<Request>,
  options?: CallOptions,
) => Promise<Outcome<z.output<Reply>>>;

/** `baseUrl` is `http(s)://host[:port]`; keys are revealed only while signing, with `venueClock`'s time. */
export interface CallerOptions {
  readonly env: NetEnv;
  readonly log: Log;
  readonly baseUrl: string;
  readonly accessKey: Secret;
  readonly secretKey: Secret;
  readonly limiter: RateLimiter;
  readonly venueClock: VenueClock;
  /** Whether a "done" holds the venue's whole answer too, for programs that show it. Default: no. */
  readonly keepAnswers?: boolean;
  /** The venue refused our time (code 7000). */
  readonly onClockRefused: () => void;
  /** Called with the outcome of each exchange. */
  readonly onOutcome?: (path: string, outcome: Outcome<unknown>) => void;
}

/** Default patience by priority: exits may wait a whole window of the slowest limit, openings go stale sooner. */
export const PATIENCE_MS: Readonly<Record<Priority, number>> = {
  protect: 60_000,
  close: 30_000,
  cancel: 20_000,
  replace: 10_000,
  open: 6_000,
  read: 15_000,
};

/**
 * Real milliseconds, from the connection to the whole answer, for what is asked again anyway. A half-open connection takes
 * the request and never answers: given up this soon, a stop can be asked for again, or the position closed, within its 15 s,
 * and positions are known within their 10 s, whichever attempt of a read was the last to hang. A repeat has twice as long, for
 * a venue that is merely slow.
 */
export const ANSWERS_SOON_MS = 4_000;

/** One request and its answer, at one attempt. */
interface Exchange {
  once<Request extends z.ZodType, Reply extends z.ZodType>(
    endpoint: Endpoint<Request, Reply>,
    params: Readonly<Record<string, unknown>>,
    given: CallOptions,
  ): Promise<Outcome<z.output<Reply>>>;
  close(): Promise<void>;
}

function createExchange(options: CallerOptions): Exchange {
  const { env, log, venueClock } = options;
  const rest = createRest({
    env,
    baseUrl: options.baseUrl,
    limiter: options.limiter,
    sign: (params) => ({
      headers: { ...signHeaders(keysOf(options), params, Math.floor(venueClock.nowMs() / 1_000)) },
      params,
    }),
  });
  const noteLimited = <T>({ path }: Pick<Endpoint, "path">, outcome: Outcome<T>): Outcome<T> => {
    if (outcome.kind === "rate-limited") {
      const { message, retryAtMs } = outcome;
      log.event("warn", "venue.limited", `${path}: ${message}`, { path, retryAtMs });
    }
    return outcome;
  };
  const facts = ({ text, sentMs }: { readonly text: string; readonly sentMs: number }) => ({
    sentAtMs: env.clock.nowMs() - (env.clock.monotonicMs() - sentMs),
    ...(options.keepAnswers ? { answer: JSON.parse(text) as unknown } : {}),
  });
  const once: Exchange["once"] = async (endpoint, params, given) => {
    const { method, path, limit } = endpoint;
    const priority = given.priority ?? (method === "GET" ? "read" : "open");
    const patienceMs = given.patienceMs ?? PATIENCE_MS[priority];
    const timeout = given.timeoutMs === undefined ? {} : { timeoutMs: given.timeoutMs };
    const heard = await rest.send({ method, path, limit, params, priority, patienceMs, ...timeout });
    if (heard.kind !== "done") return noteLimited(endpoint, heard);
    given.onAnswer?.(dateOf(heard.headers["date"]), heard);
    const decoded = decodeAnswer(endpoint, { ...heard, atMs: env.clock.nowMs() });
    const outcome = decoded.kind === "done" ? { ...decoded, ...facts(heard) } : decoded;
    if (outcome.kind === "rejected" && outcome.reason === "clock") options.onClockRefused();
    if (outcome.kind !== "rate-limited") return outcome;
    const learned = tightenedText(
      takeRefusal(options.limiter, method, { key: `${method} ${path}`, retryAtMs: outcome.retryAtMs }),
    );
    return noteLimited(endpoint, { ...outcome, message: `${outcome.message}${learned}` });
  };
  return { once, close: () => rest.close() };
}

/** `close` ends running calls as "unknown" and stops retries. */
export function createCaller(options: CallerOptions): { call: VenueCall; close(): Promise<void> } {
  const { env, log } = options;
  const exchange = createExchange(options);
  let closed = false;
  const once: Exchange["once"] = async (endpoint, params, given) => {
    const outcome = await exchange.once(endpoint, params, given);
    if (!closed) options.onOutcome?.(`${endpoint.method} ${endpoint.path}`, outcome);
    return outcome;
  };
  const call: VenueCall = async (endpoint, params, given = {}) => {
    const request = endpoint.request.safeParse(params);
    if (!request.success) return { kind: "not-sent", message: complaintOf(endpoint, request.error) };
    const send = (options = given) => once(endpoint, request.data as Readonly<Record<string, unknown>>, options);
    if (endpoint.method !== "GET") return send();
    const attempts = given.attempts ?? 3;
    return retryRead(
      env,
      {
        attempts,
        transient: (outcome) => !closed && (outcome.kind === "unknown" || outcome.kind === "not-sent"),
        onRetry: (outcome, attempt) =>
          log.event("warn", "venue.retry", `${endpoint.path}, attempt ${attempt}: ${describeOutcome(outcome)}`, {
            path: endpoint.path,
            attempt,
          }),
      },
      (attempt) => send(attempts > 1 ? { timeoutMs: ANSWERS_SOON_MS * Math.min(attempt, 2), ...given } : given),
    );
  };
  const close = (): Promise<void> => {
    closed = true;
    return exchange.close();
  };
  return { call, close };
}

const keysOf = (options: Pick<CallerOptions, "accessKey" | "secretKey">) => ({
  accessKey: options.accessKey.reveal(),
  secretKey: options.secretKey.reveal(),
});

function complaintOf(endpoint: Pick<Endpoint, "method" | "path">, error: z.ZodError): string {
  const issue = error.issues[0];
  return `${endpoint.method} ${endpoint.path}: ${issue?.path.join(".") ?? ""} must be ${issue?.message ?? "as documented"}`;
}

const dateOf = (text: string | undefined): number | null => (text === undefined ? null : parseInstant(text));

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops undefined members, which the wire does not have. */
export function given<T extends Readonly<Record<string, unknown>>>(params: T): Given<T> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Epoch milliseconds as the wire writes them. */
export const msText = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : String(Math.floor(atMs));
