/** Statement lines: every change of a balance that no execution reports. Spec: records §5.9. */
import { toWire, type Decimal } from "../../../core/decimal.ts";
import type { WireRecord } from "../contract/api.ts";
import { longId } from "../state/ids.ts";
import { availableUsdt } from "../positions/margin.ts";
import type { StatementLine, Wallet, World } from "../state/state.ts";

/** The words of records §5.9; DEDUCT_INTEREST never comes, because nothing can be borrowed. */
export type StatementType =
  | "FUNDING_FEE"
  | "MODIFY_ASSET"
  | "TRANSFER"
  | "DEDUCT_INTEREST"
  | "LIQUIDATION_FEE"
  | "LIQ_COMPENSATION";

/** Writes the line of a change just made to the USDT balance, which was `before`; no line for a change of zero. */
export function writeStatement(
  world: World,
  wallet: Wallet,
  line: { readonly type: StatementType; readonly sym: string; readonly before: Decimal },
): void {
  const change = wallet.usdt.balance.sub(line.before);
  if (change.isZero()) return;
  const after = availableUsdt(world, wallet);
  const statementId = longId(world);
  wallet.updatedAtMs = world.nowMs;
  wallet.portfolio.statements.push({
    statementId,
    requestId: `${line.type === "FUNDING_FEE" ? "f" : "s"}-${statementId}`,
    wallet,
    coin: "USDT",
    sym: line.sym,
    statementType: line.type,
    before: after.sub(change),
    after,
    atMs: world.nowMs,
  });
}

/** The record of GET statement; portfolioId and createAt are JSON numbers here. */
export function statementRecord(line: StatementLine): WireRecord {
  return {
    portfolioId: Number(line.wallet.portfolio.accountId),
    requestId: line.requestId,
    statementId: line.statementId,
    coin: line.coin,
    sym: line.sym,
    exchangeType: line.wallet.exchange,
    businessType: "PERP",
    statementType: line.statementType,
    deltaAmount: toWire(line.after.sub(line.before)),
    beforeAvailable: toWire(line.before),
    afterAvailable: toWire(line.after),
    beforeOverdraw: "0",
    afterOverdraw: "0",
    beforeBorrow: "0",
    afterBorrow: "0",
    createAt: line.atMs,
  };
}
