/**
 * Loads missing history into the context from one source after the other, in the background: one symbol at a time, with
 * a pause after each, so that no source is asked often and no tick waits. Symbols without a source are named and tried
 * again later. A history that does not lead to the present price belongs to another market and is refused.
 */
import type { Context } from "../context/context.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { DAY_MS, formatSpan, HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { CandleSource, Candle } from "../domain/market.ts";
import { baseOf } from "../domain/symbol.ts";

/** A symbol with this much history counts as known: nearly complete three weeks of hours and two days of minutes. */
const NEEDED = [
  { interval: "1H", stepMs: HOUR_MS, forMs: 21 * DAY_MS, askedMs: 50 * DAY_MS },
  { interval: "1m", stepMs: MINUTE_MS, forMs: 2 * DAY_MS, askedMs: 2 * DAY_MS },
] as const;
type Need = (typeof NEEDED)[number];
const WHOLE_FROM = 0.95;
/** Between two requests; every public limit allows far more. */
const PAUSE_MS = 600;
const PRICE_WITHIN_MS = 15_000;
const LOOK_MS = 500;
const AGAIN_AFTER_MS = 5 * MINUTE_MS;
const NAMES_SHOWN = 6;

export interface FillSetup {
  readonly clock: Clock;
  readonly log: Log;
  readonly context: Pick<Context, "barsSince" | "quote" | "contractSize" | "warmUp">;
  readonly symbols: readonly string[];
  /** In order of preference. */
  readonly sources: readonly CandleSource[];
}

/** `lacking` are symbols with less than three weeks of hours or two days of minutes. */
export interface HistoryStatus {
  readonly symbols: number;
  readonly lacking: readonly string[];
  readonly sources: readonly string[];
}

export interface HistoryLoader {
  status(): HistoryStatus;
  /** Resolves when everything is known or `signal` aborts; never throws. */
  fill(signal: AbortSignal): Promise<void>;
}

export function createHistory(setup: FillSetup): HistoryLoader {
  const { clock, log, symbols, sources } = setup;
  const lacking = (): readonly string[] =>
    symbols.filter((symbol) => NEEDED.some((need) => !isKnown(setup, symbol, need)));
  return {
    status: () => ({ symbols: symbols.length, lacking: lacking(), sources: sources.map(({ name }) => name) }),
    fill: async (signal) => {
      try {
        await firstPrices(setup, signal);
        const failed = new Set<string>();
        for (let logged: string | null = null; !signal.aborted;) {
          const found = new Map<string, number>();
          for (const source of sources) await fillFrom(setup, source, { found, failed, signal });
          const left = lacking();
          const words = filledWords(symbols.length, left, found, sources.length);
          if (words !== logged && !signal.aborted)
            log.event(left.length === 0 ? "info" : "warn", "history.filled", words, { lacking: left });
          logged = words;
          if (left.length === 0 || sources.length === 0) return;
          await clock.sleep(AGAIN_AFTER_MS * clock.scale, signal);
        }
      } catch (cause) {
        log.event("warn", "history.failed", `history could not be loaded: ${String(cause).slice(0, 200)}`);
      }
    },
  };
}

function filledWords(
  symbols: number,
  lacking: readonly string[],
  found: ReadonlyMap<string, number>,
  sources: number,
): string {
  const from = [...found].map(([name, count]) => `${count} from the ${name}`).join(", ");
  const known = `three weeks of hours and two days of minutes are available for ${symbols - lacking.length} of ${symbols} symbols`;
  const names = lacking.slice(0, NAMES_SHOWN).map(baseOf).join(", ");
  const more = lacking.length > NAMES_SHOWN ? ` and ${lacking.length - NAMES_SHOWN} more` : "";
  const next =
    sources === 0
      ? "; name a folder or a public source under `history`"
      : `; asked again in ${formatSpan(AGAIN_AFTER_MS)}`;
  return `${known}${from === "" ? "" : ` (${from})`}${lacking.length === 0 ? "" : `; lacking: ${names}${more}${next}`}`;
}

/** Enough of the bars of the required span are present. */
const isKnown = ({ clock, context }: FillSetup, symbol: string, { interval, stepMs, forMs }: Need): boolean =>
  context.barsSince(symbol, interval, clock.nowMs() - forMs - stepMs) >= (WHOLE_FROM * forMs) / stepMs;

