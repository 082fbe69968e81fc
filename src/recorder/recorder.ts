/**
 * Records what the agent sees anyway: final minute bars, funding as it settles, open interest and news, as files that
 * `ballast sim --data` plays and the next start reads. It never holds anything up: rows wait in memory and are written in
 * the background; what cannot be written is dropped and counted. Format: docs/DATA-FORMAT.md.
 */
import type { Clock } from "../core/clock.ts";
import { filling, type Gauge } from "../core/gauge.ts";
import type { Log } from "../core/log.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { MarketSink } from "../domain/market.ts";
import type { NewsItem } from "../domain/news-item.ts";
import type { Funding } from "../domain/position.ts";
import { GrowingFolder } from "./files.ts";
import * as layout from "./layout.ts";
import { candleLine, fundingLine, interestLine, newsLine } from "./lines.ts";
import { Minutes } from "./minutes.ts";

export interface RecorderOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly dir: string;
  readonly quotaBytes: number;
  /** Canonical symbols of one exchange. */
  readonly symbols: readonly string[];
}

export interface RecorderStatus {
  readonly dir: string;
  readonly candles: number;
  readonly fundings: number;
  readonly interests: number;
  readonly news: number;
  /** Bars left out because the stream was away at their end. */
  readonly leftOut: number;
  /** Rows that could not be written. */
  readonly lost: number;
  readonly bytes: number;
}

export interface Recorder {
  /** The same sink with the recorder listening; what it does not need costs nothing. */
  tee(sink: MarketSink): MarketSink;
  funding(funding: Funding): void;
  news(item: NewsItem): void;
  /** The market stream was away. */
  gap(): void;
  start(): Promise<void>;
  /** Writes what waits. The bars that are running are not final and are left out. */
  stop(): Promise<void>;
  status(): RecorderStatus;
  gauges(): readonly Gauge[];
}

const FLUSH_MS = 5 * SECOND_MS;
const INTEREST_EVERY_MS = 5 * MINUTE_MS;
const PENDING_MAX = 20_000;
const COMPLAIN_EVERY_MS = 60 * MINUTE_MS;

interface Row {
  readonly file: string;
  readonly header: string | null;
  readonly line: string;
  /** Rows at or before the file's last one are not written again; null where order does not matter. */
  readonly openMs: number | null;
}

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
  #pending: Row[] = [];
  #writing: Promise<void> = Promise.resolve();
  #full = false;
  #complainedMs = -Infinity;
  #nowMs = 0;
  #count = { candles: 0, fundings: 0, interests: 0, news: 0, lost: 0 };
  #stopTimer: () => void = () => undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#folder = new GrowingFolder(options.dir, options.quotaBytes);
    this.#names = new Map(
      options.symbols.flatMap((symbol): [string, string][] => {
        const name = layout.dataSymbol(symbol);
        return name === null ? [] : [[symbol, name]];
      }),
    );
    this.#minutes = new Minutes([...this.#names.keys()], (symbol, bar) => {
      const file = layout.candleFile(this.#names.get(symbol) ?? symbol, layout.monthOf(bar.openMs));
      if (this.#wait({ file, header: layout.CANDLE_HEADER, line: candleLine(bar), openMs: bar.openMs }))
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

  /** A rate is known as settled when the next settlement is told: the last one heard before it counts. */
  funding(funding: Funding): void {
    const name = this.#names.get(funding.symbol);
    const before = this.#funding.get(funding.symbol);
    if (name === undefined) return;
    this.#funding.set(funding.symbol, funding);
    if (!before || funding.nextFundingAtMs <= before.nextFundingAtMs) return;
    const atMs = before.nextFundingAtMs;
    const file = layout.fundingFile(layout.monthOf(atMs));
    const line = fundingLine(name, atMs, before.rate);
    if (this.#wait({ file, header: layout.FUNDING_HEADER, line, openMs: null })) this.#count.fundings++;
  }

  news(item: NewsItem): void {
    const file = layout.newsFile(layout.monthOf(this.#options.clock.nowMs()));
    if (this.#wait({ file, header: null, line: newsLine(item), openMs: null })) this.#count.news++;
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
      this.#complain(cause);
    }
    this.#stopTimer = clock.every(FLUSH_MS, () => void this.#flush());
  }

  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#flush();
  }

  status(): RecorderStatus {
    const { dir } = this.#options;
    return { dir, ...this.#count, leftOut: this.#minutes.leftOut, bytes: this.#folder.bytes };
  }

  gauges(): readonly Gauge[] {
    // A month's turn holds the files of two months for a moment.
    const files = 2 * (this.#names.size + 3);
    return [
      filling("recorder.pending", this.#pending.length, PENDING_MAX),
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
    if (this.#wait({ file, header: layout.INTEREST_HEADER, line, openMs: null })) this.#count.interests++;
  }

  #wait(row: Row): boolean {
    if (this.#pending.length < PENDING_MAX) return this.#pending.push(row) > 0;
    this.#count.lost++;
    return false;
  }

  /** One writing after the other; never throws. */
  #flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write()).catch((cause: unknown) => this.#complain(cause));
    return this.#writing;
  }

  async #write(): Promise<void> {
    const rows = this.#pending;
    if (rows.length === 0) return;
    this.#pending = [];
    const month = layout.monthOf(this.#options.clock.nowMs());
    if (!(await this.#roomIn(month))) {
      this.#count.lost += rows.length;
      return;
    }
    const byFile = new Map<string, Row[]>();
    for (const row of rows) {
      const mine = byFile.get(row.file);
      if (mine) mine.push(row);
      else byFile.set(row.file, [row]);
    }
    let left = rows.length;
    try {
      for (const [file, mine] of byFile) {
        await this.#writeFile(file, mine);
        left -= mine.length;
      }
    } finally {
      this.#count.lost += left;
    }
    this.#folder.forget(month);
  }

  async #writeFile(file: string, rows: readonly Row[]): Promise<void> {
    const { lastLine } = await this.#folder.opened(file, rows[0]?.header ?? null);
    const lastMs = Number(lastLine.split(",")[0]);
    const later = rows.filter(({ openMs }) => openMs === null || !(openMs <= lastMs));
    await this.#folder.append(file, later.map(({ line }) => line).join(""));
  }

  async #roomIn(month: string): Promise<boolean> {
    const { fits, removed } = await this.#folder.prune(month);
    if (removed.length > 0 || (!fits && !this.#full)) {
      const text = fits
        ? `removed what was recorded in ${removed.join(", ")}: the quota is reached`
        : "the quota is reached by this month alone: nothing more is recorded";
      this.#options.log.event("warn", "recorder.pruned", text, { dir: this.#options.dir });
    }
    this.#full = !fits;
    return fits;
  }

  #complain(cause: unknown): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#complainedMs < COMPLAIN_EVERY_MS) return;
    this.#complainedMs = nowMs;
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#options.log.event("warn", "recorder.failed", reason.slice(0, 200), { lost: this.#count.lost });
  }
}
