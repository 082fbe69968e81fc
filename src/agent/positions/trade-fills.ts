/** What the fills of one position come to: quantities, values, result and fees, in USDT. And which fills are those of which position. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { Execution } from "../../domain/order.ts";

/** Costs of a position so far. Fees are positive where paid; funding is positive where received. */
export interface TradeCosts {
  readonly feesUsdt: Decimal;
  readonly fundingUsdt: Decimal;
}

export interface TradeFill {
  readonly opening: boolean;
  readonly execution: Execution;
}

export interface TradeSums {
  readonly entryQty: Decimal;
  readonly entryValue: Decimal;
  readonly exitQty: Decimal;
  readonly exitValue: Decimal;
  /** Null where the venue does not say it of a fill. */
  readonly realizedUsdt: Decimal | null;
  readonly feesUsdt: Decimal;
}

export function sumsOf(fills: readonly TradeFill[]): TradeSums {
  let [entryQty, entryValue, exitQty, exitValue, feesUsdt] = [ZERO, ZERO, ZERO, ZERO, ZERO];
  let realizedUsdt: Decimal | null = ZERO;
  for (const { opening, execution } of fills) {
    const { qty, price, fee, realizedPnl } = execution;
    feesUsdt = feesUsdt.add(fee);
    if (opening) {
      entryQty = entryQty.add(qty);
      entryValue = entryValue.add(qty.mul(price));
    } else {
      exitQty = exitQty.add(qty);
      exitValue = exitValue.add(qty.mul(price));
      realizedUsdt = realizedPnl && realizedUsdt && realizedUsdt.add(realizedPnl);
    }
  }
  return { entryQty, entryValue, exitQty, exitValue, realizedUsdt, feesUsdt };
}

/** By the venue's time; what opens comes before what closes in the same instant. */
export const inOrder = (fills: readonly TradeFill[]): readonly TradeFill[] =>
  [...fills].sort((a, b) => a.execution.atMs - b.execution.atMs || Number(b.opening) - Number(a.opening));

/** When the last closing fill was made; -Infinity without one. */
export const lastExitMs = (fills: readonly TradeFill[]): number =>
  fills.findLast(({ opening }) => !opening)?.execution.atMs ?? -Infinity;

/** A position that is over: how much was held at the end, and when the last fill was made that was known then. */
export interface OverPosition {
  readonly qty: Decimal;
  readonly knownMs: number;
}

/**
 * How many of the fills, in order, are of positions that were over before one began at `begunMs`, the venue's time, and that no
 * report had shown: their fills alone say that as much was closed as had been opened.
 */
export function fillsBefore(fills: readonly TradeFill[], begunMs: number): number {
  let [entered, left, count] = [ZERO, ZERO, 0];
  for (const [at, { opening, execution }] of fills.entries()) {
    if (execution.atMs >= begunMs) break;
    if (opening) entered = entered.add(execution.qty);
    else left = left.add(execution.qty);
    if (left.eq(entered)) count = at + 1;
  }
  return count;
}

/**
 * How many of the fills, in order, are those of a position that is over. It ends where as much was closed as had been opened. Where
 * fills are missing, it ends before what opened after all that was known at its end, else where enough was closed.
 */
export function fillsUntilFlat(fills: readonly TradeFill[], { qty, knownMs }: OverPosition): number {
  let [entered, left] = [ZERO, ZERO];
  let enough = fills.length;
  for (const [at, { opening, execution }] of fills.entries()) {
    if (opening) {
      entered = entered.add(execution.qty);
      continue;
    }
    left = left.add(execution.qty);
    if (left.lt(qty)) continue;
    if (left.eq(entered)) return at + 1;
    if (enough === fills.length && fills[at + 1]?.opening) enough = at + 1;
  }
  const later = fills.findIndex(({ opening, execution }) => opening && execution.atMs > knownMs);
  return later === -1 ? enough : later;
}
