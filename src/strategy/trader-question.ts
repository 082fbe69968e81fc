/**
 * The deciding question. Every figure comes from the snapshot, the limits' own headroom and the settings; the texts are
 * in `prompts/llm-trader.md` and `prompts/llm-trader-5.md`, or in a file of the owner's.
 */
import { z } from "zod";
import { type Row, shortNames } from "../context/prompt-cells.ts";
import { type PromptTables, promptTables, type TableBudget } from "../context/prompt-tables.ts";
import { scoreLines } from "../context/score-text.ts";
import type { OwnDecision, Snapshot, SymbolView } from "../context/snapshot.ts";
import { hashOf } from "../core/hash.ts";
import { weekInterest, weekRow } from "../context/week-rows.ts";
import { formatSpan, MINUTE_MS } from "../core/time.ts";
import { citableIn, columnsOf } from "./citations.ts";
import { reasonedSchema, stancesSchema } from "./stances.ts";
import { isOffered } from "./stance-targets.ts";
import type { ModelQuestion } from "./strategy.ts";
import { asksWeeks, type TraderSettings } from "./trader-settings.ts";
import { commonVariables, tradeRows } from "./trader-facts.ts";
import { fingerprintOf } from "./trader-fingerprint.ts";

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
