/** The outcome of a decision so far: what its orders filled, and what became of the positions that it opened. */
import { sumDecimals, toWire } from "../../core/decimal.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { JournalRow } from "../../rows/row.ts";
import { type FillRow, readFill } from "../../rows/fill.ts";
import { readPosition } from "../../rows/position.ts";

/** `leg` is `SYMBOL|SIDE`; figures are decimal text, `?` where no row has them. `closedAtMs` is null while it is open. */
export interface PositionOutcome {
  readonly leg: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly qty: string;
  readonly avgPrice: string;
  readonly stopPrice: string | null;
  /** From fills that reduced the position so far, without fees. */
  readonly realizedUsdt: string;
  /** Of all fills of its symbol while the position was open. */
  readonly feesUsdt: string;
}

/** Fills and fees of its own orders; the positions that it opened. */
export interface DecisionOutcome {
  readonly fills: number;
  readonly feesUsdt: string;
  readonly positions: readonly PositionOutcome[];
}

interface Fill extends FillRow {
  readonly writtenMs: number;
}

const fillIn = (row: JournalRow): Fill => ({ ...readFill(row), writtenMs: row.atMs });
const total = (fills: readonly FillRow[], name: "fee" | "realizedPnl"): string =>
  toWire(sumDecimals(fills.flatMap((fill) => fill[name] ?? [])));

/** Pushes about a position may come before those of the fills that created it. */
const LATE_MS = 10_000;

/** `rows` are the decision's own; later events of its positions are looked up in the journal. */
export function outcomeSoFar(reader: JournalReader, rows: readonly JournalRow[]): DecisionOutcome {
  const own = rows.filter((row) => row.kind === "fill").map(fillIn);
  const opened = rows.filter((row) => row.kind === "position" && readPosition(row).kind === "opened");
  const first = opened[0];
  const later = first ? reader.rows({ kinds: ["position"], sinceSeq: first.seq - 1 }) : [];
  const fills = first ? reader.rows({ kinds: ["fill"], sinceMs: first.atMs - LATE_MS }).map(fillIn) : [];
  return {
    fills: own.length,
    feesUsdt: total(own, "fee"),
    positions: opened.map((row) => positionOutcome(row, { later, fills })),
  };
}

interface Since {
  readonly later: readonly JournalRow[];
  readonly fills: readonly Fill[];
}

function positionOutcome(opened: JournalRow, { later, fills }: Since): PositionOutcome {
  const { leg: positionKey, symbol, side } = readPosition(opened);
  const about = later.map((row) => ({ row, is: readPosition(row) })).filter(({ is }) => is.leg === positionKey);
  const closed = about.find(({ row, is }) => row.seq > opened.seq && is.kind === "closed")?.row;
  const { is: last } = about.filter(({ row }) => row.seq < (closed?.seq ?? Infinity)).at(-1) ?? {
    is: readPosition(opened),
  };
  const untilMs = (closed?.atMs ?? Infinity) + LATE_MS;
  const its = fills.filter(
    (fill) => fill.symbol === symbol && fill.writtenMs >= opened.atMs - LATE_MS && fill.writtenMs <= untilMs,
  );
  const closing = its.filter((fill) => fill.side === (side === "LONG" ? "SELL" : "BUY"));
  return {
    leg: positionKey,
    openedAtMs: opened.atMs,
    closedAtMs: closed?.atMs ?? null,
    qty: closed ? "0" : toWire(last.qty),
    avgPrice: toWire(last.avgPrice),
    stopPrice: last.stopPrice && toWire(last.stopPrice),
    realizedUsdt: total(closing, "realizedPnl"),
    feesUsdt: total(its, "fee"),
  };
}
