/**
 * The deciding question. Every figure comes from the snapshot, the limits' own headroom and the settings; the texts are
 * in `prompts/llm-trader.md` and `prompts/llm-trader-5.md`, or in a file of the owner's.
 */
import { z } from "zod";
import { type Row, shortNames } from "../context/prompt-cells.ts";
import { type PromptTables, promptTables, type TableBudget } from "../context/prompt-tables.ts";
import { scoreLines } from "../context/score-text.ts";
import type { OwnDecision, Snapshot, SymbolView } from "../context/snapshot.ts";
import { toWire } from "../core/decimal.ts";
import { hashOf } from "../core/hash.ts";
import { lessonText } from "../context/lesson-text.ts";
import { weekInterest, weekRow } from "../context/week-rows.ts";
import { formatSpan, isoTime, MINUTE_MS } from "../core/time.ts";
import { FLOOR_USDT } from "../domain/competition.ts";
import { citableIn, columnsOf } from "./citations.ts";
import { REASON_CHARS_MAX, reasonedSchema, STANCES_MAX, stancesSchema } from "./stances.ts";
import { isOffered } from "./stance-targets.ts";
import type { ModelQuestion } from "./strategy.ts";
import { asksWeeks, type TraderSettings } from "./trader-settings.ts";

const TRADES_SHOWN = 8;

/** Options that distinguish the strategies that ask the deciding question. */
export interface TraderAsk {
  /** Rows for the section of analysts' views; absent without analysts. */
  readonly views?: readonly Row[];
  /** Only these symbols, and held ones, are shown and may be named. */
  readonly only?: ReadonlySet<string>;
  /** Further input to the fingerprint. */
  readonly mark?: unknown;
  /** What the question asks beyond the usual; a variable of the newer text. */
  readonly task?: "deep" | "symbol";
}

/** The samples of one question, or null if no symbol can be shown. */
export function deciding(
  snapshot: Snapshot,
  settings: TraderSettings,
  asking: TraderAsk = {},
): readonly ModelQuestion[] | null {
  const asked = asksWeeks(settings) ? byWeeks(snapshot, settings, asking) : byMoves(snapshot, settings, asking);
  if (!asked) return null;
  const { tables, variables, replySchema } = asked;
  const fingerprint = [fingerprintOf(snapshot, settings), tables.market.map((row) => row["symbol"]).sort()];
  return Array.from({ length: settings.samples }, (_, sample) => ({
    prompt: settings.prompt,
    // Each sample rotates the rows, so that the first row has no advantage.
    variables: { ...variables, ...tables, market: rotated(tables.market, sample), news: rotated(tables.news, sample) },
    replySchema,
    replySchemaName: "stances",
    maxOutputTokens: settings.maxOutputTokens,
    fingerprint: hashOf([
      fingerprint,
      sample,
      asking.mark ?? null,
      asking.only ? [...asking.only].sort() : null,
      asking.task ?? null,
    ]),
  }));
}

/** The parts in which the two texts of the question differ. */
interface Asked {
  readonly tables: PromptTables;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly replySchema: z.ZodType;
}

function byMoves(snapshot: Snapshot, settings: TraderSettings, { only, views }: TraderAsk): Asked | null {
  const tables = tablesOf(snapshot, settings, only);
  const symbol = shownSymbol(snapshot, tables.market);
  if (!symbol) return null;
  const variables = { ...commonVariables(snapshot, settings), trades: tradeRows(snapshot), views: views ?? [] };
  return { tables, variables, replySchema: stancesSchema({ symbol, citable: citableIn(columnsOf(settings), tables) }) };
}

function byWeeks(snapshot: Snapshot, settings: TraderSettings, { only, views, task }: TraderAsk): Asked | null {
  const names = shortNames(snapshot.symbols.map(({ symbol }) => symbol));
  const tables = tablesOf(snapshot, settings, only, {
    row: (view, held, atMs) => weekRow(view, names.short(view.symbol), held, atMs),
    interest: weekInterest,
    name: names.short,
  });
  const symbol = shownName(snapshot, tables.market, names.short);
  if (!symbol) return null;
  const short = (row: Row): Row =>
    typeof row["symbol"] === "string" ? { ...row, symbol: names.short(row["symbol"]) } : row;
  const common = commonVariables(snapshot, settings);
  const variables = {
    ...common,
    rules: { ...(common["rules"] as object), maxPositions: settings.maxPositions },
    score: scoreRows(snapshot),
    room: roomFor(snapshot, settings, names.short),
    decisions: decisionRows(snapshot, names.short),
    trades: tradeRows(snapshot).map(short),
    views: (views ?? []).map(short),
    task: task ?? "all",
    focus: task === undefined ? "" : [...(only ?? [])].map(names.short).join(", "),
  };
  return {
    tables,
    variables,
    replySchema: reasonedSchema({ symbol, citable: citableIn(columnsOf(settings), tables) }),
  };
}

