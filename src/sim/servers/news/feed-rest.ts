/** The three news queries. Success code is 200; errors have `data` null. Spec: 2 §2.1, §4, §7.1; records §13. */
import type { Endpoint } from "../../../protocol/endpoint.ts";
import { FEED_ENDPOINTS } from "../../../protocol/endpoints.ts";
import { errorEnvelope, successEnvelope } from "../../../protocol/envelope.ts";
import { pageAsked } from "../../../protocol/page.ts";
import { describeFault, parseRequest } from "../../../protocol/parse-request.ts";
import type { FeedKind, FeedStore } from "../../feed/feed-store.ts";
import { authenticateFeed } from "./feed-auth.ts";
import { jsonReply } from "../../wire/http-io.ts";
import type { IncomingRequest } from "../rest/rest-request.ts";
import { rateRefusal, type RestRoute, type Served, type TradingRestOptions } from "../rest/trading-rest.ts";

/** The same inputs as the trading side, except the exchange, because the feed knows no accounts. */
export interface FeedRestOptions extends Pick<
  TradingRestOptions,
  "keys" | "windows" | "nowMs" | "exchangeNowMs" | "monotonicMs"
> {
  readonly store: FeedStore;
}

const KINDS: readonly (readonly [FeedKind, Endpoint])[] = [
  ["news", FEED_ENDPOINTS.queryNews],
  ["hot", FEED_ENDPOINTS.queryHot],
  ["featured", FEED_ENDPOINTS.queryFeatured],
];

/** Keyed like `tradingRoutes`, so that one table serves both. */
export function feedRoutes(options: FeedRestOptions): ReadonlyMap<string, RestRoute> {
  return new Map(
    KINDS.map(([kind, endpoint]): [string, RestRoute] => [
      `GET ${endpoint.path}`,
      { endpoint, serve: (request) => serveFeed(options, kind, endpoint, request) },
    ]),
  );
}

/** The request fields of all three endpoints. */
interface Asked {
  readonly startTime?: string;
  readonly endTime?: string;
  readonly categories?: string;
  readonly page?: string;
  readonly pageSize?: string;
}

function serveFeed(options: FeedRestOptions, kind: FeedKind, endpoint: Endpoint, request: IncomingRequest): Served {
  // A frozen account may still read news, because the feed knows no accounts.
  const rules = { keys: options.keys, nowMs: options.nowMs(), isFrozen: () => false };
  const caller = authenticateFeed(request, rules);
  if (!caller.ok) return refusal(caller.error.code, caller.error.message, null);
  const { key, params } = caller.value;
  const limited = rateRefusal(options, endpoint, key);
  if (limited) return limited;
  const parsed = parseRequest(endpoint, params);
  if (!parsed.ok) return refusal(400001, describeFault(parsed.error), key.accountId);
  const asked = parsed.value as Asked;
  const { page, pageSize, tooLarge } = pageAsked(endpoint, asked);
  if (tooLarge) return refusal(30012, `pageSize must be at most 30, found ${pageSize}`, key.accountId);
  const query = {
    startTimeMs: asked.startTime === undefined ? undefined : Number(asked.startTime),
    endTimeMs: asked.endTime === undefined ? undefined : Number(asked.endTime),
    categories: asked.categories?.split(",").map(Number),
    page,
    pageSize,
  };
  const data = options.store.query(kind, query, options.exchangeNowMs());
  return { reply: jsonReply(200, successEnvelope(endpoint, data)), accountId: key.accountId, code: "200" };
}

const refusal = (code: number, message: string, accountId: string | null): Served => ({
  reply: jsonReply(200, errorEnvelope(code, message, null)),
  accountId,
  code: String(code),
});
