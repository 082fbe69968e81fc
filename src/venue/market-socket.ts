/**
 * One connection of the market stream: logs in, subscribes in paced batches, tracks wanted and acknowledged
 * subscriptions, passes valid frames on. Spec: 1 §4.7, §5.3, §6.1, §8.2; records §10.
 */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { NetEnv } from "../net/network.ts";
import type { MarketSink, MarketSubscription } from "../domain/market.ts";
import type { RateLimiter } from "../net/rate-limit.ts";
import { createSocket, type Socket } from "../net/socket.ts";
import { MARKET_STREAM_LIMITS } from "../protocol/limits.ts";
import { loginMessage, type MarketAck, readMarketAck, subscribeMessage } from "../protocol/market/messages.ts";
import { intervalOf, type PushAddress } from "./market-push.ts";
import { type PushFrame, PushReader } from "./push-reader.ts";
import { refusedFrames, signedLogin, type StreamKeys } from "./stream-login.ts";
import { createSubscriptions, itemKey, keyOf, type Subscriptions } from "./subscriptions.ts";
import { notePong, type VenueClock } from "./venue-clock.ts";

/** Dependencies shared by all sockets of a market stream, and this socket's name. */
export interface MarketSocketOptions {
  readonly env: NetEnv;
  readonly log: Log;
  readonly name: string;
  readonly url: string;
  readonly keys: StreamKeys | null;
  readonly sink: MarketSink;
  /** Shared by all sockets, because the subscribe rate is limited per address. */
  readonly limiter: RateLimiter;
  readonly venueClock: VenueClock;
  readonly onChange: () => void;
}

/** One connection and its wanted subscriptions. */
export interface MarketSocket {
  want(subscriptions: readonly MarketSubscription[]): void;
  start(): void;
  stop(): void;
  readonly socket: Socket;
  readonly subscriptions: Subscriptions;
}

/** A pong later than this means that the socket is half open. Fault M1. */
const PONG_WITHIN_MS = 5_000;
/**
 * Items per subscribe request, and requests per second: below 50 per second of an address, whichever of the two
 * counts.
 */
const BATCH = 20;
const PACE = { requests: 2, perMs: 1_000 };
const TICK_MS = 1_000;
const SNAPSHOT_WITHIN_MS = 2_000;
const LOGIN_WITHIN_MS = 10_000;
const LOGIN_AGAIN_MS = 30_000;

/** A market socket that is idle until `start`. */
export const createMarketSocket = (options: MarketSocketOptions): MarketSocket => new OneMarketSocket(options);

interface Batch {
  readonly event: "subscribe" | "unsubscribe";
  readonly items: readonly MarketSubscription[];
}

class OneMarketSocket implements MarketSocket {
  readonly socket: Socket;
  readonly subscriptions: Subscriptions;
  readonly #options: MarketSocketOptions;
  readonly #clock: Clock;
  readonly #pushes: PushReader;
  readonly #refuse: (reason: string) => void;
  /** Subscriptions to end: no longer wanted, or about to restart. */
  readonly #leaving: MarketSubscription[] = [];
  #login: "none" | "asked" | "ok" | "refused" = "none";
  #loginAtMs = 0;
  /** Counts connections, so that a batch that waited for its slot goes only to its own connection. */
  #generation = 0;
  #pumping = false;
  #stopTick: () => void = () => undefined;

  constructor(options: MarketSocketOptions) {
    const { env, log, url, name, venueClock } = options;
    this.#options = options;
    this.#clock = env.clock;
    this.#refuse = refusedFrames(log, name);
    this.subscriptions = createSubscriptions(env.network?.stepMs, options.onChange);
    this.#pushes = new PushReader(options.sink, {
      wanted: (key) => this.subscriptions.heard(key, this.#now()),
      message: (frame) => this.#acknowledged(frame),
      gap: (push) => this.#gap(push),
      refuse: this.#refuse,
    });
    this.socket = createSocket(env, log, {
      url,
      name,
      heartbeat: { style: "json", everyMs: MARKET_STREAM_LIMITS.pingEveryMs },
      silenceMs: MARKET_STREAM_LIMITS.pingEveryMs + PONG_WITHIN_MS,
      on: {
        open: () => this.#opened(),
        bytes: (bytes, length, atMs) => this.#pushes.readBytes(bytes, length, atMs),
        frame: (value, atMs) => this.#pushes.readFrame(value, atMs),
        down: () => this.#lost(),
        pong: (venueMs, sentAtMs, receivedAtMs) =>
          notePong(venueClock, { venueMs, sentAtMs, receivedAtMs }, this.#now()),
      },
    });
  }

