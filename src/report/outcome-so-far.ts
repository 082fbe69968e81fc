/** What a decision has come to by now: what its orders filled, and what became of the legs that it opened. */
import { type Decimal, dec, DECIMAL_PATTERN, sumDecimals, toWire } from "../core/decimal.ts";
import { textIn } from "../journal/fields.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../journal/rows.ts";

/** `leg` is `SYMBOL|SIDE`; figures are decimal text, `?` where no row tells. `closedAtMs` is null while it stands. */
export interface LegOutcome {
  readonly leg: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly qty: string;
  readonly avgPrice: string;
  readonly stopPrice: string | null;
  /** Of fills that made it smaller, so far; fees apart. */
  readonly realizedUsdt: string;
  /** Of all fills of its symbol while it stood. */
  readonly feesUsdt: string;
}

/** Fills and fees of its own orders; the legs are those that it opened. */
export interface DecisionOutcome {
  readonly fills: number;
  readonly feesUsdt: string;
  readonly legs: readonly LegOutcome[];
}

const amount = (row: JournalRow, name: string): Decimal => {
  const text = textIn(row.body, name);
  return text !== null && DECIMAL_PATTERN.test(text) ? dec(text) : dec("0");
};
const total = (rows: readonly JournalRow[], name: string): string =>
  toWire(sumDecimals(rows.map((row) => amount(row, name))));

/** Pushes about a position may come before those of the fills that made it. */
const LATE_MS = 10_000;

/** `rows` are the decision's own; what came later to its legs is looked up in the journal. */
export function outcomeSoFar(reader: JournalReader, rows: readonly JournalRow[]): DecisionOutcome {
  const own = rows.filter((row) => row.kind === "fill");
  const opened = rows.filter((row) => row.kind === "position" && textIn(row.body, "kind") === "opened");
  const first = opened[0];
  const later = first ? reader.rows({ kinds: ["position", "fill"], sinceSeq: first.seq - 1 }) : [];
  const fills = first ? reader.rows({ kinds: ["fill"], sinceMs: first.atMs - LATE_MS }) : [];
  return {
    fills: own.length,
    feesUsdt: total(own, "fee"),
    legs: opened.map((row) => legOutcome(row, { later, fills })),
  };
}

interface Since {
  readonly later: readonly JournalRow[];
  readonly fills: readonly JournalRow[];
}

function legOutcome(opened: JournalRow, { later, fills }: Since): LegOutcome {
  const leg = textIn(opened.body, "leg") ?? "";
  const [symbol = "", side = ""] = leg.split("|");
  const about = later.filter((row) => row.kind === "position" && textIn(row.body, "leg") === leg);
  const closed = about.find((row) => row.seq > opened.seq && textIn(row.body, "kind") === "closed");
  const standing = about.filter((row) => row.seq < (closed?.seq ?? Infinity)).at(-1) ?? opened;
  const untilMs = (closed?.atMs ?? Infinity) + LATE_MS;
  const its = fills.filter(
    (row) => textIn(row.body, "symbol") === symbol && row.atMs >= opened.atMs - LATE_MS && row.atMs <= untilMs,
  );
  const closing = its.filter((row) => textIn(row.body, "side") === (side === "LONG" ? "SELL" : "BUY"));
  return {
    leg,
    openedAtMs: opened.atMs,
    closedAtMs: closed?.atMs ?? null,
    qty: closed ? "0" : (textIn(standing.body, "qty") ?? "?"),
    avgPrice: textIn(standing.body, "avgPrice") ?? "?",
    stopPrice: textIn(standing.body, "stopPrice"),
    realizedUsdt: total(closing, "realizedPnl"),
    feesUsdt: total(its, "fee"),
  };
}
