/** Builds the sheet of a run from its rows, its equity and the bars of its market. */
import { toFloat } from "../../core/decimal.ts";
import { DAY_MS, HOUR_MS, isoTime } from "../../core/time.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import {
  basketOf,
  extremes,
  type HourlyBars,
  hourlyOf,
  type MarketBars,
  priceBefore,
  regimeAt,
  sheetBars,
} from "./market-bars.ts";
import type { HeldChange, RunRows } from "./run-rows.ts";
import type { SheetData, SheetDay, SheetGroup, SheetGrouping, SheetLine, SheetRun, SheetTrade } from "./sheet-data.ts";
import { annualSharpe, hourlyPoints, sheetFigures } from "./sheet-figures.ts";

const POINTS_SHOWN = 2_000;
const TRADES_SHOWN = 5_000;
const FLOOR_USDT = 800;

export interface GivenRun {
  readonly name: string;
  /** Oldest first. A live account supplies its own equity rows. */
  readonly points: readonly EquityPoint[];
  readonly rows: RunRows;
  readonly about: readonly (readonly [string, string])[];
  /** Base units per contract. */
  readonly contractSize: (symbol: string) => number;
}

const cents = (usdt: number): number => Math.round(usdt * 100) / 100;

/** Runs side by side. The bars of all symbols form the basket; the report shows only those of traded symbols. */
export function sheetData(title: string, runs: readonly GivenRun[], market: readonly MarketBars[]): SheetData {
  const points = runs.flatMap(({ points }) => points.map(({ atMs }) => atMs));
  const [fromMs, toMs] = [
    points.reduce((a, b) => Math.min(a, b), Infinity),
    points.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  const longest = [...runs].sort((a, b) => b.points.length - a.points.length)[0];
  const traded = new Set(runs.flatMap(({ rows }) => [...rows.trades, ...rows.held].map(({ symbol }) => symbol)));
  return {
    title,
    floorUsdt: FLOOR_USDT,
    runs: runs.map((run) => sheetRun(run, market)),
    bars: market.filter(({ symbol }) => traded.has(symbol)).map((bars) => sheetBars(bars, fromMs, toMs)),
    basket: longest
      ? basketOf(
          market,
          hourlyPoints(longest.points).map(({ atMs }) => atMs),
          longest.points[0]?.equityUsdt ?? 0,
        )
      : null,
  };
}

function sheetRun({ name, points, rows, about, contractSize }: GivenRun, market: readonly MarketBars[]): SheetRun {
  const bySymbol = new Map(market.map((bars) => [bars.symbol, { bars, hourly: hourlyOf(bars) }]));
  const hours = hourlyPoints(points);
  const basket = basketOf(
    market,
    hours.map(({ atMs }) => atMs),
    points[0]?.equityUsdt ?? 0,
  );
  const days = daysOf(points);
  const rollingDays = days.length >= 60 ? 30 : 7;
  const trades = rows.trades.map((trade) => sheetTrade(trade, bySymbol.get(trade.symbol)));
  return {
    name,
    equity: thinned(points),
    figures: sheetFigures(points, rows, basket),
    days,
    rollingDays,
    rollingSharpe: rollingSharpe(days, rollingDays),
    exposure: exposureOf(rows.held, withLast(hours, points), { bySymbol, contractSize }),
    costs: costsOf(rows, points),
    trades: trades.slice(-TRADES_SHOWN),
    groupings: groupingsOf(trades),
    refusals: rows.refusals.slice(0, 40),
    about,
  };
}

/** Thinned to about 2,000 points: the first, lowest, highest and last of each stretch, so that no trough is lost. */
export function thinned(points: readonly EquityPoint[]): SheetLine {
  const kept: EquityPoint[] = [];
  const stretch = Math.max(1, Math.ceil(points.length / (POINTS_SHOWN / 4)));
  for (let from = 0; from < points.length; from += stretch) {
    const part = points.slice(from, from + stretch);
    let [low, high] = [0, 0];
    part.forEach(({ equityUsdt }, at) => {
      if (equityUsdt < (part[low]?.equityUsdt ?? 0)) low = at;
      if (equityUsdt > (part[high]?.equityUsdt ?? 0)) high = at;
    });
    const at = [...new Set([0, low, high, part.length - 1])].sort((a, b) => a - b);
    kept.push(...at.flatMap((index) => part[index] ?? []));
  }
  return { atMs: kept.map(({ atMs }) => atMs), value: kept.map(({ equityUsdt }) => cents(equityUsdt)) };
}

/** Each UTC day from its first to its last point; the first and last day may be partial. */
function daysOf(points: readonly EquityPoint[]): readonly SheetDay[] {
  const days: SheetDay[] = [];
  let open: EquityPoint | null = null;
  const end = (last: EquityPoint): void => {
    if (open && last.atMs > open.atMs && open.equityUsdt > 0)
      days.push({ day: isoTime(open.atMs).slice(0, 10), returnFraction: last.equityUsdt / open.equityUsdt - 1 });
  };
  for (const point of points) {
    if (open && Math.floor(point.atMs / DAY_MS) === Math.floor(open.atMs / DAY_MS)) continue;
    end(point);
    open = point;
  }
  const last = points.at(-1);
  if (last) end(last);
  return days;
}

function rollingSharpe(days: readonly SheetDay[], over: number): SheetLine {
  const atMs: number[] = [];
  const value: number[] = [];
  for (let last = over; last <= days.length; last++) {
    const sharpe = annualSharpe(days.slice(last - over, last).map(({ returnFraction }) => returnFraction));
    const first = days[last - 1];
    if (sharpe === null || !first) continue;
    atMs.push(
      Date.UTC(Number(first.day.slice(0, 4)), Number(first.day.slice(5, 7)) - 1, Number(first.day.slice(8, 10))) +
        DAY_MS,
    );
    value.push(Number(sharpe.toFixed(3)));
  }
  return { atMs, value };
}

type Known = ReadonlyMap<string, { readonly bars: MarketBars; readonly hourly: HourlyBars }>;

/** Value of the holdings at full hours, at the close of the previous bar; without bars, at the entry price. */
function exposureOf(
  held: readonly HeldChange[],
  hours: readonly EquityPoint[],
  { bySymbol, contractSize }: { readonly bySymbol: Known; readonly contractSize: GivenRun["contractSize"] },
): SheetRun["exposure"] {
  const now = new Map<string, HeldChange>();
  const made = { atMs: [] as number[], long: [] as number[], short: [] as number[] };
  let next = 0;
  for (const { atMs } of hours) {
    for (let change = held[next]; change && change.atMs <= atMs; change = held[++next])
      now.set(`${change.symbol} ${change.side}`, change);
    let [long, short] = [0, 0];
    for (const { symbol, side, qty, avgPrice } of now.values()) {
      if (qty === 0) continue;
      const bars = bySymbol.get(symbol)?.bars;
      const worth = qty * contractSize(symbol) * ((bars && priceBefore(bars, atMs)) ?? avgPrice);
      if (side === "LONG") long += worth;
      else short += worth;
    }
    made.atMs.push(atMs);
    made.long.push(cents(long));
    made.short.push(cents(short));
  }
  return made;
}

/** The end of a run is seldom a full hour. */
const withLast = (hours: readonly EquityPoint[], points: readonly EquityPoint[]): readonly EquityPoint[] => {
  const last = points.at(-1);
  return last && last !== hours.at(-1) ? [...hours, last] : hours;
};

/** Cumulative costs by the hour, from zero at the start of the run. */
function costsOf({ payments }: RunRows, points: readonly EquityPoint[]): SheetRun["costs"] {
  const made = { atMs: [points[0]?.atMs ?? 0], fees: [0], funding: [0] };
  let [fees, funding] = [0, 0];
  for (const { atMs, what, usdt } of payments) {
    if (what === "fee") fees += usdt;
    else funding += usdt;
    const hour = Math.ceil(atMs / HOUR_MS) * HOUR_MS;
    const at = made.atMs.at(-1) === hour ? made.atMs.length - 1 : made.atMs.push(hour) - 1;
    made.fees[at] = cents(fees);
    made.funding[at] = cents(funding);
  }
  // A run may end before its last hour is complete.
  const endMs = points.at(-1)?.atMs ?? 0;
  if (made.atMs.length > 1 && (made.atMs.at(-1) ?? 0) > endMs) made.atMs[made.atMs.length - 1] = endMs;
  else if (made.atMs.length > 1) {
    made.atMs.push(endMs);
    made.fees.push(cents(fees));
    made.funding.push(cents(funding));
  }
  return made;
}

function sheetTrade(
  trade: ClosedTradeRow,
  known: { readonly bars: MarketBars; readonly hourly: HourlyBars } | undefined,
): SheetTrade {
  const entryPrice = toFloat(trade.entryPrice);
  const seen = known ? extremes(known.bars, trade.openedAtMs, trade.closedAtMs) : null;
  const moves = seen
    ? [seen.low / entryPrice - 1, seen.high / entryPrice - 1].map((move) => (trade.side === "LONG" ? move : -move))
    : [];
  // The bars may not include the entry price, at which the excursion is zero.
  const [worst, best] = [Math.min(0, ...moves), Math.max(0, ...moves)];
  return {
    symbol: trade.symbol,
    side: trade.side,
    qty: toFloat(trade.qty),
    entryPrice,
    exitPrice: trade.exitPrice && toFloat(trade.exitPrice),
    openedAtMs: trade.openedAtMs,
    closedAtMs: trade.closedAtMs,
    netUsdt: trade.netUsdt && toFloat(trade.netUsdt),
    feesUsdt: toFloat(trade.feesUsdt),
    fundingUsdt: toFloat(trade.fundingUsdt),
    exit: trade.exit,
    exitReason: trade.exitReason,
    thesis: trade.thesis ?? "",
    worst: seen ? worst : null,
    best: seen ? best : null,
    regime: known ? regimeAt(known.hourly, trade.openedAtMs) : "not known",
  };
}

const KEYS: readonly (readonly [SheetGrouping["by"], (trade: SheetTrade) => string])[] = [
  ["symbol", ({ symbol }) => symbol],
  ["hour", ({ openedAtMs }) => isoTime(openedAtMs).slice(11, 13)],
  ["exit", ({ exit }) => exit],
  ["regime", ({ regime }) => regime],
];

function groupingsOf(trades: readonly SheetTrade[]): readonly SheetGrouping[] {
  return KEYS.map(([by, keyOf]) => {
    const groups = new Map<string, SheetTrade[]>();
    for (const trade of trades) groups.set(keyOf(trade), [...(groups.get(keyOf(trade)) ?? []), trade]);
    return { by, groups: [...groups].map(([key, all]) => groupOf(key, all)).sort((a, b) => (a.key < b.key ? -1 : 1)) };
  });
}

const groupOf = (key: string, trades: readonly SheetTrade[]): SheetGroup => ({
  key,
  trades: trades.length,
  won: trades.filter(({ netUsdt }) => (netUsdt ?? 0) > 0).length,
  netUsdt: cents(trades.reduce((sum, { netUsdt }) => sum + (netUsdt ?? 0), 0)),
  feesUsdt: cents(trades.reduce((sum, { feesUsdt }) => sum + feesUsdt, 0)),
});