  want(wanted: readonly MarketSubscription[]): void {
    this.#leaving.push(...this.subscriptions.want(wanted, this.#now()));
    void this.#pump();
  }
  start(): void {
    const tickMs = Math.max(TICK_MS, this.#options.env.network?.stepMs ?? 0);
    this.#stopTick = this.#clock.every(tickMs, () => this.#tick());
    this.socket.start();
  }
  stop(): void {
    this.#stopTick();
    this.#generation++;
    this.socket.stop();
  }

  #now(): number {
    return this.#clock.monotonicMs();
  }
  #isUp(): boolean {
    return this.socket.health().state === "up";
  }
  #opened(): void {
    this.#generation++;
    this.#login = "none";
    this.#leaving.length = 0;
    this.subscriptions.reset(this.#now());
    if (this.#options.keys) this.#logIn(this.#options.keys);
    else void this.#pump();
    this.#options.onChange();
  }
  #lost(): void {
    for (const item of this.subscriptions.items.values()) this.#emptyBook(item.subscription);
    this.subscriptions.reset(this.#now());
    this.#options.onChange();
  }
  #logIn(keys: StreamKeys): void {
    this.#login = "asked";
    this.#loginAtMs = this.#now();
    this.socket.send(loginMessage(signedLogin(keys, this.#options.venueClock)));
  }
  #loggedIn(ack: MarketAck): void {
    const { log, name } = this.#options;
    this.#login = ack.ok ? "ok" : "refused";
    if (!ack.ok) {
      const fields = { stream: name, code: ack.code, reason: ack.message };
      log.event(
        "error",
        "stream.down",
        `${name}: login refused with ${ack.code} (${ack.message}), going on without`,
        fields,
      );
    }
    for (const [key, item] of this.subscriptions.items) {
      // A subscription refused without a login may be accepted now.
      if (ack.ok && item.state === "refused") this.subscriptions.renew(key, this.#now());
    }
    void this.#pump();
  }

  /** Clears a book that is no longer updated, so that nobody trades on its levels. */
  #emptyBook(subscription: MarketSubscription): void {
    if (subscription.channel !== "ORDER_BOOK") return;
    const { sink } = this.#options;
    this.#pushes.forgetBook(subscription.symbol);
    sink.bookBegin(subscription.symbol, true, 0, 0);
    sink.bookEnd();
  }
  #tick(): void {
    if (!this.#isUp()) return;
    const waitedMs = this.#now() - this.#loginAtMs;
    if (this.#login === "asked" && waitedMs > LOGIN_WITHIN_MS) this.#login = "refused";
    if (this.#login === "refused" && this.#options.keys && waitedMs > LOGIN_AGAIN_MS) this.#logIn(this.#options.keys);
    void this.#pump();
  }
  /** Sends what is due, one paced batch after the other; only one pump runs at a time. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      let more = true;
      while (more) more = await this.#sayBatch();
    } finally {
      this.#pumping = false;
    }
  }
  async #sayBatch(): Promise<boolean> {
    const batch = this.#nextBatch();
    if (!batch) return false;
    const mine = this.#generation;
    const target = { priority: "read", patienceMs: 120_000 } as const;
    const slot = await this.#options.limiter.take("market subscribe", PACE, target);
    if (!slot.ok || mine !== this.#generation) return false;
    if (!this.socket.send(subscribeMessage(batch.event, batch.items))) return false;
    if (batch.event === "subscribe") this.subscriptions.asked(batch.items, this.#now());
    else for (const item of batch.items) this.subscriptions.renew(keyOf(item), this.#now());
    return true;
  }
  #nextBatch(): Batch | null {
    if (!this.#isUp() || this.#login === "asked") return null;
    const { fresh, silent } = this.subscriptions.due(this.#now());
    for (const item of silent) {
      this.#emptyBook(item);
      this.subscriptions.renew(keyOf(item), this.#now());
      this.#leaving.push(item);
    }
    if (this.#leaving.length > 0) return { event: "unsubscribe", items: this.#leaving.splice(0, BATCH) };
    return fresh.length > 0 ? { event: "subscribe", items: fresh.slice(0, BATCH) } : null;
  }

  #gap({ key, symbol }: PushAddress): void {
    const item = this.subscriptions.items.get(key);
    // Updates of the old subscription may still arrive before the new snapshot; one request is enough.
    if (item?.state !== "acknowledged" || this.#now() - item.sinceMs < SNAPSHOT_WITHIN_MS) return;
    const { log, name } = this.#options;
    log.event("warn", "stream.stale", `the book of ${symbol} has a gap`, { stream: name, symbol });
    this.#emptyBook(item.subscription);
    this.#leaving.push(item.subscription);
    this.subscriptions.renew(key, this.#now());
    void this.#pump();
  }
  #acknowledged(frame: PushFrame): void {
    const ack = readMarketAck(frame);
    if (!ack) return this.#refuse("an ack that cannot be read");
    if (ack.event === "login") return this.#loggedIn(ack);
    const isError = ack.event === "error";
    if (!isError && ack.event !== "subscribe") return;
    for (const item of ack.items) {
      const key = itemKey(item.channel, item.sym ?? item.instId ?? "", intervalOf(item.interval));
      if (ack.ok) this.subscriptions.acknowledged(key, this.#now());
      else this.subscriptions.refused(key, ack.code, this.#now());
    }
    if (isError && ack.items.length === 0 && this.#login !== "asked") this.subscriptions.blamed(ack.code, this.#now());
    if (!ack.ok) this.#refuse(`${isError ? "error" : "subscription refused with"} ${ack.code}: ${ack.message}`);
    this.#options.onChange();
    void this.#pump();
  }
}
