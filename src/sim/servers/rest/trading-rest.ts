/**
 * The trading REST surface: every endpoint of the protocol, served by the exchange after the checks in their documented
 * order. Synchronous; knows neither sockets nor faults. Spec: 1 §4, §5, §8.1; records §1 to §3.
 */
import type { Endpoint } from "../../../protocol/endpoint.ts";
import { TRADING_ENDPOINTS, type TradingEndpointName } from "../../../protocol/endpoints.ts";
import { errorEnvelope, successEnvelope } from "../../../protocol/envelope.ts";
import { pageAsked } from "../../../protocol/page.ts";
import { describeFault, parseRequest } from "../../../protocol/parse-request.ts";
import type { VenueResult, Exchange } from "../../exchange/contract/api.ts";
import type { RawReply } from "../../wire/http-call.ts";
import { jsonReply } from "../../wire/http-io.ts";
import { mayUse, type ApiKey, type KeyBook } from "../access/key-book.ts";
import type { Presence } from "../access/presence.ts";
import { authenticate, type Caller } from "./rest-auth.ts";
import { commandsOf } from "./rest-commands.ts";
import type { IncomingRequest } from "./rest-request.ts";
import type { WindowTable } from "../access/sliding-window.ts";

/** The result of one call, for the reply and for the wire log. */
export interface Served {
  readonly reply: RawReply;
  readonly accountId: string | null;
  /** Envelope code, or the HTTP status without an envelope. */
  readonly code: string;
}

/** `serve` never throws for a client error: refusals are replies. */
export interface RestRoute {
  readonly endpoint: Endpoint;
  serve(request: IncomingRequest): Served;
}

/** Three clocks: the one that clients see, the exchange's own, and one for rates that never goes back. */
export interface TradingRestOptions {
  readonly exchange: Exchange;
  readonly keys: KeyBook;
  readonly windows: WindowTable;
  readonly presence: Presence;
  /** The service's visible time, for nonces. */
  readonly nowMs: () => number;
  /** The time of the exchange. */
  readonly exchangeNowMs: () => number;
  readonly monotonicMs: () => number;
}

type AnyCommand = (accountId: string, request: unknown, nowMs: number) => VenueResult<unknown>;

/** One route for every method and path, aliases included. Key: `METHOD path`. */
export function tradingRoutes(options: TradingRestOptions): ReadonlyMap<string, RestRoute> {
  const commands = commandsOf(options.exchange);
  const routes = new Map<string, RestRoute>();
  for (const name of Object.keys(TRADING_ENDPOINTS) as TradingEndpointName[]) {
    const endpoint: Endpoint = TRADING_ENDPOINTS[name];
    // The map of commands is typed per endpoint; here the pair is used together, so the request fits by construction.
    const command = commands[name] as AnyCommand;
    const route: RestRoute = { endpoint, serve: (request) => serveTrading(options, endpoint, command, request) };
    for (const path of [endpoint.path, ...endpoint.aliases]) routes.set(`${endpoint.method} ${path}`, route);
  }
  return routes;
}

function serveTrading(
  options: TradingRestOptions,
  endpoint: Endpoint,
  command: AnyCommand,
  request: IncomingRequest,
): Served {
  const { exchange, keys, presence } = options;
  const isFrozen = (accountId: string): boolean => exchange.isFrozen(accountId);
  const caller = authenticate(request, { keys, nowMs: options.nowMs(), isFrozen });
  if (!caller.ok) return refusal(caller.error.code, caller.error.message, null);
  const { key } = caller.value;
  presence.called(key.accountId);
  const forbidden = permissionRefusal(endpoint, key);
  if (forbidden) return forbidden;
  const limited = rateRefusal(options, endpoint, key);
  return limited ?? answer(options, { endpoint, command, caller: caller.value });
}

function permissionRefusal(endpoint: Endpoint, key: ApiKey): Served | null {
  if (endpoint === TRADING_ENDPOINTS.brokerFeeRate && key.kind !== "main") {
    return refusal(2002, "invalid API authorization: a main portfolio key is required", key.accountId);
  }
  if (mayUse(key, endpoint.permission)) return null;
  return refusal(2003, `no access permission: the key lacks ${endpoint.permission}`, key.accountId);
}

/** At most `limit.requests` in any span of `limit.perMs`, per key and endpoint. Spec: 1 §8.1. */
export function rateRefusal(
  options: Pick<TradingRestOptions, "windows" | "monotonicMs">,
  endpoint: Endpoint,
  key: ApiKey,
): Served | null {
  const window = options.windows.of(`${key.accessKey} ${endpoint.method} ${endpoint.path}`, endpoint.limit);
  const nowMs = options.monotonicMs();
  const waitMs = window.waitMs(nowMs);
  if (window.take(nowMs)) return null;
  const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
  const body = { code: 429, message: "too many requests", data: null };
  return { reply: jsonReply(429, body, headers), accountId: key.accountId, code: "429" };
}

function answer(
  options: TradingRestOptions,
  call: { readonly endpoint: Endpoint; readonly command: AnyCommand; readonly caller: Caller },
): Served {
  const { endpoint, command, caller } = call;
  const { accountId } = caller.key;
  const parsed = parseRequest(endpoint, caller.params);
  if (!parsed.ok) return refusal(parsed.error.code, describeFault(parsed.error), accountId);
  const asked = parsed.value as { page?: string; pageSize?: string };
  if (endpoint.paging && pageAsked(endpoint, asked).tooLarge) {
    return refusal(400001, `pageSize must be at most ${endpoint.paging.maxSize}, found ${asked.pageSize}`, accountId);
  }
  const done = command(accountId, parsed.value, options.exchangeNowMs());
  if (!done.ok) return refusal(done.error.code, done.error.message, accountId);
  const reply = jsonReply(endpoint.successStatus, successEnvelope(endpoint, done.value));
  return { reply, accountId, code: String(endpoint.successCode) };
}

const refusal = (code: number, message: string, accountId: string | null): Served => ({
  reply: jsonReply(200, errorEnvelope(code, message)),
  accountId,
  code: String(code),
});
