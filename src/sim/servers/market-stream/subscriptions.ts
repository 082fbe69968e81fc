/**
 * Subscribe and unsubscribe requests of the market stream: how often they may come, which items are served, and how
 * each is acknowledged. Spec: 1 §4.7, §7.2, §8.2; records §10.2.
 */
import { isRecord } from "../../../core/record.ts";
import type { Clock } from "../../../core/clock.ts";
import { MARKET_STREAM_LIMITS } from "../../../protocol/limits.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { ApiKey } from "../access/key-book.ts";
import type { Follower, MarketHub } from "./market-hub.ts";
import type { MarketPublisher } from "./market-publisher.ts";
import type { MarketSource } from "./market-source.ts";
import { readTopic, type ItemError, type Topic } from "./market-subscription.ts";
import { slidingWindow, type SlidingWindow, WindowTable } from "../access/sliding-window.ts";

const LIMITS = MARKET_STREAM_LIMITS;
const REQUESTS = { requests: LIMITS.subscribesPerSecond, perMs: 1_000 };
/** Counts items (11240), not requests (11260), to limit the work that one connection causes. */
const ITEMS = { requests: LIMITS.subscribedItemsPerSecond, perMs: 1_000 };

/** The part of a connection that subscriptions use. */
export interface Subscriber extends Follower {
  readonly topics: Map<string, Topic>;
  /** Created when the client first subscribes. */
  items: SlidingWindow | null;
  /** The key of the login; null before it. */
  key: ApiKey | null;
}

/** The inputs from `MarketStream`. */
export interface SubscriptionsOptions {
  readonly clock: Clock;
  /** The service's visible time. */
  readonly nowMs: () => number;
  readonly source: MarketSource;
  readonly faults: FaultBoard;
  readonly hub: MarketHub;
  readonly publisher: MarketPublisher;
}

/** Changes the subscriber's `topics` and the hub together; every request gets a reply on its socket. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #requests = new WindowTable({ cap: 2_000 });

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /**
   * Handles a subscribe request: starts what can be served, acknowledges, and sends the new follower the current state.
   */
  subscribe(client: Subscriber, arg: unknown): void {
    if (!this.#mayAsk(client, "subscribe")) return;
    const items = itemsOf(arg);
    if (!items)
      return client.socket.say({ event: "subscribe", arg: [], code: 11103, msg: "arg must be a list of objects" });
    client.items ??= slidingWindow(ITEMS);
    if (!client.items.take(this.#options.clock.monotonicMs(), Math.max(1, items.length))) {
      return client.socket.say({
        event: "subscribe",
        arg: [],
        code: 11240,
        msg: `more than ${ITEMS.requests} items a second`,
      });
    }
    const outcome = new Outcome("subscribe");
    const begun: { topic: Topic; fresh: boolean }[] = [];
    for (const item of items) {
      const topic = readTopic(item, (symbol) => this.#options.source.spec(symbol) !== null);
      const refusal = topic.ok ? this.#refusal(client, topic.value) : topic.error;
      if (refusal || !topic.ok) outcome.bad(item, refusal ?? { code: 11103, msg: "invalid request" });
      else {
        outcome.good(item);
        begun.push({ topic: topic.value, fresh: this.#follow(client, topic.value) });
      }
    }
    for (const message of outcome.messages()) client.socket.say(message);
    for (const { topic, fresh } of begun) if (fresh || topic.channel === "ORDER_BOOK") this.#greet(client, topic);
  }

  #refusal(client: Subscriber, topic: Topic): ItemError | null {
    const refused = this.#options.faults.refuseSubscription(topic.channel, topic.symbol);
    if (refused) return refused;
    const symbols = new Set([...client.topics.values()].map((known) => known.symbol));
    const allowed = client.key ? LIMITS.pairsPerConnection.authenticated : LIMITS.pairsPerConnection.anonymous;
    if (symbols.has(topic.symbol) || symbols.size < allowed) return null;
    return { code: client.key ? 11220 : 11210, msg: `at most ${allowed} symbols on this connection` };
  }

  #follow(client: Subscriber, topic: Topic): boolean {
    if (client.topics.has(topic.name)) return false;
    if (topic.channel === "ORDER_BOOK" && !this.#options.hub.wanted("ORDER_BOOK", topic.symbol, null)) {
      this.#options.publisher.book(topic.symbol)?.refresh();
    }
    client.topics.set(topic.name, topic);
    this.#options.hub.follow(topic, client);
    return true;
  }

  #greet(client: Subscriber, topic: Topic): void {
    const { channel, symbol, interval } = topic;
    const data =
      channel === "ORDER_BOOK"
        ? this.#options.publisher.book(symbol)?.snapshot(Math.round(this.#options.nowMs()))
        : this.#options.publisher.current(channel, symbol, interval);
    if (data) this.#options.hub.greet(client, topic, data);
  }

  /** Handles an unsubscribe request. */
  unsubscribe(client: Subscriber, arg: unknown): void {
    if (!this.#mayAsk(client, "unsubscribe")) return;
    const items = itemsOf(arg);
    if (!items)
      return client.socket.say({ event: "unsubscribe", arg: [], code: 11103, msg: "arg must be a list of objects" });
    const outcome = new Outcome("unsubscribe");
    for (const item of items) {
      const topic = readTopic(item, () => true);
      if (!topic.ok) outcome.bad(item, topic.error);
      else if (!client.topics.delete(topic.value.name)) outcome.bad(item, { code: 11112, msg: "not subscribed" });
      else {
        this.#options.hub.unfollow(topic.value.name, client);
        outcome.good(item);
      }
    }
    for (const message of outcome.messages()) client.socket.say(message);
  }

  /** Subscribe and unsubscribe requests are counted together, per address. */
  #mayAsk(client: Subscriber, event: string): boolean {
    const window = this.#requests.of(client.socket.address, REQUESTS);
    if (window.take(this.#options.clock.monotonicMs())) return true;
    client.socket.say({ event, arg: [], code: 11260, msg: "more than 50 requests per second from this address" });
    return false;
  }
}

/** Collects good and bad items: one acknowledgement, and one message per distinct error. Records §10.2. */
class Outcome {
  readonly #event: string;
  readonly #good: unknown[] = [];
  readonly #bad = new Map<string, { error: ItemError; items: unknown[] }>();
  constructor(event: string) {
    this.#event = event;
  }
  good(item: unknown): void {
    this.#good.push(item);
  }
  bad(item: unknown, error: ItemError): void {
    const name = `${error.code}`;
    const known = this.#bad.get(name) ?? { error, items: [] };
    known.items.push(item);
    this.#bad.set(name, known);
  }
  messages(): readonly unknown[] {
    const bad = [...this.#bad.values()].map(({ error, items }) => ({ event: this.#event, arg: items, ...error }));
    if (this.#good.length === 0 && bad.length > 0) return bad;
    return [{ event: this.#event, arg: this.#good, code: 0 }, ...bad];
  }
}

const itemsOf = (arg: unknown): readonly unknown[] | null => {
  const items: unknown = isRecord(arg) ? [arg] : arg;
  return Array.isArray(items) && items.every(isRecord) ? (items as unknown[]) : null;
};
