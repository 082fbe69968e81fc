/**
 * What the past weeks say of one symbol: returns, trend, volatility and distance from the extremes over one day to three
 * weeks, volume against the usual, funding as it was settled, a path of closes and a label of the regime. From ended
 * hours; only returns and distances use the present price. Pure arithmetic over `Hours`.
 */
import { fundingPerDay, type FundingSettlement, type FundingSpan } from "./funding-history.ts";
import { type Hours, isFresh } from "./hours.ts";
import { logReturns } from "./volatility.ts";

/** Hours of each horizon. */
export const HORIZON_HOURS = { "1d": 24, "3d": 72, "7d": 168, "14d": 336, "21d": 504 } as const;
export type Horizon = keyof typeof HORIZON_HOURS;
export const HORIZONS = Object.keys(HORIZON_HOURS) as readonly Horizon[];
const LONGEST_HOURS = Math.max(...Object.values(HORIZON_HOURS));

export interface HorizonView {
  /** Present price over the close so long ago, less one. */
  readonly return: number;
  /**
   * Exponentially weighted mean of the hourly log returns (weights as of an average over the horizon's hours), in units
   * of its own standard error: about standard normal where prices have no trend. Above zero is up.
   */
  readonly trend: number;
  /** Root mean square of the hourly log returns. */
  readonly volatilityHour: number;
  /** Present price over the highest and the lowest price, less one: never above and never below zero. */
  readonly fromHigh: number;
  readonly fromLow: number;
}

/**
 * The first that fits. `turbulent`: the volatility of the last day is at least 1.75 times that of the longest horizon
 * known. `rising`, `falling`: the trend of 7 days is at least 1 from zero, and the longest trend known agrees.
 * `quiet`: the volatility of the last day is at most half of the longest horizon's. `ranging`: none of these.
 */
export type Regime = "turbulent" | "rising" | "falling" | "quiet" | "ranging";

export interface HistoryView {
  /** Closes of the ended hours, oldest first, bounded; hours without a bar repeat the close before. Frozen. */
  readonly hourlyCloses: readonly number[];
  /** When the last of them ended, epoch ms; null without any. */
  readonly endedAtMs: number | null;
  /** Hours among them without a bar. */
  readonly hoursMissing: number;
  /** Only the horizons that the known hours cover. */
  readonly horizons: Readonly<Partial<Record<Horizon, HorizonView>>>;
  /** Volume of the last 24 hours over the mean of 24 hours in the three weeks before; null with less than a week of those. */
  readonly volumeAgainstUsual: number | null;
  /** Settlements, oldest first, bounded. */
  readonly fundingSettled: readonly FundingSettlement[];
  /** Mean funding a day, fraction of value, over the spans that the settlements cover; above zero longs pay. */
  readonly fundingPerDay: Readonly<Partial<Record<FundingSpan, number>>>;
  /** Closes for reading, oldest first: of the last 24 hours, and every eighth hour of the last three weeks. */
  readonly path: { readonly hours: readonly number[]; readonly eightHours: readonly number[] };
  /** Null with less than a week of hours. */
  readonly regime: Regime | null;
}

const TURBULENT_FROM = 1.75;
const QUIET_TO = 0.5;
const TREND_FROM = 1;
const DAY_HOURS = 24;
const USUAL_DAYS = 21;
const USUAL_DAYS_MIN = 7;
const PATH_HOURS = 24;
const PATH_STEP = 8;

export const NO_HISTORY: HistoryView = Object.freeze({
  hourlyCloses: [],
  endedAtMs: null,
  hoursMissing: 0,
  horizons: {},
  volumeAgainstUsual: null,
  fundingSettled: [],
  fundingPerDay: {},
  path: { hours: [], eightHours: [] },
  regime: null,
});

/** What of a horizon does not depend on the present price. */
interface Past {
  readonly close: number;
  readonly trend: number;
  readonly volatilityHour: number;
  readonly high: number;
  readonly low: number;
}

interface Pasts {
  readonly horizons: Readonly<Partial<Record<Horizon, Past>>>;
  readonly volumeAgainstUsual: number | null;
  readonly path: HistoryView["path"];
  readonly regime: Regime | null;
}

const known = new WeakMap<Hours, Pasts>();

