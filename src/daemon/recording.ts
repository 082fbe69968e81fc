/** Where the daemon records, and how a start reads the recording back. Decides which recordings are trusted. */
import type { Config } from "../config/config.ts";
import type { Context } from "../context/context.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { formatSpan, HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";
import { recordingDir } from "../ops/paths.ts";
import { createRecorder, type Recorder } from "../recorder/recorder.ts";
import { continues } from "../history/fill-history.ts";
import { dataSymbol } from "../recorder/layout.ts";
import { RELOAD_MS, reloadCandles, reloadFunding, reloadInterest, reloadNews } from "../recorder/reload.ts";
import { counted } from "../core/words.ts";

export interface RecordingSetup {
  readonly env: Env;
  readonly log: Log;
  readonly config: Config;
  readonly dataDir: string;
  /**
   * Null for the embedded venue: a practice market begins again with every start, so its recording is not read back.
   */
  readonly restUrl: string | null;
  readonly symbols: readonly string[];
  /** Names of the owner's own sources. */
  readonly sources: readonly string[];
}

/** The recorder and its start, which also reads earlier recordings into the context. */
export interface Recording {
  readonly recorder: Recorder;
  /** Resolves when the recording of earlier runs has been read; never rejects. */
  start(context: Context): Promise<unknown>;
  stop(): Promise<void>;
}

/** Null when recording is switched off. */
export function recordingFor({
  env,
  log,
  config,
  dataDir,
  restUrl,
  symbols,
  sources,
}: RecordingSetup): Recording | null {
  if (!config.recorder.enabled) return null;
  const dir = recordingDir(dataDir, restUrl);
  const recorder = createRecorder({
    clock: env.clock,
    log,
    dir,
    quotaBytes: config.recorder.quotaMb * 1_000_000,
    symbols,
    sources,
  });
  const ending = new AbortController();
  const warm = (context: Context): Promise<unknown> =>
    warmStart({ env, log, context, dir, symbols }, ending.signal).catch((cause: unknown) =>
      log.event("warn", "recorder.failed", `the recording cannot be read: ${String(cause).slice(0, 200)}`),
    );
  return {
    recorder,
    start: (context) => {
      void recorder.start();
      return restUrl === null ? Promise.resolve() : warm(context);
    },
    stop: () => {
      ending.abort();
      return recorder.stop();
    },
  };
}

/** `dir` is the recording of the same venue that is traded. */
export interface WarmStart {
  readonly env: Env;
  readonly log: Log;
  readonly context: Context;
  readonly dir: string;
  readonly symbols: readonly string[];
}

const LOOK_MS = 250;
const PRICES_WITHIN_MS = 15_000;
const NEWS_MS = 12 * HOUR_MS;
const INTEREST_MS = 2 * HOUR_MS;
/** By symbol. `refused` are the symbols of `cold` whose recording does not lead to their live price. */
export interface WarmReport {
  readonly warmed: readonly string[];
  /** Symbols without a recording, or whose recording does not lead to the present price. */
  readonly cold: readonly string[];
  readonly refused: readonly string[];
  /** The shortest and longest gap between the newest recorded bar and now. */
  readonly gapMs: readonly [number, number] | null;
  readonly news: number;
}

/**
 * Reads the recording into the context. Candles are used only if the first live price continues them: a venue that
 * started again has another history. Waits at most 15 seconds for those prices.
 */
export async function warmStart(given: WarmStart, signal: AbortSignal): Promise<WarmReport> {
  const { env, log, context, dir, symbols } = given;
  const nowMs = env.clock.nowMs();
  const news = await reloadNews(dir, nowMs - NEWS_MS);
  for (const item of news) context.onNews(item);
  const interest = await reloadInterest(dir, nowMs - INTEREST_MS);
  const settled = await reloadFunding(dir, nowMs - RELOAD_MS);
  const recorded = new Map<string, readonly Candle[]>();
  for (const symbol of symbols) {
    const bars = await reloadCandles(dir, symbol, nowMs - RELOAD_MS, nowMs);
    if (bars.length > 0) recorded.set(symbol, bars);
  }
  const prices = await firstPrices(given, [...recorded.keys()], signal);
  const atMs = env.clock.nowMs();
  const leads = [...prices].filter(([symbol, price]) => continues(recorded.get(symbol) ?? [], price, atMs));
  // A single price may have jumped. If most do not fit, the venue itself started again.
  const warmed = leads.length * 2 >= prices.size ? leads.map(([symbol]) => symbol) : [];
  const refused = [...prices.keys()].filter((symbol) => !warmed.includes(symbol));
  const gaps: number[] = [];
  for (const symbol of warmed) {
    const bars = recorded.get(symbol) ?? [];
    context.warmUp(symbol, "1m", bars);
    context.warmUpFunding(symbol, settled.get(dataSymbol(symbol) ?? "") ?? []);
    context.warmUpInterest(symbol, interest.get(dataSymbol(symbol) ?? "") ?? []);
    gaps.push(Math.max(0, atMs - ((bars.at(-1)?.openMs ?? 0) + MINUTE_MS)));
  }
  const cold = symbols.filter((symbol) => !warmed.includes(symbol));
  const gapMs = gaps.length === 0 ? null : ([Math.min(...gaps), Math.max(...gaps)] as const);
  const report = { warmed, cold, refused, gapMs, news: news.length };
  if (recorded.size > 0 || news.length > 0) logWarmed(log, report, symbols.length);
  return report;
}

/** The first live price of each symbol, as far as they arrive in time. */
async function firstPrices(
  { env, context }: WarmStart,
  symbols: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const prices = new Map<string, number>();
  const untilMs = env.clock.nowMs() + PRICES_WITHIN_MS * env.clock.scale;
  for (;;) {
    for (const symbol of symbols) {
      const { mark, last } = context.quote(symbol, env.clock.nowMs());
      const price = mark ?? last;
      if (price !== null && !prices.has(symbol)) prices.set(symbol, price);
    }
    if (prices.size === symbols.length || env.clock.nowMs() >= untilMs || signal.aborted) return prices;
    await env.clock.sleep(LOOK_MS * env.clock.scale, signal);
  }
}

function logWarmed(log: Log, { warmed, cold, refused, gapMs, news }: WarmReport, symbols: number): void {
  const gap = gapMs === null ? [] : [...new Set(gapMs.map((ms) => formatSpan(ms)))];
  const since = gap.length === 0 ? "" : `; the last ${gap.join(" to ")} are missing`;
  const other = refused.length === 0 ? "" : `; ${refused.length} recordings do not lead to the present price`;
  log.event(
    "info",
    "context.warmed",
    `candles of ${warmed.length} of ${counted(symbols, "symbol")} and ${counted(news, "news item")} from the recording${since}${other}`,
    { warmed: warmed.length, cold: cold.length, refused, news, longestGapMs: gapMs?.[1] ?? null },
  );
}
