/** Past candles from outside of the venue: a folder on this machine, the practice market, a public address. */
import type { Candle } from "./market.ts";

/** Rows come oldest first and may be fewer than asked for; volumes are in base units. An unreachable source has none. */
export interface CandleSource {
  /** For people. */
  readonly name: string;
  /** Most rows of one answer. */
  readonly most: number;
  /** The newest `limit` bars; of those before `beforeMs` where the source can say so. */
  candles(symbol: string, interval: string, limit: number, beforeMs?: number): Promise<readonly Candle[]>;
}
