/** Short stretches of made or hand-drawn bars, and a strategy of the test's own over them. */
import { ConfigSchema } from "../../src/config/config.ts";
import type { Config } from "../../src/config/config.ts";
import { loadStrategies } from "../../src/control/strategies.ts";
import { dec } from "../../src/core/decimal.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { DEFAULT_EXCHANGES, perpSymbol } from "../../src/domain/symbol.ts";
import { untimed } from "../../src/harness/untimed.ts";
import { type FastRunOptions, runFast } from "../../src/lab/fast/fast-run.ts";
import type { RowListener } from "../../src/lab/fast/loop-state.ts";
import { barsFor } from "../../src/lab/runs/bars-for.ts";
import { configFor } from "../../src/lab/runs/practice-config.ts";
import { fitRecorded, type Recorded } from "../../src/sim/market/recorded.ts";
import { symbolSpecs } from "../../src/sim/symbol-table.ts";

export const FROM_MS = Date.UTC(2026, 0, 5, 9);

export const configOf = (use: string, symbols: readonly string[]): Config => {
  const config = configFor(
    ConfigSchema.parse({ cadence: { every: "5m", minGap: "60s", firstAfter: "60s" }, risk: { minHolding: "2m" } }),
    { symbols: symbols.join(",") },
  );
  const settings = {
    momentum: { horizon: "fast", entryScore: 0.7, edgeOverCost: 0.2, confirmation: -0.5, minHoldMinutes: 2 },
  };
  return { ...config, strategy: { ...config.strategy, use, shadows: [], settings } };
};

export function madeBars(config: Config, hours: number, seed = 1): readonly Recorded[] {
  const bars = barsFor(config, DEFAULT_EXCHANGES, {
    fromMs: FROM_MS,
    forMs: hours * 60 * MINUTE_MS,
    seed,
    stepMs: 60_000,
  });
  if (!bars.ok) throw new Error(bars.error);
  return bars.value;
}

/** Bars drawn by hand: open, high, low, close of each minute, in whole USDT of BTC. Null is a gap. */
export function drawn(
  bars: readonly (readonly [number, number, number, number] | null)[],
  fundingMinute = 1_000,
): readonly Recorded[] {
  const [spec] = symbolSpecs({ exchanges: DEFAULT_EXCHANGES, phase: 1, only: [perpSymbol("EXCHANGE_A", "BTC")] });
  if (!spec) throw new Error("BTC is in the table");
  const rows = bars.flatMap((bar, minute) => (bar ? [[FROM_MS + minute * MINUTE_MS, ...bar] as const] : []));
  const column = (at: 0 | 1 | 2 | 3 | 4): Float64Array => Float64Array.from(rows, (row) => row[at]);
  const candles = {
    count: rows.length,
    openMs: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: new Float64Array(rows.length).fill(50_000),
    priceDecimals: 0,
    volumeDecimals: 3,
  };
  return [
    fitRecorded({
      spec,
      dataSymbol: "BTCUSDT",
      candles,
      intervalMs: MINUTE_MS,
      funding: [{ atMs: FROM_MS + fundingMinute * MINUTE_MS, rate: dec("0.0001") }],
    }),
  ];
}

export async function strategiesOf(config: Config): Promise<FastRunOptions["strategies"]> {
  const loaded = await loadStrategies(config);
  if (!loaded.ok) throw new Error(loaded.error);
  return untimed(loaded.value);
}

export const run = (
  config: Config,
  recorded: readonly Recorded[],
  more: {
    readonly strategies: FastRunOptions["strategies"];
    readonly minutes: number;
    readonly onRow?: RowListener;
    readonly onMinute?: FastRunOptions["onMinute"];
  },
) => {
  const { strategies, minutes, onRow, onMinute } = more;
  return runFast({
    config,
    strategies,
    recorded,
    fromMs: FROM_MS,
    forMs: minutes * MINUTE_MS,
    exchanges: DEFAULT_EXCHANGES,
    ...(onRow ? { onRow } : {}),
    ...(onMinute ? { onMinute } : {}),
  });
};