/** `price` is the present one, NaN while there is none: then the last close stands for it. */
export function historyView({ hours, settled, price, nowMs }: KnownPast): HistoryView {
  let pasts = known.get(hours);
  if (!pasts) known.set(hours, (pasts = pastsOf(hours)));
  const last = hours.closes.at(-1) ?? NaN;
  const fresh = isFresh(hours, nowMs);
  return {
    hourlyCloses: hours.closes,
    endedAtMs: hours.endMs,
    hoursMissing: hours.missing,
    horizons: fresh ? horizonsAt(pasts, price > 0 ? price : last) : {},
    volumeAgainstUsual: fresh ? pasts.volumeAgainstUsual : null,
    fundingSettled: settled,
    fundingPerDay: fundingPerDay(settled, nowMs),
    path: pasts.path,
    regime: fresh ? pasts.regime : null,
  };
}

/** What is known at an instant, epoch ms of our time; the price is in USDT. */
export interface KnownPast {
  readonly hours: Hours;
  /** Until then, oldest first. */
  readonly settled: readonly FundingSettlement[];
  readonly price: number;
  readonly nowMs: number;
}

function horizonsAt({ horizons }: Pasts, price: number): HistoryView["horizons"] {
  const found: Partial<Record<Horizon, HorizonView>> = {};
  for (const name of HORIZONS) {
    const past = horizons[name];
    if (!past) continue;
    found[name] = {
      return: price / past.close - 1,
      trend: past.trend,
      volatilityHour: past.volatilityHour,
      fromHigh: price / Math.max(past.high, price) - 1,
      fromLow: price / Math.min(past.low, price) - 1,
    };
  }
  return found;
}

function pastsOf({ closes, highs, lows, volumes }: Hours): Pasts {
  const horizons: Partial<Record<Horizon, Past>> = {};
  const all = logReturns(closes.slice(-1 - LONGEST_HOURS));
  for (const name of HORIZONS) {
    const count = HORIZON_HOURS[name];
    const close = closes.at(-1 - count);
    if (close === undefined) break;
    const returns = all.slice(-count);
    const volatilityHour = Math.sqrt(returns.reduce((sum, one) => sum + one * one, 0) / count);
    const high = Math.max(...highs.slice(-count));
    horizons[name] = { close, trend: trendOf(returns), volatilityHour, high, low: Math.min(...lows.slice(-count)) };
  }
  return {
    horizons,
    volumeAgainstUsual: volumeAgainstUsual(volumes),
    path: {
      hours: Object.freeze(closes.slice(-PATH_HOURS)),
      eightHours: Object.freeze(
        closes.slice(-HORIZON_HOURS["21d"]).filter((_, at, all) => (all.length - 1 - at) % PATH_STEP === 0),
      ),
    },
    regime: regimeOf(horizons),
  };
}

/**
 * Mean and mean square of the returns under weights that fall by 1 - 2 / (n + 1) an hour, n being their number; such a
 * mean has the variance of a plain one over n returns. Zero for a price that does not move.
 */
export function trendOf(returns: readonly number[]): number {
  const decay = 1 - 2 / (returns.length + 1);
  let [weight, weights, sum, squares] = [1, 0, 0, 0];
  for (let at = returns.length - 1; at >= 0; at--) {
    const one = returns[at] ?? 0;
    weights += weight;
    sum += weight * one;
    squares += weight * one * one;
    weight *= decay;
  }
  const deviation = Math.sqrt(squares / weights);
  return deviation > 0 ? (sum / weights / deviation) * Math.sqrt(returns.length) : 0;
}

function volumeAgainstUsual(volumes: readonly number[]): number | null {
  const day = volumes.slice(-DAY_HOURS);
  const before = volumes.slice(-DAY_HOURS * (USUAL_DAYS + 1), -DAY_HOURS);
  if (before.length < DAY_HOURS * USUAL_DAYS_MIN) return null;
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  const usual = (sum(before) / before.length) * DAY_HOURS;
  return usual > 0 ? sum(day) / usual : null;
}

/** The label of `Regime`. */
export function regimeOf(
  horizons: Readonly<Partial<Record<Horizon, Pick<HorizonView, "trend" | "volatilityHour">>>>,
): Regime | null {
  const { "1d": day, "7d": week } = horizons;
  const longest = horizons["21d"] ?? horizons["14d"] ?? week;
  if (!day || !week || !longest) return null;
  if (!(longest.volatilityHour > 0)) return "quiet";
  const ratio = day.volatilityHour / longest.volatilityHour;
  if (ratio >= TURBULENT_FROM) return "turbulent";
  if (Math.abs(week.trend) >= TREND_FROM && longest.trend * week.trend > 0)
    return week.trend > 0 ? "rising" : "falling";
  return ratio <= QUIET_TO ? "quiet" : "ranging";
}
