/**
 * Records what the agent receives anyway: final minute bars, settled funding, open interest and news, as files that
 * `ballast sim --data` plays and the next start reads. It never blocks: rows wait in memory and are written in the
 * background; rows that cannot be written are dropped and counted. Format: docs/DATA-FORMAT.md.
 */
import type { Clock } from "../core/clock.ts";
import { filling, type Gauge } from "../core/bounded.ts";
import type { Log } from "../core/log.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { MarketSink } from "../domain/market.ts";
import type { NewsItem } from "../domain/news-item.ts";
import type { Funding } from "../domain/position.ts";
import { GrowingFolder } from "./files.ts";
import * as layout from "./layout.ts";
import { candleLine, fundingLine, interestLine, newsLine, sourceLine, type SourcePoint } from "./lines.ts";
import { Minutes } from "./minutes.ts";
import { PENDING_MAX, RowQueue } from "./row-queue.ts";

/** `dir` is created if missing; above `quotaBytes` the oldest month is removed. */
export interface RecorderOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly dir: string;
  readonly quotaBytes: number;
  /** Canonical symbols of one exchange. */
  readonly symbols: readonly string[];
  /** Names of the sources of the owner's own data; none by default. */
  readonly sources?: readonly string[];
}

/** Rows accepted since the start, by kind; `bytes` is the size of the folder. */
export interface RecorderStatus {
  readonly dir: string;
  readonly candles: number;
  readonly fundings: number;
  readonly interests: number;
  readonly news: number;
  /** Points of the owner's own sources. */
  readonly points: number;
  /** Bars left out because the stream was down at their end, or because they were invalid. */
  readonly leftOut: number;
  /** Rows that could not be written. */
  readonly lost: number;
  readonly bytes: number;
}

/** Nothing here throws, and only `start` and `stop` wait for the disk. */
export interface Recorder {
  /** The same sink with the recorder attached; unrecorded reports cost nothing. */
  tee(sink: MarketSink): MarketSink;
  funding(funding: Funding): void;
  news(item: NewsItem): void;
  /** A point of one of the owner's own sources. */
  point(source: string, point: SourcePoint): void;
  /** The market stream was down. */
  gap(): void;
  start(): Promise<void>;
  /** Writes the waiting rows. Running bars are not final and are left out. */
  stop(): Promise<void>;
  status(): RecorderStatus;
  gauges(): readonly Gauge[];
}

const FLUSH_MS = 5 * SECOND_MS;
const INTEREST_EVERY_MS = 5 * MINUTE_MS;

/** Touches no file before `start`; earlier reports wait. */
export function createRecorder(options: RecorderOptions): Recorder {
  return new BackgroundRecorder(options);
}

class BackgroundRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #folder: GrowingFolder;
  readonly #minutes: Minutes;
  readonly #names: ReadonlyMap<string, string>;
  readonly #funding = new Map<string, Funding>();
  readonly #interestMs = new Map<string, number>();
  readonly #rows: RowQueue;
  #nowMs = 0;
  #count = { candles: 0, fundings: 0, interests: 0, news: 0, points: 0 };
  #stopTimer: () => void = () => undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#folder = new GrowingFolder(options.dir, options.quotaBytes);
    this.#rows = new RowQueue(this.#folder, options.clock, options.log);
    this.#names = new Map(
      options.symbols.flatMap((symbol): [string, string][] => {
        const name = layout.dataSymbol(symbol);
        return name === null ? [] : [[symbol, name]];
      }),
    );
    this.#minutes = new Minutes([...this.#names.keys()], (symbol, bar) => {
      const file = layout.candleFile(this.#names.get(symbol) ?? symbol, layout.monthOf(bar.openMs));
      if (this.#rows.add({ file, header: layout.CANDLE_HEADER, line: candleLine(bar), openMs: bar.openMs }))
        this.#count.candles++;
    });
  }

  tee(sink: MarketSink): MarketSink {
    return {
      ...sink,
      received: (atMs) => {
        this.#nowMs = atMs;
        sink.received(atMs);
      },
      kline: (kind, symbol, interval, openMs, open, high, low, close, volume) => {
        sink.kline(kind, symbol, interval, openMs, open, high, low, close, volume);
        if (interval === "1m" && kind === "KLINE") this.#minutes.bar(symbol, openMs, open, high, low, close, volume);
      },
      openInterest: (symbol, openInterest, tsMs) => {
        sink.openInterest(symbol, openInterest, tsMs);
        this.#interest(symbol, openInterest);
      },
    };
  }

  /** A rate is settled once the next settlement is reported; the last rate before it counts. */
  funding(funding: Funding): void {
    const name = this.#names.get(funding.symbol);
    const before = this.#funding.get(funding.symbol);
    if (name === undefined) return;
    this.#funding.set(funding.symbol, funding);
    if (!before || funding.nextFundingAtMs <= before.nextFundingAtMs) return;
    const atMs = before.nextFundingAtMs;
    const file = layout.fundingFile(layout.monthOf(atMs));
    const line = fundingLine(name, atMs, before.rate);
    if (this.#rows.add({ file, header: layout.FUNDING_HEADER, line, openMs: null })) this.#count.fundings++;
  }

  news(item: NewsItem): void {
    const file = layout.newsFile(layout.monthOf(this.#options.clock.nowMs()));
    if (this.#rows.add({ file, header: null, line: newsLine(item), openMs: null })) this.#count.news++;
  }

  point(source: string, point: SourcePoint): void {
    const file = layout.sourceFile(source, layout.monthOf(point.seenMs));
    if (this.#rows.add({ file, header: null, line: sourceLine(point), openMs: null })) this.#count.points++;
  }

  gap(): void {
    this.#minutes.gap();
  }

  async start(): Promise<void> {
    const { log, dir, clock, quotaBytes } = this.#options;
    try {
      await this.#folder.prepare();
      const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
      log.event(
        "info",
        "recorder.started",
        `recording into ${dir}, ${mb(this.#folder.bytes)} of ${mb(quotaBytes)} MB used`,
        {
          dir,
        },
      );
    } catch (cause) {
      this.#rows.complain(cause);
    }
    this.#stopTimer = clock.every(FLUSH_MS, () => void this.#rows.flush());
  }

  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#rows.flush();
  }

  status(): RecorderStatus {
    const { dir } = this.#options;
    return { dir, ...this.#count, lost: this.#rows.lost, leftOut: this.#minutes.leftOut, bytes: this.#folder.bytes };
  }

  gauges(): readonly Gauge[] {
    // At the turn of a month the files of two months are open briefly.
    const files = 2 * (this.#names.size + 3 + (this.#options.sources?.length ?? 0));
    return [
      filling("recorder.pending", this.#rows.size, PENDING_MAX),
      filling("recorder.files", this.#folder.fileCount, files),
      filling("recorder.funding", this.#funding.size, this.#names.size),
      filling("recorder.interest", this.#interestMs.size, this.#names.size),
    ];
  }

  #interest(symbol: string, openInterest: number): void {
    const name = this.#names.get(symbol);
    const slot = Math.floor(this.#nowMs / INTEREST_EVERY_MS);
    if (name === undefined || !(openInterest >= 0) || this.#interestMs.get(symbol) === slot) return;
    this.#interestMs.set(symbol, slot);
    const file = layout.interestFile(layout.monthOf(this.#nowMs));
    const line = interestLine(name, this.#nowMs, openInterest);
    if (this.#rows.add({ file, header: layout.INTEREST_HEADER, line, openMs: null })) this.#count.interests++;
  }
}
