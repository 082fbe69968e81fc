/**
 * Order entry over the user stream: the four actions with their rates, read by the same request schemas as the REST
 * endpoints. Knows no sockets. Spec: 1 §4.8, §8.3; records §11.2.
 */
import { isRecord } from "../../../core/record.ts";
import { TRADING_ENDPOINTS } from "../../../protocol/endpoints.ts";
import type { Endpoint } from "../../../protocol/endpoint.ts";
import { USER_STREAM_LIMITS } from "../../../protocol/limits.ts";
import { describeFault, parseRequest } from "../../../protocol/parse-request.ts";
import type { VenueResult, Exchange } from "../../exchange/contract/api.ts";
import { mayUse, type ApiKey } from "../access/key-book.ts";
import type { WindowTable } from "../access/sliding-window.ts";

/** The names on the wire; their rates are in `protocol/`. */
export type ActionName = keyof typeof USER_STREAM_LIMITS.actions;

/** `data` is null for a refusal. Success is 200000, as over REST. */
export interface ActionReply {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

/** Windows are shared with logins, under separate names. */
export interface ActionRules {
  readonly exchange: Exchange;
  readonly windows: WindowTable;
  readonly exchangeNowMs: () => number;
  readonly monotonicMs: () => number;
}

/** For an untrusted `action`; false for a login. */
export const isActionName = (name: unknown): name is ActionName =>
  typeof name === "string" && Object.hasOwn(USER_STREAM_LIMITS.actions, name);

const TWINS: Readonly<Record<ActionName, Endpoint>> = {
  place_order: TRADING_ENDPOINTS.placeOrder,
  replace_order: TRADING_ENDPOINTS.amendOrder,
  cancel_order: TRADING_ENDPOINTS.cancelOrder,
  cancel_orders: TRADING_ENDPOINTS.cancelAllOrders,
};

type AnyCommand = (accountId: string, request: unknown, nowMs: number) => VenueResult<unknown>;

function commandOf(exchange: Exchange, action: ActionName): AnyCommand {
  const commands = {
    place_order: exchange.place,
    replace_order: exchange.amend,
    cancel_order: exchange.cancel,
    cancel_orders: exchange.cancelAll,
  };
  return commands[action] as AnyCommand;
}

/** Carries out one action of a logged-in key. `args` is untrusted. */
export function runAction(rules: ActionRules, key: ApiKey, action: ActionName, args: unknown): ActionReply {
  if (key.status !== "active" || rules.exchange.isFrozen(key.accountId)) return refused(100041, "API key frozen");
  if (!mayUse(key, "trade")) return refused(2003, "no access permission: the key lacks trade");
  const window = rules.windows.of(`${key.accessKey} ${action}`, USER_STREAM_LIMITS.actions[action]);
  if (!window.take(rules.monotonicMs())) return refused(429, "too many requests");
  if (args !== undefined && !isRecord(args)) return refused(400001, "args must be an object");
  const parsed = parseRequest(TWINS[action], args ?? {});
  if (!parsed.ok) return refused(parsed.error.code, describeFault(parsed.error));
  const done = commandOf(rules.exchange, action)(key.accountId, parsed.value, rules.exchangeNowMs());
  return done.ok ? { code: 200000, msg: "Success", data: done.value } : refused(done.error.code, done.error.message);
}

const refused = (code: number, msg: string): ActionReply => ({ code, msg, data: null });
