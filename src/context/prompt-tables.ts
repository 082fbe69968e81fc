/**
 * Renders a snapshot as table rows for a prompt within a token budget. The least useful content is dropped first:
 * texts of older news, then quiet symbols without a position, then older news; `missing` reports what was omitted.
 * Figures are rounded for reading; column names are those of docs/MODEL.md.
 */
import { formatSpan } from "../core/time.ts";
import { countTokens } from "../core/tokens.ts";
import type { Facts } from "./facts.ts";
import { plain, price, type Row, signed } from "./prompt-cells.ts";
import type { HeldPosition, Snapshot, SymbolView } from "./snapshot.ts";

/** The tables that prompts may use; `missing` is the snapshot's list plus the omissions made here. */
export interface PromptTables {
  readonly positions: readonly Row[];
  readonly market: readonly Row[];
  readonly news: readonly Row[];
  /** A row for each value of each source; texts among them come from unknown authors, as news does. */
  readonly facts: readonly Row[];
  readonly missing: readonly string[];
}

/** The token budget of the tables, and the symbols they cover. */
export interface TableBudget {
  /** Tokens of all rows together. Positions and facts are never omitted. */
  readonly tokensMax: number;
  /** Characters of one news text. */
  readonly newsTextMax: number;
  /** Symbols allowed in the market table; held ones are always included. */
  readonly offers: (view: SymbolView) => boolean;
  /** Another market table than that of `MARKET_COLUMNS`; its rows need a column `held`. */
  readonly market?: {
    readonly row: (view: SymbolView, held: "LONG" | "SHORT" | null, atMs: number) => Row;
    /** The higher, the earlier; held symbols come first in any case. */
    readonly interest: (view: SymbolView) => number;
    /** How symbols are called in the table of positions. */
    readonly name: (symbol: string) => string;
  };
}

/** Share of the market table in what the positions leave; news gets the rest, and the market what news leaves. */
const MARKET_SHARE = 0.6;

interface Fitted {
  readonly rows: readonly Row[];
  readonly tokens: number;
}

/** Fits the budget: all positions and facts, then the market with held symbols first, then news in the snapshot's order. */
export function promptTables(snapshot: Snapshot, budget: TableBudget): PromptTables {
  const held = new Map(snapshot.account?.positions.map((each) => [each.position.symbol, each.position.side]));
  const {
    row: rowOf,
    interest,
    name,
  } = budget.market ?? { row: marketRow, interest: ofMoves, name: (symbol) => symbol };
  const positions = (snapshot.account?.positions ?? []).map((each) => ({
    ...positionRow(each, snapshot.atMs),
    symbol: name(each.position.symbol),
  }));
  const facts = factRows(snapshot.facts);
  const always = [...positions, ...facts];
  const left = Math.max(0, budget.tokensMax - always.reduce((sum, row) => sum + tokensOf(row), 0));
  const views = snapshot.symbols.filter((view) => held.has(view.symbol) || budget.offers(view));
  const rank = (view: SymbolView): number => (held.has(view.symbol) ? Infinity : interest(view));
  const ranked = views
    .map((view) => ({ view, rank: rank(view) }))
    .sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  const rows = ranked.map(({ view }) => rowOf(view, held.get(view.symbol) ?? null, snapshot.atMs));
  const first = fitMarket(rows, left * MARKET_SHARE);
  const items = snapshot.news.map((item) => newsRow(item, snapshot, budget.newsTextMax));
  const news = fitNews(items, left - first.tokens);
  const market = fitMarket(rows, left - news.tokens);
  return { positions, market: market.rows, news: news.rows, facts, missing: [...snapshot.missing, ...leftOut()] };

  function* leftOut(): Generator<string> {
    const symbols = rows.length - market.rows.length;
    const texts = news.rows.filter((row, at) => row["text"] !== items[at]?.["text"]).length;
    if (symbols > 0) yield `${symbols} quiet symbols are left out of the market table`;
    if (texts > 0) yield `the texts of ${texts} less relevant news items are left out`;
    if (news.rows.length < items.length)
      yield `${items.length - news.rows.length} less relevant news items are left out`;
  }
}

/** Rows in order while they fit; held symbols at any cost. */
function fitMarket(rows: readonly Row[], tokensMax: number): Fitted {
  const chosen: Row[] = [];
  let tokens = 0;
  for (const row of rows) {
    const cost = tokensOf(row);
    if (row["held"] === null && tokens + cost > tokensMax) break;
    tokens += cost;
    chosen.push(row);
  }
  return { rows: chosen, tokens };
}

/** Items in order while they fit: in full, then only the headline, then not at all. */
function fitNews(rows: readonly Row[], tokensMax: number): Fitted {
  const bare = rows.map((row) => tokensOf({ ...row, text: "" }));
  const chosen: Row[] = [];
  let tokens = 0;
  let later = bare.reduce((sum, cost) => sum + cost, 0);
  for (const [at, row] of rows.entries()) {
    const least = bare[at] ?? 0;
    later -= least;
    const whole = tokensOf(row);
    // A text is worth less than the headlines of the following items.
    const takesText = tokens + whole + later <= tokensMax;
    if (tokens + (takesText ? whole : least) > tokensMax) break;
    tokens += takesText ? whole : least;
    chosen.push(takesText ? row : { ...row, text: "" });
  }
  return { rows: chosen, tokens };
}

