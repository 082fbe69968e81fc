/**
 * A snapshot as table rows for a prompt, within a budget of characters. What is least useful goes first: quiet symbols
 * that are not held, then old news; what was left out is said under `missing`. Figures are rounded here for reading; the
 * names of the columns are those of docs/MODEL.md. Knows no template and no model.
 */
import { formatSpan } from "../core/time.ts";
import type { HeldPosition, Snapshot, SymbolView } from "./snapshot.ts";

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

export interface PromptTables {
  readonly positions: readonly Row[];
  readonly market: readonly Row[];
  readonly news: readonly Row[];
  readonly missing: readonly string[];
}

export interface TableBudget {
  /** Characters of all rows together. Positions are never left out. */
  readonly charsMax: number;
  /** Characters of one news text. */
  readonly newsTextMax: number;
  /** Which symbols may stand in the market table; held ones always do. */
  readonly offers: (view: SymbolView) => boolean;
}

/** The market table may take this share of what the positions leave, the news the rest. */
const MARKET_SHARE = 0.6;
const CELL_EXTRA = 3;

export function promptTables(snapshot: Snapshot, budget: TableBudget): PromptTables {
  const held = new Map(snapshot.account?.positions.map((each) => [each.position.symbol, each.position.side]));
  const positions = (snapshot.account?.positions ?? []).map((each) => positionRow(each, snapshot.atMs));
  const left = Math.max(0, budget.charsMax - positions.reduce((sum, row) => sum + charsOf(row), 0));
  const views = snapshot.symbols.filter((view) => held.has(view.symbol) || budget.offers(view));
  const ranked = [...views].sort((a, b) => interest(b, held.has(b.symbol)) - interest(a, held.has(a.symbol)));
  const market = fit(
    ranked.map((view) => marketRow(view, held.get(view.symbol) ?? null)),
    left * MARKET_SHARE,
    (row) => row["held"] !== null,
  );
  const used = market.reduce((sum, row) => sum + charsOf(row), 0);
  const items = snapshot.news.map((item) => newsRow(item, snapshot.atMs, budget.newsTextMax));
  const news = fit(items, left - used, () => false);
  const missing = [...snapshot.missing];
  if (market.length < views.length)
    missing.push(`${views.length - market.length} quiet symbols are left out of the market table`);
  if (news.length < items.length) missing.push(`${items.length - news.length} less relevant news items are left out`);
  return { positions, market, news, missing };
}

/** The rows that fit, in order; `always` ones are taken whatever they cost. */
function fit(rows: readonly Row[], charsMax: number, always: (row: Row) => boolean): readonly Row[] {
  let chars = 0;
  return rows.filter((row) => {
    const cost = charsOf(row);
    if (!always(row) && chars + cost > charsMax) return false;
    chars += cost;
    return true;
  });
}

const charsOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, cell) => sum + (cell === null ? 1 : String(cell).length) + CELL_EXTRA, 0);

/** Held symbols first, then by the largest move in units of the symbol's own volatility. */
function interest(view: SymbolView, held: boolean): number {
  if (held) return Infinity;
  const volatility = view.volatilityHour;
  if (volatility === null) return -1;
  const moves = [(view.returns["5m"] ?? 0) / 0.29, view.returns["1h"] ?? 0, (view.returns["4h"] ?? 0) / 2];
  return Math.max(...moves.map(Math.abs)) / volatility;
}

const signed = (value: number | null | undefined, digits: number, scale = 1): string | null => {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const text = (value * scale).toFixed(digits);
  return value > 0 && !text.startsWith("+") ? `+${text}` : text;
};

const plain = (value: number | null, digits: number, scale = 1): string | null =>
  value === null || !Number.isFinite(value) ? null : (value * scale).toFixed(digits);

/** Six digits that count, never an exponent. */
const price = (value: number | null): string | null => {
  if (value === null || !(value > 0)) return null;
  const decimals = Math.max(0, Math.min(10, 5 - Math.floor(Math.log10(value))));
  return value.toFixed(decimals);
};

function marketRow(view: SymbolView, held: "LONG" | "SHORT" | null): Row {
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
    stop: held.stopPrice?.toFixed() ?? null,
    target: held.targetPrice?.toFixed() ?? null,
    age: formatSpan(Math.max(0, atMs - held.openedAtMs)),
    thesis: held.thesis?.slice(0, 200) ?? null,
  };
}

function newsRow(item: Snapshot["news"][number], atMs: number, textMax: number): Row {
  return {
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
  "held",
];