const scoreRows = ({ score }: Snapshot): readonly Row[] =>
  score ? scoreLines(score).map(([figure, value]) => ({ figure, value })) : [];

/** Positions, their maximum, and the weakest one, which would have to close first. */
function roomFor({ account }: Snapshot, { maxPositions }: TraderSettings, short: (symbol: string) => string) {
  const positions = account?.positions ?? [];
  const held = new Set(positions.map(({ position }) => position.symbol)).size;
  const gain = ({ position: { side, markPrice, avgPrice } }: (typeof positions)[number]): number =>
    avgPrice.isZero() ? 0 : (side === "LONG" ? 1 : -1) * markPrice.div(avgPrice).sub(1).toNumber();
  const weakest = positions
    .map((each) => ({ name: short(each.position.symbol), gain: gain(each) }))
    .sort((a, b) => a.gain - b.gain)
    .map(({ name }) => name);
  return { held, most: maxPositions, full: held >= maxPositions && held > 0, weakest: weakest.join(", ") };
}

const DECISIONS_SHOWN = 8;

function decisionRows({ decisions = [], atMs }: Snapshot, short: (symbol: string) => string): readonly Row[] {
  return decisions.slice(0, DECISIONS_SHOWN).map(({ atMs: decidedMs, symbol, stance, size, price, moved, result }) => ({
    time: `${formatSpan(Math.max(MINUTE_MS, Math.floor((atMs - decidedMs) / MINUTE_MS) * MINUTE_MS))} ago`,
    symbol: short(symbol),
    stance,
    size: stance === "FLAT" ? null : size.toFixed(2),
    price: price === null ? null : Number(price.toPrecision(6)),
    since: moved === null ? null : `${moved < 0 ? "" : "+"}${(moved * 100).toFixed(2)}`,
    result: resultWords(result),
  }));
}

function resultWords({ kind, usdt }: OwnDecision["result"]): string {
  if (kind === "none") return "changed nothing";
  const sum = usdt === null ? "result unknown" : `${usdt < 0 ? "" : "+"}${usdt.toFixed(2)} USDT`;
  return kind === "open" ? `open, ${sum}` : `closed, ${sum}`;
}

/**
 * A symbol that a reply may name; null if none was shown. The list sent with the question is the whole universe,
 * because it is in the stable part of the prompt, which must not depend on the table. A symbol that was not shown is
 * refused all the same.
 */
export function shownSymbol({ symbols }: Snapshot, market: readonly Row[]): z.ZodType<string> | null {
  const shown = new Set(market.map((row) => row["symbol"]));
  if (shown.size === 0) return null;
  return z
    .enum(symbols.map(({ symbol }) => symbol))
    .refine((symbol) => shown.has(symbol), "not among the symbols that were shown");
}

/** The same with short names. */
function shownName({ symbols }: Snapshot, market: readonly Row[], short: (symbol: string) => string) {
  const shown = new Set(market.map((row) => row["symbol"]));
  if (shown.size === 0) return null;
  return z
    .enum(symbols.map(({ symbol }) => short(symbol)))
    .refine((name) => shown.has(name), "not among the symbols that were shown");
}

/** Offered symbols (those of `only`, if given) and held ones, within `promptTokensMax`. */
export function tablesOf(
  snapshot: Snapshot,
  settings: TraderSettings,
  only?: ReadonlySet<string>,
  market?: TableBudget["market"],
): PromptTables {
  return promptTables(snapshot, {
    ...(market ? { market } : {}),
    tokensMax: settings.promptTokensMax,
    newsTextMax: settings.newsTextChars,
    offers: (view: SymbolView) => isOffered(view, settings) && (only === undefined || only.has(view.symbol)),
  });
}

const rotated = <T>(rows: readonly T[], by: number): readonly T[] => {
  const at = rows.length === 0 ? 0 : Math.floor((by * rows.length) / 3) % rows.length;
  return [...rows.slice(at), ...rows.slice(0, at)];
};

/** Rules, time, account and headroom: variables of every prompt in this family. */
export function commonVariables(snapshot: Snapshot, settings: TraderSettings): Readonly<Record<string, unknown>> {
  return {
    rules: rulesFor(snapshot, settings),
    time: isoTime(snapshot.atMs),
    account: accountFor(snapshot),
    headroom: headroomFor(snapshot),
    lessons: (snapshot.lessons ?? []).map(lessonText),
    limits: snapshot.headroom.limits.map(({ limit, left, unit }): Row => ({ limit, left: left.toFixed(0), unit })),
  };
}

