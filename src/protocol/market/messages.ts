/** The messages of the market stream other than pushes. Spec: 1 §4.7, §6.1, §7.2; records §10. */
import { z } from "zod";
import type { MarketChannel, MarketSubscription } from "../../domain/market.ts";

/** Channels that exist for perpetuals only; a SPOT symbol is refused with 11100. 1 §6.1. */
export const PERPETUAL_ONLY: ReadonlySet<MarketChannel> = new Set([
  "MARK_PRICE",
  "INDEX_PRICE",
  "INDEX_KLINE",
  "MARK_PRICE_KLINE",
  "OPEN_INTEREST",
]);

/** Channels whose subscription names an interval (records §10.6). */
export const KLINE_CHANNELS: ReadonlySet<MarketChannel> = new Set(["KLINE", "INDEX_KLINE", "MARK_PRICE_KLINE"]);

/** One subscribed item. A server checks channel and symbol one by one, so that it can name the offending items. */
export const subscriptionItem = z.looseObject({
  channel: z.string(),
  sym: z.string().optional(),
  /** The name of `sym` in the older API generation. */
  instId: z.string().optional(),
  interval: z.string().optional(),
});
/** One item as received: neither channel nor symbol is validated yet. */
export type SubscriptionItem = z.output<typeof subscriptionItem>;

/** Any message a client may send. Spec: 1 §4.7. */
export const marketClientMessage = z.union([
  z.looseObject({
    action: z.literal("login"),
    args: z.looseObject({
      apiKey: z.string(),
      /** 10-digit seconds or 13-digit milliseconds. */
      timestamp: z.string(),
      sign: z.string(),
    }),
  }),
  z.looseObject({ event: z.enum(["subscribe", "unsubscribe"]), arg: z.array(subscriptionItem).min(1) }),
  z.looseObject({ ping: z.number() }),
]);
/** A login frame; `timestamp` must be exactly the text that was signed. */
export const loginMessage = (args: { apiKey: string; timestamp: string; sign: string }): string =>
  JSON.stringify({ action: "login", args });

const itemOf = (subscription: MarketSubscription): Record<string, string> => ({
  channel: subscription.channel,
  sym: subscription.symbol,
  ...(subscription.interval === undefined ? {} : { interval: subscription.interval }),
});

/** One frame for all of these subscriptions. */
export const subscribeMessage = (
  event: "subscribe" | "unsubscribe",
  subscriptions: readonly MarketSubscription[],
): string => JSON.stringify({ event, arg: subscriptions.map(itemOf) });

/** Acks and errors: `code` is text on login and a number elsewhere; `message` may stand for `msg`. Records §10.2. */
const marketAck = z.looseObject({
  event: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  msg: z.string().nullish(),
  message: z.string().nullish(),
  arg: z.array(subscriptionItem).nullish(),
});

/** A server's reply to a login or subscription, in one form for every spelling. */
export interface MarketAck {
  /** Lower case: login, subscribe, unsubscribe, error. */
  readonly event: string;
  /** As text; "0" when the server gave none. */
  readonly code: string;
  readonly ok: boolean;
  readonly message: string;
  readonly items: readonly SubscriptionItem[];
}

/** Null for a frame that is no ack. `0` and `200000` both mean success. */
export function readMarketAck(frame: unknown): MarketAck | null {
  const parsed = marketAck.safeParse(frame);
  if (!parsed.success) return null;
  const event = parsed.data.event.toLowerCase();
  const code = String(parsed.data.code ?? 0);
  return {
    event,
    code,
    ok: event !== "error" && (code === "0" || code === "200000"),
    message: parsed.data.msg ?? parsed.data.message ?? "",
    items: parsed.data.arg ?? [],
  };
}
