/**
 * Bookkeeping of one market socket: subscriptions wanted, requested and acknowledged, and those due next. Pure, over
 * monotonic times. Spec: 1 §4.7, §7.2; records §10.2; faults M2, M6.
 */
import type { MarketChannel, MarketSubscription } from "../domain/market.ts";

/** One wanted subscription and its state. */
export interface Item {
  readonly subscription: MarketSubscription;
  state: "wanted" | "asked" | "acknowledged" | "refused";
  /** Start of this state, monotonic. */
  sinceMs: number;
  /** Last push or ack, monotonic. */
  heardMs: number;
  /** Code of a refusal; empty otherwise. */
  code: string;
  /** How often it was requested again because it fell silent. */
  revived: number;
  /** To be asked for without others: an error that named no item may have been about it. */
  alone: boolean;
}

/** Silence limit of channels with a fixed cadence. The others push only on change. */
const SILENT_AFTER_MS: Partial<Record<MarketChannel, number>> = {
  TICKER: 10_000,
  ORDER_BOOK: 10_000,
  MARK_PRICE: 15_000,
  INDEX_PRICE: 15_000,
};
const ACK_WITHIN_MS = 10_000;
/** A refusal may end: a symbol goes live, a limit is lifted. A rate-limit refusal ends sooner. */
const REFUSED_AGAIN_MS = 20_000;
const HASTE_AGAIN_MS = 2_000;
const HASTE_CODES: ReadonlySet<string> = new Set(["11240", "11260"]);

/** `channel|symbol|interval`, the interval empty for channels without one; pushes and acks find their item by it. */
export const itemKey = (channel: string, symbol: string, interval: string | undefined): string =>
  `${channel}|${symbol}|${interval ?? ""}`;

/** The key of a wanted subscription, equal to the `itemKey` of the venue's messages. */
export const keyOf = (subscription: MarketSubscription): string =>
  itemKey(subscription.channel, subscription.symbol, subscription.interval);

/** All times are monotonic, ms. Unknown keys are ignored. */
export interface Subscriptions {
  readonly items: ReadonlyMap<string, Item>;
  /** Sets what is wanted; returns requested subscriptions that are no longer wanted. */
  want(subscriptions: readonly MarketSubscription[], nowMs: number): readonly MarketSubscription[];
  /** Marks everything as due again after a new connection. */
  reset(nowMs: number): void;
  asked(subscriptions: readonly MarketSubscription[], nowMs: number): void;
  acknowledged(key: string, nowMs: number): void;
  refused(key: string, code: string, nowMs: number): void;
  /** An error that names no item: it refuses the only one that waits for an answer; of several each is asked for alone. */
  blamed(code: string, nowMs: number): void;
  /** Records a push. False if nobody wants it. */
  heard(key: string, nowMs: number): boolean;
  /** Marks this subscription as due again. */
  renew(key: string, nowMs: number): void;
  /** The subscriptions due now, to be asked for together; `silent` ones must be unsubscribed first. */
  due(nowMs: number): { readonly fresh: readonly MarketSubscription[]; readonly silent: readonly MarketSubscription[] };
}

/**
 * `stepMs`: the service pushes at most this often, and two missed pushes are silence. 0: the documented cadence. `proved` is
 * called when a push stands for an ack.
 */
export function createSubscriptions(stepMs = 0, proved: () => void = () => undefined): Subscriptions {
  const items = new Map<string, Item>();
  const enter = (key: string, state: Item["state"], nowMs: number, code = ""): void => {
    const item = items.get(key);
    if (!item) return;
    if (state === "acknowledged") {
      item.heardMs = Math.max(item.heardMs, nowMs);
      item.alone = false;
    }
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
        const since = { sinceMs: nowMs, heardMs: nowMs };
        items.set(key, { subscription, state: "wanted", ...since, code: "", revived: 0, alone: false });
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
    blamed: (code, nowMs) => {
      const suspects = [...items].filter(([, item]) => item.state === "asked");
      for (const [key, item] of suspects) {
        item.alone = true;
        if (suspects.length === 1) enter(key, "refused", nowMs, code);
        else enter(key, "wanted", nowMs);
      }
    },
    heard: (key, nowMs) => {
      const item = items.get(key);
      if (!item) return false;
      item.heardMs = nowMs;
      item.revived = 0;
      // A push proves the same as the lost ack, also where an error was about something else.
      if (item.state === "asked" || item.state === "refused") {
        enter(key, "acknowledged", nowMs);
        proved();
      }
      return true;
    },
    renew: (key, nowMs) => enter(key, "wanted", nowMs),
    due: (nowMs) => {
      const fresh: MarketSubscription[] = [];
      const alone: MarketSubscription[] = [];
      let waits = false;
      const silent: MarketSubscription[] = [];
      for (const item of items.values()) {
        if (isSilent(item, nowMs, stepMs)) {
          item.revived++;
          silent.push(item.subscription);
        } else if (isDue(item, nowMs)) (item.alone ? alone : fresh).push(item.subscription);
        else if (item.state === "asked") waits = true;
      }
      return { fresh: fresh.length > 0 || waits ? fresh : alone.slice(0, 1), silent };
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

/** The patience doubles each time a new request did not help. */
function isSilent(item: Item, nowMs: number, stepMs: number): boolean {
  const promisedMs = SILENT_AFTER_MS[item.subscription.channel];
  if (item.state !== "acknowledged" || promisedMs === undefined) return false;
  const limitMs = Math.max(promisedMs, 3 * stepMs);
  return nowMs - Math.max(item.heardMs, item.sinceMs) > limitMs * 2 ** Math.min(item.revived, 5);
}
