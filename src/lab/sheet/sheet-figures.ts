/** The headline figures of a run, each with its meaning and, where possible, an interval. */
import { mean, sampleCorrelation, sampleStandardDeviation } from "simple-statistics";
import { seededEntropy } from "../../core/entropy.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { bootstrapInterval } from "../figures/bootstrap.ts";
import { competitionFigures } from "../../domain/competition-figures.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import { figuresOf } from "../figures/run-figures.ts";
import { momentsOf } from "../../domain/return-moments.ts";
import { probabilisticSharpe } from "../figures/sharpe.ts";
import type { RunRows } from "./run-rows.ts";
import type { SheetFigure, SheetLine } from "./sheet-data.ts";

/** Annualised by days; null without variation. */
export const annualSharpe = (returns: readonly number[]): number | null => {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread > 0 ? (mean([...returns]) / spread) * Math.sqrt(365) : null;
};

/** Equity at full hours: the first point at or after each. */
export function hourlyPoints(points: readonly EquityPoint[]): readonly EquityPoint[] {
  const hours: EquityPoint[] = [];
  let hour = -Infinity;
  for (const point of points) {
    const of = Math.ceil(point.atMs / HOUR_MS);
    if (of === hour) continue;
    hour = of;
    hours.push(point);
  }
  return hours;
}

export const returnsOf = (values: readonly number[]): readonly number[] =>
  values.slice(1).map((value, at) => value / (values[at] ?? value) - 1);

/** Figures of the run; `basket` is the market's result at full hours. */
export const sheetFigures = (
  points: readonly EquityPoint[],
  rows: Pick<RunRows, "payments" | "trades" | "tradedUsdt" | "fills" | "decisions">,
  basket: SheetLine | null,
): readonly SheetFigure[] => [...equityFigures(points, basket), ...tradeFigures(points, rows)];

/** A figure of the sheet; a value that is not finite becomes null. */
const one = (name: string, unit: SheetFigure["unit"], value: number | null, about: string): SheetFigure => ({
  ...{ name, unit, about },
  value: value !== null && Number.isFinite(value) ? value : null,
});

/** The figures of the equity curve: returns, ratios and drawdowns. */
function equityFigures(points: readonly EquityPoint[], basket: SheetLine | null): readonly SheetFigure[] {
  const figures = figuresOf(points);
  const competition = competitionFigures(points);
  const hours = hourlyPoints(points);
  const hourly = returnsOf(hours.map(({ equityUsdt }) => equityUsdt));
  const daily = competition.dailyReturns;
  const [judged, perDay] = daily.length >= 10 ? [daily, 1] : [hourly, 24];
  const entropy = seededEntropy("report:interval");
  const interval = (figure: (values: readonly number[]) => number) =>
    bootstrapInterval(judged, figure, { entropy, draws: 500 });
  const moments = momentsOf(judged);
  return [
    one("return", "fraction", figures.returnFraction, "last equity over first"),
    one(
      "return of the basket",
      "fraction",
      basketReturn(basket),
      "equal parts of all symbols, bought at the start and held, without costs",
    ),
    {
      ...one(
        "return of a day",
        "fraction",
        judged.length > 0 ? mean([...judged]) * perDay : null,
        "mean; the range contains nine in ten resampled runs",
      ),
      ...interval((all) => mean([...all]) * perDay),
    },
    {
      ...one(
        "Sharpe ratio",
        "ratio",
        figures.sharpe,
        "from midnight to midnight UTC, annualised; the range is of all returns",
      ),
      ...interval((all) => (annualSharpe(all) ?? NaN) * Math.sqrt(perDay)),
    },
    one("organiser's Sharpe ratio", "ratio", competition.sharpe, "from 00:00 to 23:00 UTC, annualised"),
    one(
      "probability above zero",
      "share",
      moments && probabilisticSharpe(moments),
      "that the Sharpe ratio is above 0, given length, skewness and tails (Bailey and Lopez de Prado 2012)",
    ),
    one("largest fall", "share", figures.maxDrawdown, "from the previous peak, by the minute"),
    one("organiser's drawdown", "share", competition.maxDrawdown, "over the readings of full hours"),
    one("worst equity", "usdt", figures.worstEquityUsdt, "under 800 ends the competition"),
    one("correlation with the basket", "ratio", correlation(hours, basket), "of hourly returns"),
  ];
}

/** The figures of trades, fills and payments. */
function tradeFigures(
  points: readonly EquityPoint[],
  rows: Pick<RunRows, "payments" | "trades" | "tradedUsdt" | "fills" | "decisions">,
): readonly SheetFigure[] {
  const days = Math.max(1 / 24, ((points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)) / DAY_MS);
  const meanEquity = mean(points.map(({ equityUsdt }) => equityUsdt));
  const paid = (what: "fee" | "funding"): number =>
    rows.payments.reduce((sum, payment) => (payment.what === what ? sum + payment.usdt : sum), 0);
  const [fees, funding] = [paid("fee"), paid("funding")];
  const net = (points.at(-1)?.equityUsdt ?? 0) - (points[0]?.equityUsdt ?? 0);
  const gross = net + fees + funding;
  const known = rows.trades.flatMap(({ netUsdt }) => (netUsdt === null ? [] : [netUsdt.toNumber()]));
  const heldMs = rows.trades.map(({ openedAtMs, closedAtMs }) => closedAtMs - openedAtMs);
  return [
    one("trades", "count", rows.trades.length, "closed round trips"),
    one(
      "won",
      "share",
      known.length > 0 ? known.filter((usdt) => usdt > 0).length / known.length : null,
      "trades with a profit after fees and funding",
    ),
    one("held", "span", heldMs.length > 0 ? mean(heldMs) : null, "mean time from first fill to flat"),
    one("turnover", "ratio", rows.tradedUsdt / meanEquity / days, "value of all fills in a day, over the mean equity"),
    one("fees", "usdt", fees, "paid"),
    one("funding", "usdt", funding, "paid; negative was received"),
    one(
      "share of costs",
      "share",
      gross > 0 ? (fees + funding) / gross : null,
      "fees and funding over the result before them; unknown if that is a loss",
    ),
    one(
      "break-even fee",
      "bps",
      rows.tradedUsdt > 0 ? ((net + fees) / rows.tradedUsdt) * 1e4 : null,
      "the fee per side at which the result would be zero; negative if the run loses even without fees",
    ),
    one("decisions", "count", rows.decisions, "how often the strategy was asked"),
    one("fills", "count", rows.fills, "executions"),
  ];
}

function basketReturn(basket: SheetLine | null): number | null {
  const [first, last] = [basket?.value[0], basket?.value.at(-1)];
  return first && last ? last / first - 1 : null;
}

function correlation(hours: readonly EquityPoint[], basket: SheetLine | null): number | null {
  if (!basket || hours.length < 5) return null;
  const own = returnsOf(hours.map(({ equityUsdt }) => equityUsdt));
  const market = returnsOf(basket.value);
  if (market.length !== own.length || new Set(own).size < 2) return null;
  return sampleCorrelation([...own], [...market]);
}
