/**
 * Collects what a report needs from the rows of a run: during a fast run, or afterwards from a journal. Both have the
 * same rows, so that a backtest and a live account are read in the same way.
 */
import type { Decimal } from "../../core/decimal.ts";
import { toFloat } from "../../core/decimal.ts";
import { readEquity } from "../../rows/equity.ts";
import { readFill } from "../../rows/fill.ts";
import { readPosition } from "../../rows/position.ts";
import type { RowKind } from "../../rows/row.ts";
import { type ClosedTradeRow, readTrade } from "../../rows/trade.ts";
import { readVerdict } from "../../rows/verdict.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { SheetRefusal } from "./sheet-data.ts";

/** The quantity held on one side of a symbol from this instant. */
export interface HeldChange {
  readonly atMs: number;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: number;
  readonly avgPrice: number;
}

/** A payment, USDT; positive is a cost. */
export interface Payment {
  readonly atMs: number;
  readonly what: "fee" | "funding";
  readonly usdt: number;
}

export interface RunRows {
  readonly equity: readonly EquityPoint[];
  readonly held: readonly HeldChange[];
  readonly payments: readonly Payment[];
  readonly trades: readonly ClosedTradeRow[];
  readonly refusals: readonly SheetRefusal[];
  readonly decisions: number;
  /** Value of all fills, USDT; the caller supplies base units per contract. */
  readonly tradedUsdt: number;
  readonly fills: number;
}

/** The collected kinds; a journal reader requests only these. */
export const SHEET_KINDS: readonly RowKind[] = ["equity", "position", "fill", "trade", "verdict", "decision"];

interface GivenRow {
  readonly kind: RowKind;
  readonly body: unknown;
  readonly decisionId: string | null;
}

export interface RunRowsCollector {
  note(row: GivenRow, atMs: number): void;
  gathered(): RunRows;
}

/** `contractSize` returns base units per contract. Throws RowError for a row that does not fit its kind. */
export function collectRunRows(contractSize: (symbol: string) => Decimal): RunRowsCollector {
  const equity: EquityPoint[] = [];
  const held: HeldChange[] = [];
  const payments: Payment[] = [];
  const trades: ClosedTradeRow[] = [];
  const refusals = new Map<string, { count: number; example: string }>();
  const decided = new Set<string>();
  const executions = new Set<string>();
  let tradedUsdt = 0;
  const refused = (what: string, example: string): void => {
    const known = refusals.get(what);
    if (known) known.count += 1;
    else refusals.set(what, { count: 1, example });
  };
  return {
    note: ({ kind, body, decisionId }, atMs) => {
      const row = { seq: 0, kind, body };
      if (kind === "equity") equity.push({ atMs, equityUsdt: toFloat(readEquity(row).equityUsdt) });
      else if (kind === "decision") {
        if (decisionId !== null) decided.add(decisionId);
      } else if (kind === "position") {
        const { symbol, side, qty, avgPrice } = readPosition(row);
        held.push({ atMs, symbol, side, qty: toFloat(qty), avgPrice: toFloat(avgPrice) });
      } else if (kind === "fill") {
        const fill = readFill(row);
        // An execution may be reported twice: by a push and in a list.
        if (executions.has(fill.transactionId)) return;
        executions.add(fill.transactionId);
        tradedUsdt += toFloat(fill.qty.mul(fill.price).mul(contractSize(fill.symbol)));
        payments.push({ atMs: fill.atMs, what: "fee", usdt: toFloat(fill.fee) });
      } else if (kind === "trade") {
        const trade = readTrade(row);
        if (trade.event === "closed") trades.push(trade);
        else payments.push({ atMs: trade.atMs, what: "funding", usdt: -toFloat(trade.amountUsdt) });
      } else if (kind === "verdict") {
        const verdict = readVerdict(row);
        if ("skipped" in verdict) refused(withoutFigures(verdict.skipped), verdict.skipped);
        else for (const { limit, kind: says, reason } of verdict.verdicts) if (says === "deny") refused(limit, reason);
      }
    },
    gathered: () => ({
      equity,
      held,
      payments: payments.sort((a, b) => a.atMs - b.atMs),
      trades: trades.sort((a, b) => a.closedAtMs - b.closedAtMs),
      refusals: [...refusals]
        .map(([what, { count, example }]) => ({ what, count, example }))
        .sort((a, b) => b.count - a.count || (a.what < b.what ? -1 : 1)),
      decisions: decided.size,
      tradedUsdt,
      fills: executions.size,
    }),
  };
}

/** Reasons that differ only in their figures count as one. */
const withoutFigures = (reason: string): string => reason.replace(/\d[\d.,]*/g, "N");