/** Counted as printed: cells separated by bars, one line per row. */
const tokensOf = (row: Row): number =>
  countTokens(
    `${Object.values(row)
      .map((cell) => (cell === null || cell === "" ? "-" : cell))
      .join(" | ")}\n`,
  );

/** The largest move in units of the symbol's own volatility. */
function ofMoves(view: SymbolView): number {
  const volatility = view.volatilityHour;
  if (volatility === null) return -1;
  const moves = [(view.returns["5m"] ?? 0) / 0.29, view.returns["1h"] ?? 0, (view.returns["4h"] ?? 0) / 2];
  return Math.max(...moves.map(Math.abs)) / volatility;
}

/** Age in seconds of the older of quote and mark. */
const ageOf = ({ ageMs }: SymbolView): number | null => {
  const worst = Math.max(Math.min(ageMs.book, ageMs.bbo), ageMs.mark);
  return Number.isFinite(worst) ? Math.round(worst / 1_000) : null;
};

function marketRow(view: SymbolView, held: "LONG" | "SHORT" | null, atMs: number): Row {
  const hour = view.indicators["1H"] ?? view.indicators["5m"];
  const middle = view.bid !== null && view.ask !== null ? (view.bid + view.ask) / 2 : null;
  return {
    symbol: view.symbol,
    price: price(view.last ?? middle),
    ret5m: signed(view.returns["5m"], 2, 100),
    ret1h: signed(view.returns["1h"], 2, 100),
    ret4h: signed(view.returns["4h"], 2, 100),
    ret24h: signed(view.returns["24h"], 1, 100),
    vol1h: plain(view.volatilityHour, 2, 100),
    spreadBps: plain(view.spreadBps, 1),
    imbalance: signed(view.depthImbalance, 2),
    flow: signed(view.tradeFlow, 2),
    fundingPct: signed(view.fundingRate, 4, 100),
    basisBps: signed(view.basisBps, 1),
    fundIn: view.nextFundingAtMs === null ? null : formatSpan(Math.max(0, view.nextFundingAtMs - atMs)),
    oi1hPct: signed(view.openInterestChange, 1, 100),
    corr: signed(view.correlationToLeader, 2),
    rsi: plain(hour?.rsi14 ?? null, 0),
    depthK: plain(view.depthUsdt, 0, 0.001),
    ageS: ageOf(view),
    held,
  };
}

function positionRow(held: HeldPosition, atMs: number): Row {
  const { position } = held;
  const direction = position.side === "LONG" ? 1 : -1;
  const moved = position.avgPrice.isZero() ? null : position.markPrice.div(position.avgPrice).sub(1).toNumber();
  return {
    symbol: position.symbol,
    leg: position.side,
    qty: position.qty.toFixed(),
    entry: position.avgPrice.toFixed(),
    mark: position.markPrice.toFixed(),
    pnlUsdt: position.unrealizedPnl.toFixed(2),
    pnlPct: signed(moved === null ? null : moved * direction, 2, 100),
    costUsdt: held.feesUsdt.sub(held.fundingUsdt).toFixed(2),
    stop: held.stopPrice?.toFixed() ?? null,
    target: held.targetPrice?.toFixed() ?? null,
    age: formatSpan(Math.max(0, atMs - held.openedAtMs)),
    thesis: held.thesis?.slice(0, 200) ?? null,
  };
}

/** Stale facts stay, and say so: that a source is silent is a fact as well. */
const factRows = (facts: Facts): readonly Row[] =>
  Object.entries(facts).flatMap(([source, { values, ageMs, stale }]) =>
    Object.entries(values).map(([name, value]) => ({
      source,
      name,
      value: typeof value === "number" ? Number(value.toPrecision(6)) : value,
      age: formatSpan(ageMs),
      state: stale ? "STALE" : "fresh",
    })),
  );

function newsRow(item: Snapshot["news"][number], { atMs, newsRecords }: Snapshot, textMax: number): Row {
  const record = newsRecords?.[item.key];
  return {
    source: record?.source ?? null,
    reports: record?.reports ?? null,
    moved: record === undefined || record.judged === 0 ? null : `${record.moved} of ${record.judged}`,
    id: item.key,
    age: formatSpan(Math.max(0, atMs - item.firstSeenMs)),
    kind: item.kind,
    currencies: item.currencies.slice(0, 8).join(","),
    title: item.title.slice(0, 200),
    text: item.text.slice(0, textMax),
  };
}

/** Columns of the market table, the names that a model may cite as evidence. */
export const MARKET_COLUMNS: readonly string[] = [
  "price",
  "ret5m",
  "ret1h",
  "ret4h",
  "ret24h",
  "vol1h",
  "spreadBps",
  "imbalance",
  "flow",
  "fundingPct",
  "basisBps",
  "fundIn",
  "oi1hPct",
  "corr",
  "rsi",
  "depthK",
  "ageS",
  "held",
];
