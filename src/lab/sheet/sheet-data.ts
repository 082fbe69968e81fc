/**
 * A run as a report shows it, whether backtest or live account: plain JSON, money in USDT as floats, fractions of 1,
 * instants in epoch ms. The page and `report.json` contain it.
 */
import { z } from "zod";

const numbers = z.array(z.number()).readonly();

/** Columns of equal length, oldest first. */
const line = z.object({ atMs: numbers, value: numbers }).readonly();

/** One headline figure; null if the run is too short for it. The interval contains nine in ten resampled runs. */
const figure = z
  .object({
    name: z.string(),
    unit: z.enum(["fraction", "share", "usdt", "ratio", "count", "bps", "span"]),
    value: z.number().nullable(),
    low: z.number().optional(),
    high: z.number().optional(),
    /** Meaning of the figure, for people. */
    about: z.string(),
  })
  .readonly();

/** `day` is a UTC date, `2026-07-01`. */
const day = z.object({ day: z.string(), returnFraction: z.number() }).readonly();

const trade = z
  .object({
    symbol: z.string(),
    side: z.string(),
    qty: z.number(),
    entryPrice: z.number(),
    exitPrice: z.number().nullable(),
    openedAtMs: z.number(),
    closedAtMs: z.number(),
    /** After fees and funding; null if the exit price is unknown. */
    netUsdt: z.number().nullable(),
    feesUsdt: z.number(),
    fundingUsdt: z.number(),
    exit: z.string(),
    exitReason: z.string(),
    thesis: z.string(),
    /** Largest adverse and favourable excursion, fractions of the entry price; null without bars of that time. */
    worst: z.number().nullable(),
    best: z.number().nullable(),
    /** The state of the market at the opening: `regimeAt`. */
    regime: z.string(),
  })
  .readonly();

/** Trades that share a property. */
const group = z
  .object({ key: z.string(), trades: z.number(), won: z.number(), netUsdt: z.number(), feesUsdt: z.number() })
  .readonly();

const grouping = z
  .object({ by: z.enum(["symbol", "hour", "exit", "regime"]), groups: z.array(group).readonly() })
  .readonly();

/** Why a target or an order was refused, how often, and an example of the limit's reason. */
const refusal = z.object({ what: z.string(), count: z.number(), example: z.string() }).readonly();

const run = z
  .object({
    name: z.string(),
    equity: line,
    figures: z.array(figure).readonly(),
    days: z.array(day).readonly(),
    /** Annualised, over `rollingDays` days. */
    rollingSharpe: line,
    rollingDays: z.number(),
    exposure: z.object({ atMs: numbers, long: numbers, short: numbers }).readonly(),
    /** Paid so far: fees, and funding where positive. */
    costs: z.object({ atMs: numbers, fees: numbers, funding: numbers }).readonly(),
    trades: z.array(trade).readonly(),
    groupings: z.array(grouping).readonly(),
    refusals: z.array(refusal).readonly(),
    /** Name and value of every parameter needed to repeat it. */
    about: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  })
  .readonly();

/** Bars of one symbol, merged to the resolution of a chart. */
const bars = z
  .object({ symbol: z.string(), openMs: numbers, open: numbers, high: numbers, low: numbers, close: numbers })
  .readonly();

/** Runs side by side, over one market if there are bars. */
export const sheetSchema = z
  .object({
    title: z.string(),
    floorUsdt: z.number(),
    runs: z.array(run).readonly(),
    bars: z.array(bars).readonly(),
    /** The starting equity, invested in equal parts of all symbols and held, as a benchmark. Null without bars. */
    basket: line.nullable(),
  })
  .readonly();

export type SheetData = z.output<typeof sheetSchema>;

/** What one page shows: sheets side by side, each with the market of its own runs. */
export interface SheetPage {
  readonly title: string;
  /** `name` tells a sheet from the others. */
  readonly sheets: readonly { readonly name: string; readonly data: SheetData }[];
}

export type SheetLine = z.output<typeof line>;
export type SheetFigure = z.output<typeof figure>;
export type SheetDay = z.output<typeof day>;
export type SheetTrade = z.output<typeof trade>;
export type SheetGroup = z.output<typeof group>;
export type SheetGrouping = z.output<typeof grouping>;
export type SheetRefusal = z.output<typeof refusal>;
export type SheetRun = z.output<typeof run>;
export type SheetBars = z.output<typeof bars>;
