/** The candles of a recording as one series for each symbol, oldest first, over all its windows. */
import { isoTime } from "../core/time.ts";
import { CANDLE_HEADER } from "./candle-rows.ts";
import { candleFolders, linesOf } from "./folder.ts";

export interface CandleChoice {
  readonly interval: string;
  /** A part of the name in any case; absent: every symbol. */
  readonly symbol?: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** Figures as they stand in the file. */
export interface RecordedCandle {
  readonly symbol: string;
  readonly openAt: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** A candle in two windows is returned once, as in the later window. Invalid lines are left out. */
export function recordedCandles(dir: string, choice: CandleChoice): readonly RecordedCandle[] {
  const part = choice.symbol?.toUpperCase();
  const found = new Map<string, Map<number, RecordedCandle>>();
  for (const { interval, files } of candleFolders(dir)) {
    if (interval !== choice.interval) continue;
    for (const [symbol, file] of files) {
      if (part !== undefined && !symbol.includes(part)) continue;
      const series = found.get(symbol) ?? new Map<number, RecordedCandle>();
      found.set(symbol, series);
      for (const line of linesOf(dir, file)) {
        const [time = "", open = "", high = "", low = "", close = "", volume] = line.split(",");
        const openMs = Number(time);
        if (line === CANDLE_HEADER || volume === undefined || !(openMs >= choice.fromMs && openMs < choice.toMs))
          continue;
        series.set(openMs, { symbol, openAt: isoTime(openMs), open, high, low, close, volume });
      }
    }
  }
  return [...found.keys()]
    .sort()
    .flatMap((symbol) => [...(found.get(symbol) ?? [])].sort(([a], [b]) => a - b).map(([, candle]) => candle));
}
