/** The recorded windows that the measurements of the rules use. */
import { DAY_MS, utcDay } from "../../src/core/time.ts";

/** A span of a window of a data folder, starting where a rule has the weeks before it as history. */
export interface Source {
  readonly window: string;
  /** UTC date. */
  readonly from: string;
  readonly days: number;
  /** Base assets, separated by commas. */
  readonly symbols: string;
}

const OLD = "BTC,ETH,XRP,ADA,LTC,BCH";

/** For rules that look back days: inside an hour the path is drawn, so a rule that looks at minutes sees the drawing. */
export const HOURLY: readonly Source[] = [
  { window: "klines-1h/perp-2020-02_04", from: "2020-03-08", days: 28, symbols: OLD },
  { window: "klines-1h/perp-2021-05_06", from: "2021-05-22", days: 28, symbols: OLD },
  { window: "klines-1h/perp-2022-01_03", from: "2022-01-22", days: 28, symbols: OLD },
  { window: "klines-1h/perp-2022-05_07", from: "2022-05-22", days: 28, symbols: OLD },
  { window: "klines-1h/perp-2022-10_12", from: "2022-11-05", days: 28, symbols: OLD },
  { window: "klines-1h/perp-2024-07_09", from: "2024-08-10", days: 28, symbols: OLD },
  { window: "klines-1h/perp-2025-01_02", from: "2025-01-22", days: 28, symbols: OLD },
  {
    window: "klines-1h/perp-2025-05_2026-03",
    from: "2025-06-01",
    days: 280,
    symbols: "BTC,ETH,SOL,XRP,BNB,DOGE,LINK,SUI,LTC,BCH",
  },
];

/** Perpetuals in bars of a minute. Each begins three weeks into its window or, where it is shorter, one week. */
export const MINUTES: readonly Source[] = [
  { window: "klines-1m/perp-2025-05_06", from: "2025-05-26", days: 28, symbols: "BTC,ETH,SOL,XRP,BNB,LTC,ADA" },
  { window: "klines-1m/perp-2026-01_02", from: "2026-01-12", days: 25, symbols: "BCH,DOGE,LINK,SUI,XLM,XRP,HBAR,ZEC" },
];

/** The same for spot candles, which have no funding. */
export const SPOT_MINUTES: readonly Source[] = [
  { window: "klines-1m/spot-2022-06_07", from: "2022-06-22", days: 27, symbols: "BTC" },
  { window: "klines-1m/spot-2025-01_02", from: "2025-01-08", days: 27, symbols: "BTC,ETH,SOL,XRP" },
];

/** Consecutive stretches of a source that do not overlap; what is left at its end is omitted. */
export function stretchesOf({ days, from, ...source }: Source, length: number): readonly Source[] {
  const startMs = Date.parse(`${from}T00:00:00Z`);
  const count = Math.max(1, Math.floor(days / length));
  return Array.from({ length: count }, (_, at) => ({
    ...source,
    from: utcDay(startMs + at * length * DAY_MS),
    days: Math.min(days, length),
  }));
}
