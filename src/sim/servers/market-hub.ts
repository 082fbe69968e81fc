/**
 * Delivers topics to their followers. Each push is serialised once and compressed at most once, whatever the number of
 * followers; a slow reader is skipped until it has caught up, and then gets a fresh book. Records §10.3, §10.5.
 */
import type { FaultBoard } from "../faults/board.ts";
import type { MarketFrame } from "../faults/hooks.ts";
import type { BookFeed } from "./book-feed.ts";
import type { TopicSink } from "./market-publisher.ts";
import type { Topic } from "./market-subscription.ts";
import { sharedFrame, type SharedFrame, type StreamSocket } from "./stream-socket.ts";

/** A follower: a socket and the symbols whose book must be sent again. */
export interface Follower {
  readonly socket: StreamSocket;
  readonly staleBooks: Set<string>;
}

/** The last stage: frames pass the faults here and go to sockets. It does not interpret them. */
export class MarketHub implements TopicSink {
  readonly #followers = new Map<string, Set<Follower>>();
  /** How many topics of a channel are followed, by symbol: most are not, and this is checked at every trade. */
  readonly #topics = new Map<string, Map<string, number>>();
  readonly #faults: FaultBoard;
  readonly #nowMs: () => number;
  /** Counts created frames, so that tests can prove that followers share them. */
  made = 0;

  constructor(given: { faults: FaultBoard; nowMs: () => number }) {
    this.#faults = given.faults;
    this.#nowMs = given.nowMs;
  }

  follow(topic: Topic, follower: Follower): void {
    const known = this.#followers.get(topic.name) ?? new Set();
    if (known.size === 0) this.#count(topic.name, 1);
    this.#followers.set(topic.name, known.add(follower));
  }

  unfollow(topicName: string, follower: Follower): void {
    const known = this.#followers.get(topicName);
    if (!known?.delete(follower) || known.size > 0) return;
    this.#followers.delete(topicName);
    this.#count(topicName, -1);
  }

  #count(topicName: string, by: number): void {
    const [channel = "", symbol = ""] = topicName.split("|");
    const symbols = this.#topics.get(channel) ?? new Map<string, number>();
    this.#topics.set(channel, symbols.set(symbol, (symbols.get(symbol) ?? 0) + by));
  }

  wanted(channel: string, symbol: string, interval: string | null): boolean {
    return this.wantedAtAll(channel, symbol) && this.#followers.has(topicName(channel, symbol, interval));
  }

  wantedAtAll(channel: string, symbol: string): boolean {
    return (this.#topics.get(channel)?.get(symbol) ?? 0) > 0;
  }

  publish(channel: string, symbol: string, interval: string | null, data: unknown): void {
    if (!this.wanted(channel, symbol, interval)) return;
    for (const frame of this.#faults.marketFrames({ channel, symbol, interval, data })) this.release(frame);
  }

  /** Sends a frame to all followers, without the faults. */
  release(frame: MarketFrame): void {
    const followers = this.#followers.get(topicName(frame.channel, frame.symbol, frame.interval));
    if (!followers) return;
    const shared = this.#serialise(frame);
    for (const follower of followers) this.#deliver(follower, frame, shared);
  }

  /** Sends one frame to one follower only: the current state when it begins. */
  greet(follower: Follower, topic: Topic, data: unknown): void {
    const { channel, symbol, interval } = topic;
    for (const frame of this.#faults.marketFrames({ channel, symbol, interval, data })) {
      follower.socket.send(this.#serialise(frame));
    }
  }

  /** Sends a fresh snapshot to skipped followers, as soon as their sockets have drained. */
  mendBooks(book: (symbol: string) => BookFeed | null): void {
    for (const [name, followers] of this.#followers) {
      if (!name.startsWith("ORDER_BOOK|")) continue;
      const symbol = name.slice("ORDER_BOOK|".length);
      for (const follower of followers) {
        if (!follower.staleBooks.has(symbol) || follower.socket.lagging()) continue;
        const data = book(symbol)?.snapshot(Math.round(this.#nowMs()));
        follower.staleBooks.delete(symbol);
        if (data) follower.socket.send(this.#serialise({ channel: "ORDER_BOOK", symbol, interval: null, data }));
      }
    }
  }

  #deliver(follower: Follower, frame: MarketFrame, shared: SharedFrame): void {
    const isBook = frame.channel === "ORDER_BOOK";
    if (isBook && follower.staleBooks.has(frame.symbol)) return;
    if (!follower.socket.lagging()) return follower.socket.send(shared);
    if (isBook) follower.staleBooks.add(frame.symbol);
  }

  #serialise(frame: MarketFrame): SharedFrame {
    this.made++;
    const { channel, symbol, interval, data } = frame;
    const arg = interval === null ? { channel, sym: symbol } : { channel, sym: symbol, interval };
    return sharedFrame(JSON.stringify({ arg, data }), frame.bytes);
  }
}

const topicName = (channel: string, symbol: string, interval: string | null): string =>
  interval === null ? `${channel}|${symbol}` : `${channel}|${symbol}|${interval}`;
