/**
 * The market as the rows of a prompt that looks at days rather than minutes: multi-day returns and trends, a path of closes,
 * funding as it was settled. Symbols go by what a position could earn over days: trend and carry against the cost of trading.
 */
import { formatSpan } from "../core/time.ts";
import { plain, price, type Row, signed } from "./prompt-cells.ts";
import type { Horizon } from "./history-view.ts";
import type { SymbolView } from "./snapshot.ts";

/** Closes of every eighth hour shown, the oldest first. */
const PATH_POINTS = 9;
/** Days that a position of this kind is meant to last, for weighing funding and cost. */
const MEANT_DAYS = 2;

const trendOf = ({ history }: SymbolView, horizon: Horizon): number | null => history.horizons[horizon]?.trend ?? null;

/** Closes in percent of the present price, less a hundred; null while there is no path or no price. */
function pathOf({ history, last, mark }: SymbolView): string | null {
  const now = last ?? mark;
  const closes = history.path.eightHours.slice(-PATH_POINTS);
  if (now === null || !(now > 0) || closes.length === 0) return null;
  return closes.map((close) => signed(close / now - 1, 1, 100)).join(" ");
}

/** `name` is the symbol's short one. */
export function weekRow(view: SymbolView, name: string, held: "LONG" | "SHORT" | null, atMs: number): Row {
  const middle = view.bid !== null && view.ask !== null ? (view.bid + view.ask) / 2 : null;
  const { horizons, regime, volumeAgainstUsual, fundingPerDay } = view.history;
  const day = horizons["1d"]?.return ?? view.returns["24h"];
  return {
    symbol: name,
    price: price(view.last ?? middle),
    ret1h: signed(view.returns["1h"], 2, 100),
    ret4h: signed(view.returns["4h"], 2, 100),
    ret1d: signed(day, 1, 100),
    ret3d: signed(horizons["3d"]?.return, 1, 100),
    ret7d: signed(horizons["7d"]?.return, 1, 100),
    ret21d: signed(horizons["21d"]?.return, 1, 100),
    trend7d: signed(trendOf(view, "7d"), 1),
    trend21d: signed(trendOf(view, "21d"), 1),
    high7d: signed(horizons["7d"]?.fromHigh, 1, 100),
    low7d: signed(horizons["7d"]?.fromLow, 1, 100),
    path: pathOf(view),
    regime,
    vol1h: plain(view.volatilityHour, 2, 100),
    volume: plain(volumeAgainstUsual, 1),
    fundingPct: signed(view.fundingRate, 4, 100),
    fundIn: view.nextFundingAtMs === null ? null : formatSpan(Math.max(0, view.nextFundingAtMs - atMs)),
    fundDay: signed(fundingPerDay["7d"] ?? fundingPerDay["1d"], 3, 100),
    basisBps: signed(view.basisBps, 1),
    oi1hPct: signed(view.openInterestChange, 1, 100),
    imbalance: signed(view.depthImbalance, 2),
    flow: signed(view.tradeFlow, 2),
    corr: signed(view.correlationToLeader, 2),
    spreadBps: plain(view.spreadBps, 1),
    depthK: plain(view.depthUsdt, 0, 0.001),
    held,
  };
}

/** Columns of these rows that a model may cite as evidence. */
export const WEEK_COLUMNS: readonly string[] = [
  "price",
  "ret1h",
  "ret4h",
  "ret1d",
  "ret3d",
  "ret7d",
  "ret21d",
  "trend7d",
  "trend21d",
  "high7d",
  "low7d",
  "path",
  "regime",
  "vol1h",
  "volume",
  "fundingPct",
  "fundIn",
  "fundDay",
  "basisBps",
  "oi1hPct",
  "imbalance",
  "flow",
  "corr",
  "spreadBps",
  "depthK",
  "held",
];

/**
 * How much a position of some days could rest on: the stronger of the week's and three weeks' trend, in standard errors, plus
 * funding over two days in daily volatilities, either sign. Without a history, the move of a day or of four hours stands for
 * the trend. Spread counts against it. Nothing here looks at less than four hours.
 */
export function weekInterest(view: SymbolView): number {
  const volatility = view.volatilityHour;
  if (volatility === null || !(volatility > 0)) return -1;
  const dayVolatility = volatility * Math.sqrt(24);
  const trends = [trendOf(view, "7d"), trendOf(view, "21d")].flatMap((trend) =>
    trend === null ? [] : [Math.abs(trend)],
  );
  const day = view.history.horizons["1d"]?.return ?? view.returns["24h"];
  const instead =
    day === undefined ? Math.abs(view.returns["4h"] ?? 0) / (volatility * 2) : Math.abs(day) / dayVolatility;
  const trend = trends.length > 0 ? Math.max(...trends) : instead;
  const { fundingPerDay } = view.history;
  const carry = (Math.abs(fundingPerDay["7d"] ?? fundingPerDay["1d"] ?? 0) * MEANT_DAYS) / dayVolatility;
  const cost = (view.spreadBps ?? 0) / 10_000 / dayVolatility;
  return trend + carry - cost;
}