function rulesFor(snapshot: Snapshot, settings: TraderSettings): Record<string, string | number> {
  return {
    floorUsdt: FLOOR_USDT,
    leverageMax: String(snapshot.headroom.leverageMax),
    stancesMax: STANCES_MAX,
    stopMinVolatilities: settings.stopVolatilitiesMin,
    stopMaxVolatilities: settings.stopVolatilitiesMax,
    minHold: formatSpan(settings.minHoldMinutes * MINUTE_MS),
    reasonMaxChars: REASON_CHARS_MAX,
  };
}

const percent = (share: number): string => String(Number((share * 100).toFixed(3)));

function accountFor({ account }: Snapshot): Record<string, string> | null {
  if (!account) return null;
  return {
    equityUsdt: account.equityUsdt.toFixed(2),
    availableUsdt: account.availableMarginUsdt.toFixed(2),
    floorDistanceUsdt: account.floorDistanceUsdt.toFixed(2),
    exposureUsdt: account.exposureUsdt.toFixed(0),
    netExposureUsdt: account.netExposureUsdt.toFixed(0),
    unrealizedUsdt: account.unrealizedUsdt.toFixed(2),
    floorUsdt: toWire(account.floorUsdt),
    realizedTodayUsdt: account.realizedTodayUsdt.toFixed(2),
    feesTodayUsdt: account.feesTodayUsdt.toFixed(2),
  };
}

function headroomFor({ headroom }: Snapshot): Record<string, string | boolean> {
  return {
    mayOpen: headroom.mayOpen,
    reason: headroom.reason,
    perOrderUsdt: headroom.perOrderUsdt.toFixed(0),
    totalUsdt: headroom.totalUsdt.toFixed(0),
    cushionMajorUsdt: headroom.cushionMajorUsdt.toFixed(0),
    cushionOtherUsdt: headroom.cushionOtherUsdt.toFixed(0),
    roundTripPct: percent(headroom.roundTripCost),
  };
}

/** Own closed trades as figures and enumerated words, so that no text by news or a model comes back. */
export function tradeRows({ account }: Snapshot): readonly Row[] {
  return (account?.recentTrades ?? []).slice(0, TRADES_SHOWN).map((trade) => ({
    time: isoTime(trade.closedAtMs).slice(0, 16),
    symbol: trade.symbol,
    leg: trade.side,
    action: `held ${formatSpan(Math.max(0, trade.closedAtMs - trade.openedAtMs))}, ended by ${trade.exit}`,
    price: trade.exitPrice?.toSignificantDigits(6).toFixed() ?? null,
    resultUsdt: trade.netUsdt?.toFixed(2) ?? null,
    reason: `rested on ${trade.basis}`,
  }));
}

/**
 * Equal while nothing has happened that should change an opinion: prices in steps of one hourly volatility (itself in
 * powers of two), positions, news by its shown words, headroom in doublings. An edited or retracted story counts as
 * another one; otherwise the old answer would act on a statement that no longer stands.
 */
export function fingerprintOf(snapshot: Snapshot, settings: TraderSettings): string {
  const { headroom, account } = snapshot;
  const doublings = (value: number): number => (value > 0 ? Math.round(Math.log2(value)) : -1);
  const priced = snapshot.symbols.map((view) => {
    const volatility = view.volatilityHour;
    const price = view.mark ?? view.last;
    if (volatility === null || !(volatility > 0) || price === null || !isOffered(view, settings))
      return [view.symbol, null];
    const step = 2 ** Math.round(Math.log2(volatility));
    return [view.symbol, Math.round(Math.log(price) / step), step];
  });
  return hashOf({
    settings,
    lessons: (snapshot.lessons ?? []).map(({ id }) => id),
    priced,
    positions: account?.positions.map(({ position }) => [position.symbol, position.side, toWire(position.qty)]) ?? null,
    news: snapshot.news
      .map(({ key, title, text }) => [key, title, text.slice(0, settings.newsTextChars)].join("\n"))
      .sort(),
    // Their age is left out: the same figure a minute later is the same news.
    ...(Object.keys(snapshot.facts).length === 0
      ? {}
      : { facts: Object.entries(snapshot.facts).map(([name, { values, stale }]) => [name, values, stale]) }),
    headroom: [
      headroom.mayOpen,
      headroom.leverageMax,
      doublings(headroom.totalUsdt.toNumber()),
      doublings(headroom.perOrderUsdt.toNumber()),
    ],
  });
}
