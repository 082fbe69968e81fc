/** What the account's own orders cost beyond the middle of the book at their decisions, in basis points of value. */
import { type Decimal, sumDecimals } from "../../core/decimal.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { type CostRow, readCost } from "../../rows/cost.ts";

export interface OrderCosts {
  readonly orders: number;
  /** Slippage and fees; negative where waiting earned more than the fee. */
  readonly costBps: number;
  /** Share of the value that was filled as maker, 0 to 1. */
  readonly makerShare: number;
}

/** Orders with a middle to measure from, so no stops and targets. Null without one. */
export function orderCosts(reader: Pick<JournalReader, "rows">, sinceMs: number): OrderCosts | null {
  const costs = reader
    .rows({ kinds: ["cost"], sinceMs })
    .map(readCost)
    .filter(({ what, slippageBps }) => what !== "stop" && what !== "target" && slippageBps !== null);
  const value = sumDecimals(costs.map(({ valueUsdt }) => valueUsdt));
  if (!value.gt(0)) return null;
  const byValue = (of: (cost: CostRow) => number): number =>
    costs.reduce((sum, cost) => sum + of(cost) * shareOf(cost.valueUsdt, value), 0);
  return {
    orders: costs.length,
    costBps: byValue((cost) => (cost.slippageBps ?? 0) + shareOf(cost.feeUsdt, cost.valueUsdt) * 10_000),
    makerShare: byValue(({ makerShare }) => makerShare),
  };
}

const shareOf = (part: Decimal, whole: Decimal): number => (whole.gt(0) ? part.div(whole).toNumber() : 0);
