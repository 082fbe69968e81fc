/**
 * News as one thing: reads the past by query, follows the stream, and reads again what a gap may have hidden. Each story
 * comes out once, and again when it was edited. Knows no context and no strategy. Spec: 2 §4, §6; faults N1 to N6.
 */
import type { Clock } from "../core/clock.ts";
import type { Gauge } from "../core/gauge.ts";
import { describeOutcome } from "../core/outcome.ts";
import type { Log } from "../core/log.ts";
import type { NetEnv } from "../net/network.ts";
import type { NewsItem, NewsKind } from "../domain/news-item.ts";
import type { RateLimiter } from "../net/rate-limit.ts";
import type { AnyNewsRecord } from "../protocol/feeds/news-record.ts";
import { createFeedClient, type FeedClient, type FeedKeys } from "./feed-client.ts";
import { createFeedStream, type FeedStream } from "./feed-stream.ts";
import { createLinker } from "./link-symbols.ts";
import { createNewsInbox, type NewsInbox, STORIES_MAX } from "./news-inbox.ts";
import { ingestedMs } from "./news-item.ts";

/** Addresses, keys and scheme as the feed's client and stream take them; `onItem` must not throw. */
export interface NewsSourceOptions {
  readonly env: NetEnv;
  readonly log: Log;
  readonly restUrl: string;
  readonly wsUrl: string;
  readonly keys: FeedKeys;
  /** How far back the first reading goes. */
  readonly catchUpMs: number;
  /** Bases that are listed for us; items are linked to them by name and ticker too. */
  readonly bases?: readonly string[];
  readonly onItem: (item: NewsItem, how: "new" | "updated") => void;
  readonly scheme?: "header" | "query";
  /** The venue's time, where it is known better than ours: queries are signed by it and ask for spans of it. */
  readonly venueNowMs?: () => number;
  readonly limiter?: RateLimiter;
}

/** Counts since the start; times are our wall clock, null before the first. */
export interface NewsHealth {
  /** The stream is connected and subscribed. */
  readonly up: boolean;
  /** The past that was asked for has been read without holes. False means: do not rely on having seen everything. */
  readonly complete: boolean;
  readonly stories: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly lastItemAtMs: number | null;
  readonly lastFrameAtMs: number | null;
  /** Why it is not up; empty when it is. */
  readonly reason: string;
}

/** `stop` is for good. */
export interface NewsSource {
  start(): void;
  stop(): Promise<void>;
  health(): NewsHealth;
  gauges(): readonly Gauge[];
}

const KINDS: readonly NewsKind[] = ["news", "hot", "featured"];
/** Featured items come by query only, and a query also finds what the stream lost without a sign. */
const SWEEP_EVERY_MS = 300_000;
/** Ingestion may trail publication, so each reading begins this much earlier than it must. */
const OVERLAP_MS = 600_000;
const AGAIN_MS = 30_000;

/** A news source that does nothing until `start`. */
export function createNewsSource(options: NewsSourceOptions): NewsSource {
  const news = new QueriedAndStreamedNews(options);
  return {
    start: () => news.start(),
    stop: () => news.stop(),
    health: () => news.health(),
    gauges: () => news.gauges(),
  };
}

class QueriedAndStreamedNews implements NewsSource {
  readonly #options: NewsSourceOptions;
  readonly #clock: Clock;
  readonly #client: FeedClient;
  readonly #stream: FeedStream;
  readonly #inbox: NewsInbox;
  #duplicates = 0;
  #refused = 0;
  #lastItemAtMs: number | null = null;
  readonly #venueNowMs: () => number;
  /** Everything before this time of the venue has been read; null while nothing has. */
  #readUntilMs: number | null = null;
  #complete = false;
  #sweeping = false;
  /** The stream came up while a reading ran, which ends before what was pushed until then. */
  #again = false;
  #stopped = false;
  #stopTimer: () => void = () => undefined;

