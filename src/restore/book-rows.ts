/** The score of a shadow as its last journal row tells it, for a reader without a running agent. */
import { PAPER_CAPITAL } from "../agent/paper/paper-account.ts";
import { paperFromRow } from "../agent/paper/paper-rows.ts";
import type { StrategyRecord } from "../context/memory.ts";

/** Open positions count at their entry price: a journal knows no present marks. Null when the row is none. */
export function bookFromRow(body: unknown): StrategyRecord | null {
  const { book, strategy, event, account: row } = (body ?? {}) as Record<string, unknown>;
  const account = paperFromRow(row);
  if (typeof book !== "string" || typeof strategy !== "string" || !account || event === "ended") return null;
  const { decisions, failed, trades, wins, modelUsd } = account.totals;
  return {
    name: book,
    strategy,
    sinceMs: account.sinceMs,
    decisions,
    failed,
    trades,
    wins,
    open: account.legs.size,
    returnAfterCosts: account.balance.div(PAPER_CAPITAL).sub(1).toNumber(),
    maxDrawdown: account.maxDrawdown,
    sharpe: account.sharpe(),
    modelCostUsd: modelUsd.toNumber(),
  };
}
