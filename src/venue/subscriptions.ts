/**
 * What one market socket wants, has asked for and has been promised, and what is due to be said next. Pure bookkeeping
 * over monotonic times: it sends nothing. Spec: 1 §4.7, §7.2; records §10.2; faults M2, M6.
 */
import type { MarketChannel, MarketSubscription } from "../domain/market.ts";

/** One subscription and how far it has come; there as long as it is wanted. */
export interface Item {
  readonly subscription: MarketSubscription;
  state: "wanted" | "asked" | "acknowledged" | "refused";
  /** Since when it is in this state, monotonic. */
  sinceMs: number;
  /** Last push, or the ack; monotonic. */
  heardMs: number;
  /** Why it was refused; empty otherwise. */
  code: string;
  /** Times it was asked for again because it fell silent. */
  revived: number;
}

/** A channel that promises a cadence is silent after this long. The others speak on change only and may be quiet. */
const SILENT_AFTER_MS: Partial<Record<MarketChannel, number>> = {
  TICKER: 10_000,
  ORDER_BOOK: 10_000,
  MARK_PRICE: 15_000,
  INDEX_PRICE: 15_000,
};
const ACK_WITHIN_MS = 10_000;
/** A refusal may pass: a symbol goes live, a limit is lifted. Haste is forgiven sooner. */
const REFUSED_AGAIN_MS = 20_000;
const HASTE_AGAIN_MS = 2_000;
const HASTE_CODES: ReadonlySet<string> = new Set(["11240", "11260"]);

/** `channel|symbol|interval`, the interval empty for channels without one; by it pushes and acks find their item. */
export const itemKey = (channel: string, symbol: string, interval: string | undefined): string =>
  `${channel}|${symbol}|${interval ?? ""}`;

/** The key of what we want, the same as `itemKey` makes of the venue's words. */
export const keyOf = (subscription: MarketSubscription): string =>
  itemKey(subscription.channel, subscription.symbol, subscription.interval);

/** All times are monotonic, ms. A key that nobody wants is passed over. */
export interface Subscriptions {
  readonly items: ReadonlyMap<string, Item>;
  /** Sets what is wanted; answers what is not wanted any more and was asked for. */
  want(subscriptions: readonly MarketSubscription[], nowMs: number): readonly MarketSubscription[];
  /** Everything is to be asked for again: the connection is new. */
  reset(nowMs: number): void;
  asked(subscriptions: readonly MarketSubscription[], nowMs: number): void;
  acknowledged(key: string, nowMs: number): void;
  refused(key: string, code: string, nowMs: number): void;
  /** A push came. False when nobody wants it. */
  heard(key: string, nowMs: number): boolean;
  /** This one is to be asked for again. */
  renew(key: string, nowMs: number): void;
  /** What should be asked for now; `silent` ones must be unsubscribed first. */
  due(nowMs: number): { readonly fresh: readonly MarketSubscription[]; readonly silent: readonly MarketSubscription[] };
}

/** `beatMs`: the service says nothing oftener than this; two beats missed are silence. 0: as its documents promise. */
export function createSubscriptions(beatMs = 0): Subscriptions {
  const items = new Map<string, Item>();
  const enter = (key: string, state: Item["state"], nowMs: number, code = ""): void => {
    const item = items.get(key);
    if (!item) return;
    if (state === "acknowledged") item.heardMs = Math.max(item.heardMs, nowMs);
    item.state = state;
    item.sinceMs = nowMs;
    item.code = code;
  };
  return {
    items,
    want: (subscriptions, nowMs) => {
      const wanted = new Map(subscriptions.map((subscription) => [keyOf(subscription), subscription]));
      const dropped: MarketSubscription[] = [];
      for (const [key, item] of items) {
        if (wanted.has(key)) continue;
        items.delete(key);
        if (item.state === "asked" || item.state === "acknowledged") dropped.push(item.subscription);
      }
      for (const [key, subscription] of wanted) {
        if (items.has(key)) continue;
        items.set(key, { subscription, state: "wanted", sinceMs: nowMs, heardMs: nowMs, code: "", revived: 0 });
      }
      return dropped;
    },
    reset: (nowMs) => {
      for (const key of items.keys()) enter(key, "wanted", nowMs);
    },
    asked: (subscriptions, nowMs) => {
      for (const subscription of subscriptions) enter(keyOf(subscription), "asked", nowMs);
    },
    acknowledged: (key, nowMs) => {
      if (items.get(key)?.state !== "acknowledged") enter(key, "acknowledged", nowMs);
    },
    refused: (key, code, nowMs) => enter(key, "refused", nowMs, code),
    heard: (key, nowMs) => {
      const item = items.get(key);
      if (!item) return false;
      item.heardMs = nowMs;
      item.revived = 0;
      // A push proves what a lost ack would have said.
      if (item.state === "asked") enter(key, "acknowledged", nowMs);
      return true;
    },
    renew: (key, nowMs) => enter(key, "wanted", nowMs),
    due: (nowMs) => {
      const fresh: MarketSubscription[] = [];
      const silent: MarketSubscription[] = [];
      for (const item of items.values()) {
        if (isSilent(item, nowMs, beatMs)) {
          item.revived++;
          silent.push(item.subscription);
        } else if (isDue(item, nowMs)) fresh.push(item.subscription);
      }
      return { fresh, silent };
    },
  };
}

function isDue(item: Item, nowMs: number): boolean {
  const ageMs = nowMs - item.sinceMs;
  switch (item.state) {
    case "wanted":
      return true;
    case "asked":
      return ageMs > ACK_WITHIN_MS;
    case "refused":
      return ageMs > (HASTE_CODES.has(item.code) ? HASTE_AGAIN_MS : REFUSED_AGAIN_MS);
    case "acknowledged":
      return false;
  }
}

/** Patience doubles each time that asking again did not help. */
function isSilent(item: Item, nowMs: number, beatMs: number): boolean {
  const promisedMs = SILENT_AFTER_MS[item.subscription.channel];
  if (item.state !== "acknowledged" || promisedMs === undefined) return false;
  const limitMs = Math.max(promisedMs, 3 * beatMs);
  return nowMs - Math.max(item.heardMs, item.sinceMs) > limitMs * 2 ** Math.min(item.revived, 5);
}