  constructor(options: NewsSourceOptions) {
    const { env, log, wsUrl } = options;
    this.#options = options;
    this.#inbox = createNewsInbox(STORIES_MAX, createLinker(options.bases ?? []));
    this.#clock = env.clock;
    this.#venueNowMs = options.venueNowMs ?? (() => env.clock.nowMs());
    this.#client = createFeedClient(options);
    this.#stream = createFeedStream({
      env,
      log,
      url: wsUrl,
      on: {
        item: (record, atMs) => this.#take(record, atMs),
        // What was pushed while we were away is only to be had by query.
        up: () => {
          this.#again = this.#sweeping;
          void this.#sweep();
        },
        down: () => undefined,
      },
    });
  }

  start(): void {
    this.#stream.start();
    void this.#sweep();
  }
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopTimer();
    this.#stream.stop();
    await this.#client.close();
  }
  health(): NewsHealth {
    const { subscribed, reason, lastFrameAtMs, refusedFrames } = this.#stream.health();
    return {
      up: subscribed,
      complete: this.#complete,
      stories: this.#inbox.size(),
      duplicates: this.#duplicates,
      refused: this.#refused + refusedFrames,
      lastItemAtMs: this.#lastItemAtMs,
      lastFrameAtMs,
      reason: subscribed ? "" : reason || "not subscribed",
    };
  }

  gauges(): readonly Gauge[] {
    return this.#inbox.gauges();
  }

  #take(record: AnyNewsRecord, seenMs: number): void {
    const receipt = this.#inbox.accept(record, seenMs);
    if (receipt.kind === "empty") this.#refused++;
    if (receipt.kind === "duplicate") this.#duplicates++;
    if (receipt.kind !== "new" && receipt.kind !== "updated") return;
    this.#lastItemAtMs = this.#clock.nowMs();
    const { key, title, currencies } = receipt.item;
    this.#options.log.event("debug", "news.seen", title, { key, currencies, how: receipt.kind });
    this.#options.onItem(receipt.item, receipt.kind);
  }
  async #sweep(): Promise<void> {
    if (this.#sweeping || this.#stopped) return;
    this.#sweeping = true;
    this.#stopTimer();
    const whole = await this.#readPast();
    this.#sweeping = false;
    if (this.#stopped) return;
    const restMs = this.#again ? 0 : SWEEP_EVERY_MS;
    if (whole) this.#again = false;
    this.#stopTimer = this.#clock.after(whole ? restMs : AGAIN_MS, () => void this.#sweep());
  }
  /** True when all three kinds were read; then the next reading begins here. */
  async #readPast(): Promise<boolean> {
    const endMs = this.#venueNowMs();
    const span = { startMs: (this.#readUntilMs ?? endMs - this.#options.catchUpMs) - OVERLAP_MS, endMs };
    const found: AnyNewsRecord[] = [];
    let holes = false;
    for (const kind of KINDS) {
      const outcome = await this.#client.query(kind, span);
      if (this.#stopped) return false;
      if (outcome.kind !== "done") {
        const reason = describeOutcome(outcome);
        this.#options.log.event("warn", "news.caught-up", `the ${kind} query failed: ${reason}`, { kind });
        this.#complete = false;
        return false;
      }
      this.#refused += outcome.value.refused;
      holes ||= !outcome.value.complete;
      found.push(...outcome.value.items);
    }
    this.#deliver(found, endMs);
    this.#complete = !holes;
    this.#readUntilMs = endMs;
    return true;
  }
  /** Oldest first. An item of the past is as old as its ingestion, by our own clock, or a restart would make all news fresh. */
  #deliver(found: readonly AnyNewsRecord[], readAtMs: number): void {
    const aheadMs = this.#venueNowMs() - this.#clock.nowMs();
    const aged = found.map((record) => ({ record, seenMs: ingestedMs(record, readAtMs) - aheadMs }));
    aged.sort((a, b) => a.seenMs - b.seenMs);
    for (const { record, seenMs } of aged) this.#take(record, seenMs);
    const fields = { items: found.length };
    this.#options.log.event("info", "news.caught-up", `${found.length} items read by query`, fields);
  }
}