/** Waits briefly for live prices, against which a history is checked. */
async function firstPrices({ clock, context, symbols }: FillSetup, signal: AbortSignal): Promise<void> {
  const untilMs = clock.nowMs() + PRICE_WITHIN_MS * clock.scale;
  while (!signal.aborted && clock.nowMs() < untilMs) {
    if (symbols.every((symbol) => priceOf(context, symbol, clock.nowMs()) !== null)) return;
    await clock.sleep(LOOK_MS * clock.scale, signal);
  }
}

function priceOf(context: FillSetup["context"], symbol: string, nowMs: number): number | null {
  const { mark, last } = context.quote(symbol, nowMs);
  return mark ?? last;
}

interface Filling {
  /** Symbols that received history, by source. */
  readonly found: Map<string, number>;
  /** Sources whose failure has been reported. */
  readonly failed: Set<string>;
  readonly signal: AbortSignal;
}

async function fillFrom(setup: FillSetup, source: CandleSource, filling: Filling): Promise<void> {
  const { clock, context, symbols } = setup;
  const { found, signal } = filling;
  for (const symbol of symbols) {
    let got = false;
    for (const need of NEEDED) {
      if (signal.aborted) return;
      if (isKnown(setup, symbol, need)) continue;
      const bars = await barsFrom(setup, source, { symbol, need, filling });
      const price = priceOf(context, symbol, clock.nowMs());
      if (price === null || !continues(bars, price, clock.nowMs(), need.stepMs)) continue;
      context.warmUp(symbol, need.interval, bars);
      got = true;
    }
    if (got) found.set(source.name, (found.get(source.name) ?? 0) + 1);
  }
}

interface Asked {
  readonly symbol: string;
  readonly need: Need;
  readonly filling: Filling;
}

/**
 * Closed bars of the span, oldest first, page by page while the source has older ones. Volumes are converted to order
 * units.
 */
async function barsFrom(
  { clock, context, log }: FillSetup,
  source: CandleSource,
  { symbol, need, filling: { failed, signal } }: Asked,
): Promise<readonly Candle[]> {
  const failing = (cause: unknown): readonly Candle[] => {
    const what = `the ${source.name} cannot be read: ${String(cause).slice(0, 200)}`;
    if (!failed.has(source.name)) log.event("warn", "history.failed", what);
    failed.add(source.name);
    return [];
  };
  const { interval, stepMs, askedMs } = need;
  const nowMs = clock.nowMs();
  const unit = context.contractSize(symbol);
  const bars = new Map<number, Candle>();
  let beforeMs: number | undefined;
  const wanted = Math.ceil(askedMs / stepMs);
  for (let pages = Math.ceil(wanted / source.most); pages > 0 && !signal.aborted; pages--) {
    const page = await source.candles(symbol, interval, Math.min(wanted, source.most), beforeMs).catch(failing);
    await clock.sleep(PAUSE_MS * clock.scale, signal);
    const oldestMs = page[0]?.openMs;
    for (const bar of page)
      if (bar.openMs + stepMs <= nowMs && bar.openMs >= nowMs - askedMs)
        bars.set(bar.openMs, { ...bar, volume: bar.volume / unit });
    if (oldestMs === undefined || oldestMs <= nowMs - askedMs || (beforeMs !== undefined && oldestMs >= beforeMs))
      break;
    beforeMs = oldestMs;
  }
  return [...bars.values()].sort((a, b) => a.openMs - b.openMs);
}

/** A price may always have moved this far, and beyond that by this many of its typical steps. */
const JUMP_MIN = 0.05;
const JUMP_STEPS = 8;
/** The newest bars, from which the typical move is taken. */
const BARS_JUDGED = 240;

/** Whether bars of `stepMs` can lead to this price in the time since. */
export function continues(bars: readonly Candle[], price: number, atMs: number, stepMs: number = MINUTE_MS): boolean {
  const last = bars.at(-1);
  if (!last) return false;
  const moves = bars.slice(-BARS_JUDGED).map((bar) => Math.log(bar.close / bar.open));
  const usual = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length);
  const steps = Math.max(1, (atMs - last.openMs) / stepMs);
  return Math.abs(Math.log(price / last.close)) <= Math.max(JUMP_MIN, JUMP_STEPS * usual * Math.sqrt(steps));
}
