/** What a decision saw, as lines for a person. Knows only the shape of the facts. */
import { formatSpan, isoTime } from "../../core/time.ts";
import { oneLine } from "../../core/safe-text.ts";

/** Prices in USDT; funding, volatility and return as fractions; flow from -1 to 1; null if it was not known. */
export interface SymbolFacts {
  readonly symbol: string;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly mark: number | null;
  readonly funding: number | null;
  readonly volatilityHour: number | null;
  readonly flow: number | null;
  readonly ret1h: number | null;
  /** Null: never reported. */
  readonly bookAgeMs: number | null;
  readonly markAgeMs: number | null;
  readonly tradeAgeMs: number | null;
}

/** Ages are ms before `atMs`; the account is null if it had not been read. */
export interface SeenFacts {
  readonly atMs: number;
  readonly account: {
    readonly equityUsdt: string;
    readonly floorUsdt: string;
    readonly availableUsdt: string;
    readonly ageMs: number | null;
    readonly positions: readonly {
      readonly symbol: string;
      readonly side: string;
      readonly qty: string;
      readonly avgPrice: string;
      readonly stopPrice: string | null;
    }[];
  } | null;
  readonly headroom: {
    readonly mayOpen: boolean;
    readonly reason: string;
    readonly perOrderUsdt: string;
    readonly totalUsdt: string;
  };
  readonly symbols: readonly SymbolFacts[];
  readonly news: readonly {
    readonly key: string;
    readonly kind: string;
    readonly title: string;
    readonly currencies: readonly string[];
    readonly ageMs: number;
  }[];
  /** Newest values of the owner's own sources; `ageMs` is null before the first point. */
  readonly facts: readonly {
    readonly source: string;
    readonly values: Readonly<Record<string, string | number>>;
    readonly ageMs: number | null;
    readonly stale: boolean;
  }[];
  readonly missing: readonly string[];
}

const age = (ms: number | null): string => (ms === null ? "never" : formatSpan(ms));
const figure = (value: number | null, digits = 6): string =>
  value === null ? "-" : String(Number(value.toPrecision(digits)));
const percent = (value: number | null): string => (value === null ? "-" : `${(value * 100).toFixed(3)}%`);

/** One symbol in one line, each figure with its age at that time. */
export function symbolLine(view: SymbolFacts): string {
  const book = `bid ${figure(view.bid)} ask ${figure(view.ask)} (${age(view.bookAgeMs)} old)`;
  const mark = `mark ${figure(view.mark)} (${age(view.markAgeMs)})`;
  const rest = `1h ${percent(view.ret1h)}, vol/h ${percent(view.volatilityHour)}, flow ${figure(view.flow, 3)} (${age(view.tradeAgeMs)}), funding ${percent(view.funding)}`;
  return `${view.symbol.padEnd(28)} ${book}, ${mark}, ${rest}`;
}

export function seenText(seen: SeenFacts): string {
  const { account, headroom } = seen;
  const held = account?.positions.map(
    ({ symbol, side, qty, avgPrice, stopPrice }) =>
      `    holds ${side} ${qty} ${symbol} from ${avgPrice}, stop ${stopPrice ?? "NONE"}\n`,
  );
  const lines = [
    `What was seen at ${isoTime(seen.atMs)}\n`,
    account
      ? `  account   equity ${account.equityUsdt} USDT, floor ${account.floorUsdt}, available ${account.availableUsdt} (${age(account.ageMs)} old)\n`
      : "  account   not known\n",
    ...(held ?? []),
    headroom.mayOpen
      ? `  headroom  may open: one order up to ${headroom.perOrderUsdt} USDT, ${headroom.totalUsdt} in all\n`
      : `  headroom  may not open: ${oneLine(headroom.reason)}\n`,
    ...seen.symbols.map((view) => `  ${symbolLine(view)}\n`),
    ...seen.news.map(
      (item) =>
        `  news ${item.key} (${formatSpan(item.ageMs)} old, ${item.kind}${item.currencies.length > 0 ? `, ${item.currencies.join(" ")}` : ""}): ${oneLine(item.title)}\n`,
    ),
    ...seen.facts.map(({ source, values, ageMs, stale }) => {
      const pairs = Object.entries(values).map(([name, value]) => `${name} ${oneLine(String(value))}`);
      return `  source ${source} (${ageMs === null ? "no point yet" : `${age(ageMs)} old`}${stale ? ", STALE" : ""}): ${pairs.join(", ")}\n`;
    }),
    ...(seen.missing.length > 0 ? [`  missing   ${seen.missing.map(oneLine).join("; ")}\n`] : []),
  ];
  return lines.join("");
}
