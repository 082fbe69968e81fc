/** The score of a shadow as its last journal row gives it, for a reader without a running agent. */
import { PAPER_CAPITAL } from "../agent/paper/paper-account.ts";
import { paperFromRow } from "../agent/paper/paper-rows.ts";
import type { StrategyRecord } from "../context/memory.ts";
import type { ShadowRow } from "../rows/shadow.ts";

/** Open positions count at their entry price: a journal knows no present marks. Null when the shadow has ended. */
export function bookFromRow({ book, strategy, event, account: row }: ShadowRow): StrategyRecord | null {
  if (event === "ended") return null;
  const account = paperFromRow(row);
  const { decisions, failed, trades, wins, modelUsd } = account.totals;
  return {
    name: book,
    strategy,
    sinceMs: account.sinceMs,
    decisions,
    failed,
    trades,
    wins,
    open: account.positions.size,
    returnAfterCosts: account.balance.div(PAPER_CAPITAL).sub(1).toNumber(),
    maxDrawdown: account.maxDrawdown,
    sharpe: account.sharpe(),
    modelCostUsd: modelUsd.toNumber(),
  };
}
