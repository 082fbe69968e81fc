/**
 * A model service in the same process that keeps the true account of what it charges and reports the truth, less than the
 * truth, more than it, or nothing. No socket: it is the network that the gateway is handed.
 */
import { type Decimal, dec, sumDecimals, ZERO } from "../../../src/core/decimal.ts";
import { DAY_MS, isoTime } from "../../../src/core/time.ts";
import type { VirtualClock } from "../../../src/core/virtual-clock.ts";
import type { HttpOutcome, HttpRequest } from "../../../src/net/http.ts";
import type { NetEnv, Network } from "../../../src/net/network.ts";
import type { ModelPrice } from "../../../src/llm/contract/settings.ts";
import { usageCostUsd } from "../../../src/llm/calls/invoice.ts";
import { tokenCount } from "../../../src/llm/prompts/tokens.ts";
import { envOn, goodText } from "../support.ts";

/** What becomes of a request. All but the refusals are charged in truth. */
export const WAYS = [
  "header",
  "usage",
  "nothing stated",
  "usage far too low",
  "header far too low",
  "usage zero",
  "usage absurd",
  "prose, then again prose",
  "no answer",
  "500",
  "cut",
  "refused",
  "rate limit",
] as const;
export type Way = (typeof WAYS)[number];
export const KEY_INFO_WAYS = ["true", "lags", "down", "garbage", "zero", "ahead"] as const;
export type KeyInfoWay = (typeof KEY_INFO_WAYS)[number];

export interface LyingService {
  readonly env: (runNumber: number) => NetEnv;
  way: Way;
  keyInfo: KeyInfoWay;
  /** Every true charge with its instant by the clock that nobody can step. */
  readonly charged: { readonly atMs: number; readonly usd: Decimal }[];
  /** True spend of the last 24 hours. */
  spentIn24h(): Decimal;
}

const done = (status: number, body: unknown, headers: Record<string, string> = {}): HttpOutcome => ({
  kind: "done",
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});

const refusal = (status: number, type: string, message: string): HttpOutcome =>
  done(status, { error: { message, type, param: null, code: String(status) } });

export function lyingService(clock: VirtualClock, price: ModelPrice): LyingService {
  const service: LyingService = {
    way: "header",
    keyInfo: "true",
    charged: [],
    spentIn24h: () =>
      sumDecimals(service.charged.filter(({ atMs }) => clock.monotonicMs() - atMs < DAY_MS).map(({ usd }) => usd)),
    env: (runNumber) => ({ ...envOn(clock, runNumber), network }),
  };
  const http = {
    send: (request: HttpRequest): Promise<HttpOutcome> =>
      request.path.endsWith("/key/info") ? Promise.resolve(keyInfo(service, clock)) : complete(request),
    close: () => Promise.resolve(),
  };
  const network: Network = {
    http: () => http,
    connect: () => {
      throw new Error("no sockets here");
    },
    gate: () => {
      throw new Error("no gate here");
    },
  };
  const complete = async (request: HttpRequest): Promise<HttpOutcome> => {
    const { way } = service;
    if (way === "refused") return refusal(400, "invalid_request_error", "no");
    if (way === "rate limit") return refusal(429, "rate_limit_error", "slow down");
    const body = JSON.parse(request.body ?? "{}") as { messages: { content: string }[] };
    const text = body.messages.map(({ content }) => content).join("\n");
    const echo = /^Echo: (\S+)$/m.exec(text)?.[1] ?? "";
    const said = way.startsWith("prose") ? "I would rather wait and see." : goodText(echo);
    const usage = { promptTokens: await tokenCount(text), completionTokens: await tokenCount(said), cachedTokens: 0 };
    const usd = usageCostUsd(price, usage);
    await clock.sleep(400);
    service.charged.push({ atMs: clock.monotonicMs(), usd });
    return reported(way, { said, usage, usd });
  };
  return service;
}

interface True {
  readonly said: string;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
  readonly usd: Decimal;
}

function reported(way: Way, { said, usage, usd }: True): HttpOutcome {
  const body = (tokens: object | null): object => ({
    choices: [{ index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" }],
    ...(tokens ? { usage: tokens } : {}),
  });
  const share = (factor: number): object => ({
    prompt_tokens: Math.floor(usage.promptTokens * factor),
    completion_tokens: Math.floor(usage.completionTokens * factor),
  });
  switch (way) {
    case "header":
    case "prose, then again prose":
      return done(200, body(null), { "x-proxy-response-cost": usd.toFixed() });
    case "usage":
      return done(200, body(share(1)));
    case "usage far too low":
      return done(200, body(share(0.1)));
    case "header far too low":
      return done(200, body(share(1)), { "x-proxy-response-cost": usd.mul(dec("0.05")).toFixed(12) });
    case "usage zero":
      return done(200, body(share(0)));
    case "usage absurd":
      return done(200, body({ prompt_tokens: 1e300, completion_tokens: -4 }));
    case "no answer":
      return { kind: "unknown", message: "timed out" };
    case "500":
      return refusal(500, "upstream_error", "the model did not answer");
    case "cut":
      return done(200, '{"choices":[{"message":{"content":"{');
    default:
      return done(200, body(null));
  }
}

function keyInfo({ keyInfo: way, charged }: LyingService, clock: VirtualClock): HttpOutcome {
  const resetAtMs = (Math.floor(clock.nowMs() / DAY_MS) + 1) * DAY_MS;
  const sinceMs = clock.monotonicMs() - (clock.nowMs() - (resetAtMs - DAY_MS));
  const today = charged.filter(({ atMs }) => atMs >= sinceMs);
  const spent = (list: typeof charged): Decimal => list.reduce((sum, { usd }) => sum.add(usd), ZERO);
  const info = (spend: unknown): HttpOutcome =>
    done(200, { key: "k", info: { spend, budget_duration: "1d", budget_reset_at: isoTime(resetAtMs) } });
  switch (way) {
    case "true":
      return info(spent(today).toNumber());
    case "lags":
      return info(spent(today.slice(0, -3)).toNumber());
    case "zero":
      return info(0);
    case "ahead":
      return info(spent(today).add(dec("0.01")).toNumber());
    case "garbage":
      return info("NaN");
    case "down":
      return { kind: "unknown", message: "timed out" };
  }
}
