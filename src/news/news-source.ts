/**
 * The complete news source: reads the past by query, follows the stream, and queries again what a gap may have
 * hidden. Each story is delivered once, and again after an edit. Spec: 2 §4, §6; faults N1 to N6.
 */
import type { Clock } from "../core/clock.ts";
import type { Gauge } from "../core/bounded.ts";
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
import { counted } from "../core/words.ts";

/** Addresses, keys and scheme for the feed's client and stream; `onItem` must not throw. */
export interface NewsSourceOptions {
  readonly env: NetEnv;
  readonly log: Log;
  readonly restUrl: string;
  readonly wsUrl: string;
  readonly keys: FeedKeys;
  /** How far back the first reading goes. */
  readonly catchUpMs: number;
  /** Listed base assets; items are also linked to them by name and ticker. */
  readonly bases?: readonly string[];
  readonly onItem: (item: NewsItem, how: "new" | "updated") => void;
  readonly scheme?: "header" | "query";
  /** The venue's time, where known: it signs queries and bounds their spans. */
  readonly venueNowMs?: () => number;
  readonly limiter?: RateLimiter;
}

/** Counts since the start; times are our wall clock, null before the first. */
export interface NewsHealth {
  /** Whether the stream is connected and subscribed. */
  readonly up: boolean;
  /** Whether the requested past was read without gaps. If false, items may be missing. */
  readonly complete: boolean;
  readonly stories: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly lastItemAtMs: number | null;
  readonly lastFrameAtMs: number | null;
  /** Why the stream is not up; empty when it is. */
  readonly reason: string;
}

/** After `stop` it cannot be started again. */
export interface NewsSource {
  start(): void;
  stop(): Promise<void>;
  health(): NewsHealth;
  gauges(): readonly Gauge[];
}

const KINDS: readonly NewsKind[] = ["news", "hot", "featured"];
/** Featured items come only by query, and a query also finds items that the stream lost silently. */
const ACCOUNT_EVERY_MS = 300_000;
/** Ingestion can lag publication, so each reading starts this much earlier than necessary. */
const OVERLAP_MS = 600_000;
const AGAIN_MS = 30_000;

/** A news source that is idle until `start`. */
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
  /** Everything of a kind before this venue time has been read; absent before its first reading. */
  readonly #readUntilMs = new Map<NewsKind, number>();
  #complete = false;
  #sweeping = false;
  /** The stream came up while a reading ran; that reading may miss the latest items, so another follows. */
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
        // Items pushed while we were disconnected are available only by query.
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
    const restMs = this.#again ? 0 : ACCOUNT_EVERY_MS;
    if (whole) this.#again = false;
    this.#stopTimer = this.#clock.after(whole ? restMs : AGAIN_MS, () => void this.#sweep());
  }
  /** True when all three kinds were read. The next reading of a kind starts where its last one ended. */
  async #readPast(): Promise<boolean> {
    const endMs = this.#venueNowMs();
    const found: AnyNewsRecord[] = [];
    let [whole, holes] = [true, false];
    for (const kind of KINDS) {
      const startMs = (this.#readUntilMs.get(kind) ?? endMs - this.#options.catchUpMs) - OVERLAP_MS;
      const outcome = await this.#client.query(kind, { startMs, endMs });
      if (this.#stopped) return false;
      if (outcome.kind !== "done") {
        const reason = describeOutcome(outcome);
        this.#options.log.event("warn", "news.caught-up", `the ${kind} query failed: ${reason}`, { kind });
        whole = false;
        continue;
      }
      this.#refused += outcome.value.refused;
      this.#readUntilMs.set(kind, endMs);
      holes ||= !outcome.value.complete;
      found.push(...outcome.value.items);
    }
    // A kind that cannot be read holds back nothing of the others.
    if (whole || found.length > 0) this.#deliver(found, endMs);
    this.#complete = whole && !holes;
    return whole;
  }
  /** Oldest first. An item's age counts from its ingestion; otherwise a restart would make all old news fresh. */
  #deliver(found: readonly AnyNewsRecord[], readAtMs: number): void {
    const aheadMs = this.#venueNowMs() - this.#clock.nowMs();
    const aged = found.map((record) => ({ record, seenMs: ingestedMs(record, readAtMs) - aheadMs }));
    aged.sort((a, b) => a.seenMs - b.seenMs);
    for (const { record, seenMs } of aged) this.#take(record, seenMs);
    const fields = { items: found.length };
    this.#options.log.event("info", "news.caught-up", `${counted(found.length, "item")} read by query`, fields);
  }
}
