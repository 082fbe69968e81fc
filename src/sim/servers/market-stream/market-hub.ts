/**
 * Delivers topics to their followers. Each push is serialised once and compressed at most once for any number of
 * followers; a slow reader is skipped until it has caught up, and then gets a fresh book. Records §10.3, §10.5.
 */
import type { FaultBoard } from "../../faults/board.ts";
import type { MarketFrame } from "../../faults/hooks.ts";
import type { BookFeed } from "./book-feed.ts";
import type { TopicSink } from "./market-publisher.ts";
import type { Topic } from "./market-subscription.ts";
import { sharedFrame, type SharedFrame, type StreamSocket } from "../transport/stream-socket.ts";

/** A follower: a socket and the symbols whose book must be sent again. */
export interface Follower {
  readonly socket: StreamSocket;
  readonly staleBooks: Set<string>;
}

/** By interval; topics without one are under an empty string. */
type FollowersByInterval = Map<string, Set<Follower>>;

/** The last stage: frames pass the faults and go to sockets, without being interpreted. */
export class MarketHub implements TopicSink {
  /** By channel and symbol; nested, so that no key is built for the several lookups at every trade. */
  readonly #topics = new Map<string, Map<string, FollowersByInterval>>();
  readonly #faults: FaultBoard;
  readonly #nowMs: () => number;
  /** Counts created frames, so that tests can prove that followers share them. */
  made = 0;

  constructor(options: { faults: FaultBoard; nowMs: () => number }) {
    this.#faults = options.faults;
    this.#nowMs = options.nowMs;
  }

  follow({ channel, symbol, interval }: Topic, follower: Follower): void {
    const symbols = this.#topics.get(channel) ?? new Map<string, FollowersByInterval>();
    const intervals: FollowersByInterval = symbols.get(symbol) ?? new Map<string, Set<Follower>>();
    const known = intervals.get(interval ?? "") ?? new Set();
    this.#topics.set(channel, symbols.set(symbol, intervals.set(interval ?? "", known.add(follower))));
  }

  unfollow(topicName: string, follower: Follower): void {
    const [channel = "", symbol = "", interval = ""] = topicName.split("|");
    const intervals = this.#topics.get(channel)?.get(symbol);
    const known = intervals?.get(interval);
    if (!known?.delete(follower) || known.size > 0) return;
    intervals?.delete(interval);
  }

  wanted(channel: string, symbol: string, interval: string | null): boolean {
    return this.#followersOf(channel, symbol, interval) !== undefined;
  }

  intervals(channel: string, symbol: string): Iterable<string> {
    return this.#topics.get(channel)?.get(symbol)?.keys() ?? [];
  }

  #followersOf(channel: string, symbol: string, interval: string | null): Set<Follower> | undefined {
    return this.#topics
      .get(channel)
      ?.get(symbol)
      ?.get(interval ?? "");
  }

  publish(channel: string, symbol: string, interval: string | null, data: unknown): void {
    if (!this.wanted(channel, symbol, interval)) return;
    for (const frame of this.#faults.marketFrames({ channel, symbol, interval, data })) this.release(frame);
  }

  /** Sends a frame to all followers, without the faults. */
  release(frame: MarketFrame): void {
    const followers = this.#followersOf(frame.channel, frame.symbol, frame.interval);
    if (!followers) return;
    const shared = this.#serialise(frame);
    for (const follower of followers) this.#deliver(follower, frame, shared);
  }

  /** Sends one frame to one new follower: the current state. */
  greet(follower: Follower, topic: Topic, data: unknown): void {
    const { channel, symbol, interval } = topic;
    for (const frame of this.#faults.marketFrames({ channel, symbol, interval, data })) {
      follower.socket.send(this.#serialise(frame));
    }
  }

  /** Sends a fresh snapshot to skipped followers, as soon as their sockets have drained. */
  mendBooks(book: (symbol: string) => BookFeed | null): void {
    for (const [symbol, intervals] of this.#topics.get("ORDER_BOOK") ?? []) {
      for (const follower of intervals.get("") ?? []) {
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
