/** The rank of a run among rivals, over many pools. */
import { mean, quantile } from "simple-statistics";
import { HOUR_MS } from "../../core/time.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { candleIndexFrom } from "../../sim/market/recorded.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { Scoring } from "../../domain/scoring.ts";
import { rivalPool, type RivalMarket, type RivalPoolOptions } from "./rivals.ts";
import { placeField } from "./scoring.ts";

/** Over pools of different seeds. Percentiles are 0 to 100: the share of the field that ranks behind it. */
export interface PoolRanking {
  readonly composite: number;
  readonly percentile: number;
  /** Interval that contains nine of ten pools. */
  readonly percentileLow: number;
  readonly percentileHigh: number;
  /** Share of the pools in which it is among the first three. */
  readonly topThree: number;
  readonly eliminated: boolean;
  /** Share of the rivals that were eliminated. */
  readonly rivalsEliminated: number;
  readonly rivals: number;
  readonly pools: number;
}

export interface PlaceOptions extends Omit<RivalPoolOptions, "seed"> {
  readonly scoring: Scoring;
  readonly pools: number;
  readonly seed: number;
}

const OURS = "ours";

export const placeOf = (points: readonly EquityPoint[], options: PlaceOptions): PoolRanking => {
  const [place] = placesOf([points], options);
  if (!place) throw new Error("one run has one place");
  return place;
};

/** Each run is ranked alone in the same pools of rivals, so that only the run differs. */
export function placesOf(
  runs: readonly (readonly EquityPoint[])[],
  { scoring, pools, seed, ...pool }: PlaceOptions,
): readonly PoolRanking[] {
  const found = Array.from({ length: pools }, (_, at) => {
    const rivals = rivalPool({ ...pool, seed: `${seed}:${at}` });
    return runs.map((points) => {
      const field = placeField([{ name: OURS, points, uptime: 1 }, ...rivals], scoring);
      const ours = field.find(({ name }) => name === OURS);
      if (!ours) throw new Error("the run is in its own field");
      return {
        ...ours,
        percentile: (100 * (field.length - ours.rank)) / Math.max(1, field.length - 1),
        gone: field.filter(({ name, eliminated }) => name !== OURS && eliminated).length / Math.max(1, rivals.length),
      };
    });
  });
  return runs.map((_points, run) => {
    const inPools = found.flatMap((pooled) => pooled[run] ?? []);
    const percentiles = inPools.map(({ percentile }) => percentile);
    return {
      composite: mean(inPools.map(({ composite }) => composite)),
      percentile: mean(percentiles),
      percentileLow: quantile(percentiles, 0.05),
      percentileHigh: quantile(percentiles, 0.95),
      topThree: inPools.filter(({ rank }) => rank <= 3).length / pools,
      eliminated: inPools[0]?.eliminated ?? false,
      rivalsEliminated: mean(inPools.map(({ gone }) => gone)),
      rivals: pool.count,
      pools,
    };
  });
}

/** Closes at full hours within the stretch; a symbol without a bar keeps its last price. */
export function rivalMarketOf(
  recorded: readonly Recorded[],
  { fromMs, forMs, takerFee }: { readonly fromMs: number; readonly forMs: number; readonly takerFee: number },
): RivalMarket {
  const firstMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const hours = Math.floor((fromMs + forMs - firstMs) / HOUR_MS);
  const atMs = Array.from({ length: hours + 1 }, (_, hour) => firstMs + hour * HOUR_MS);
  return {
    atMs,
    takerFee,
    closes: recorded.map(({ candles }) => {
      let last = candles.open[candleIndexFrom(candles, firstMs)] ?? 1;
      return atMs.map((endMs) => {
        const before = candleIndexFrom(candles, endMs) - 1;
        last = before >= 0 ? (candles.close[before] ?? last) : last;
        return last;
      });
    }),
    funding: recorded.map(({ funding }) => {
      const paid = new Map(
        funding.map(({ atMs: due, rate }) => [Math.floor(due / HOUR_MS) * HOUR_MS, rate.toNumber()]),
      );
      return atMs.map((hourMs) => paid.get(hourMs + HOUR_MS) ?? 0);
    }),
  };
}
