/** How an account did over a span: equity from first to last, and the closed trades by day, symbol or strategy. */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { isoTime, utcDay } from "../../core/time.ts";
import { competitionFigures } from "../../domain/competition-figures.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { readEquity } from "../../rows/equity.ts";
import { type MarkoutRow, readMarkout } from "../../rows/markout.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import { entryReport, type EntryReport } from "../orders/entry-report.ts";
import { closedTrades } from "./trades.ts";
import { modelIn, modelsByDecision } from "../models/questions.ts";

export const REPORT_BY = ["day", "symbol", "strategy"] as const;
export type ReportBy = (typeof REPORT_BY)[number];

/** Money in USDT as decimal text, fractions 0 to 1. `unknown` trades have no known result and are in no sum of results. */
export interface ReportLine {
  readonly name: string;
  readonly trades: number;
  readonly won: number;
  readonly lost: number;
  readonly unknown: number;
  readonly netUsdt: string;
  readonly feesUsdt: string;
  readonly fundingUsdt: string;
  readonly bestUsdt: string | null;
  readonly worstUsdt: string | null;
  readonly meanHeldMs: number | null;
  /** Of days only: the last equity of the day, and the largest fall within it. */
  readonly equityUsdt: string | null;
  readonly drawdown: number | null;
}

export interface ReportFacts {
  readonly by: ReportBy;
  /** What was asked for; null: from the first row, to the last. */
  readonly from: string | null;
  readonly to: string | null;
  /** Null without a minute of equity in the span. */
  readonly equity: {
    readonly from: string;
    readonly to: string;
    readonly firstUsdt: string;
    readonly lastUsdt: string;
    readonly changeUsdt: string;
    readonly returnFraction: number;
    readonly drawdown: number;
    /** By the organiser's rule: readings at full hours, a day from 00:00 to 23:00 UTC; the ratio is null before two days. */
    readonly organiser: { readonly sharpe: number | null; readonly drawdown: number };
  } | null;
  readonly lines: readonly ReportLine[];
  readonly total: ReportLine;
  /** Null if no post-only entry ended in the span. */
  readonly entries: EntryReport | null;
}

interface Point {
  readonly atMs: number;
  readonly equityUsdt: Decimal;
}

/** `toMs` is exclusive; trades count by the time they were closed. */
export function accountReport(
  reader: JournalReader,
  { by, fromMs, toMs }: { readonly by: ReportBy; readonly fromMs?: number; readonly toMs?: number },
): ReportFacts {
  const [first, end] = [fromMs ?? 0, toMs ?? Infinity];
  const points: Point[] = [];
  for (const row of reader.rows({ kinds: ["equity"], sinceMs: first }))
    if (row.atMs < end) points.push({ atMs: row.atMs, equityUsdt: readEquity(row).equityUsdt });
  const trades = closedTrades(reader, { fromMs: first, toMs: end });
  const modelOf = modelIn(by === "strategy" ? modelsByDecision(reader) : new Map());
  const groups = grouped(trades, (trade) => nameOf(trade, by, modelOf(trade)));
  const days = by === "day" ? grouped(points, ({ atMs }) => utcDay(atMs)) : new Map<string, readonly Point[]>();
  const names = [...new Set([...groups.keys(), ...days.keys()])].sort();
  return {
    by,
    from: fromMs === undefined ? null : isoTime(fromMs),
    to: toMs === undefined ? null : isoTime(toMs),
    equity: equityOf(points),
    lines: names.map((name) => lineOf(name, groups.get(name) ?? [], days.get(name) ?? [])),
    total: lineOf("total", trades, []),
    entries: entryReport(markoutsBetween(reader, first, end)),
  };
}

/** The end of an observation counts with its beginning, however late it came. */
function markoutsBetween(reader: JournalReader, first: number, end: number): readonly MarkoutRow[] {
  const rows = reader.rows({ kinds: ["markout"], sinceMs: first });
  return rows.flatMap((row) => {
    const markout = readMarkout(row);
    return markout.event === "end" || row.atMs < end ? [markout] : [];
  });
}

function grouped<T>(values: readonly T[], nameOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = nameOf(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

function nameOf(trade: ClosedTradeRow, by: ReportBy, model: string | null): string {
  if (by === "day") return utcDay(trade.closedAtMs);
  if (by === "symbol") return trade.symbol;
  return `${trade.strategy ?? "not known"}${model === null ? "" : `, ${model}`}`;
}

/** The largest fall from a peak, as a fraction of it. */
function drawdownOf(points: readonly Point[]): number {
  let [peak, worst] = [ZERO, 0];
  for (const { equityUsdt } of points) {
    if (equityUsdt.gt(peak)) peak = equityUsdt;
    if (peak.gt(ZERO)) worst = Math.max(worst, peak.minus(equityUsdt).div(peak).toNumber());
  }
  return worst;
}

function equityOf(points: readonly Point[]): ReportFacts["equity"] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const change = last.equityUsdt.minus(first.equityUsdt);
  return {
    from: isoTime(first.atMs),
    to: isoTime(last.atMs),
    firstUsdt: toWire(first.equityUsdt),
    lastUsdt: toWire(last.equityUsdt),
    changeUsdt: toWire(change),
    returnFraction: first.equityUsdt.isZero() ? 0 : change.div(first.equityUsdt).toNumber(),
    drawdown: drawdownOf(points),
    organiser: organiserOf(points),
  };
}

function organiserOf(points: readonly Point[]) {
  const { sharpe, maxDrawdown } = competitionFigures(
    points.map(({ atMs, equityUsdt }) => ({ atMs, equityUsdt: equityUsdt.toNumber() })),
  );
  return { sharpe, drawdown: maxDrawdown };
}

function lineOf(name: string, trades: readonly ClosedTradeRow[], points: readonly Point[]): ReportLine {
  const known = trades.flatMap(({ netUsdt }) => (netUsdt === null ? [] : [netUsdt])).sort((a, b) => a.cmp(b));
  const sum = (values: readonly Decimal[]): string => toWire(values.reduce((total, value) => total.plus(value), ZERO));
  const held = trades.reduce((total, { openedAtMs, closedAtMs }) => total + closedAtMs - openedAtMs, 0);
  const [worst, best, last] = [known[0], known.at(-1), points.at(-1)];
  return {
    name,
    trades: trades.length,
    won: known.filter((net) => net.gt(ZERO)).length,
    lost: known.filter((net) => net.lt(ZERO)).length,
    unknown: trades.length - known.length,
    netUsdt: sum(known),
    feesUsdt: sum(trades.map(({ feesUsdt }) => feesUsdt)),
    fundingUsdt: sum(trades.map(({ fundingUsdt }) => fundingUsdt)),
    bestUsdt: best === undefined ? null : toWire(best),
    worstUsdt: worst === undefined ? null : toWire(worst),
    meanHeldMs: trades.length === 0 ? null : Math.round(held / trades.length),
    equityUsdt: last === undefined ? null : toWire(last.equityUsdt),
    drawdown: points.length === 0 ? null : drawdownOf(points),
  };
}
