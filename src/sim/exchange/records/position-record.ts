/** Positions as the wire shows them. Spec: records §7.1, §7.2, §11.3. */
import { type Decimal, ONE, toWire, ZERO } from "../../../core/decimal.ts";
import type { WireRecord } from "../contract/api.ts";
import { averageEntry } from "../positions/average.ts";
import { averageOf, money, qtyOf, ratio, referencePrice, roundPrice } from "../state/figures.ts";
import { bracketOf, leverageOf, positionValue, unrealised } from "../positions/margin.ts";
import type { Position } from "../state/position.ts";
import type { ClosedPosition, Exposure, Order } from "../state/state.ts";
import type { WalletFigures } from "../state/sums.ts";

/** Positive in hedge mode, signed in one-way mode. */
export function wireQty(exposure: Exposure, position: Position): string {
  const lots = position.side === "NONE" ? position.lots : Math.abs(position.lots);
  return toWire(qtyOf(exposure.instrument, lots));
}

/**
 * The mark price at which uniMMR reaches 1 if everything else stays the same; null if no positive mark price does. One
 * step of the mark price moves the valid margin by the signed quantity and the maintenance margin by quantity x rate.
 */
export function liquidationPrice(exposure: Exposure, position: Position, figures: WalletFigures): Decimal | null {
  const { instrument } = exposure;
  const mark = referencePrice(instrument);
  if (mark === null) return null;
  const { maintenanceRate } = bracketOf(instrument.spec, positionValue(instrument, position)).tier;
  const base = instrument.lotBase.mul(Math.abs(position.lots));
  const slope = base.mul((position.lots > 0 ? ONE : ONE.neg()).sub(maintenanceRate));
  if (slope.isZero()) return null;
  const price = mark.sub(figures.validMargin.sub(figures.maintenance).div(slope));
  const rounded = price.gt(0) ? roundPrice(price) : ZERO;
  return rounded.isZero() ? null : rounded;
}

/** The record of GET position. `protection` holds the live algo records of the position. */
export function positionRecord(
  exposure: Exposure,
  position: Position,
  around: { readonly figures: WalletFigures; readonly protection: readonly WireRecord[] },
): WireRecord {
  const { instrument, wallet } = exposure;
  const avg = averageEntry(instrument, position);
  const value = positionValue(instrument, position);
  const leverage = leverageOf(wallet.portfolio, instrument);
  const margin = value.div(leverage);
  const upnl = unrealised(instrument, position);
  const { tier, level } = bracketOf(instrument.spec, value);
  return {
    positionId: position.positionId,
    portfolioId: wallet.portfolio.accountId,
    sym: instrument.symbol,
    positionSide: position.side,
    positionQty: wireQty(exposure, position),
    avgPrice: toWire(avg),
    markPrice: toWire(referencePrice(instrument) ?? avg),
    positionValue: money(value),
    positionMargin: money(margin),
    positionMM: money(value.mul(tier.maintenanceRate)),
    unrealizedPNL: money(upnl),
    unrealizedPNLRate: ratio(margin.isZero() ? ZERO : upnl.div(margin)),
    leverage: String(leverage),
    maxLeverage: String(tier.maxLeverage),
    riskLevel: String(level),
    fee: money(position.fee.value),
    fundingFee: money(position.fundingFee),
    liqPrice: toWire(liquidationPrice(exposure, position, around.figures) ?? ZERO),
    tpslOrder: around.protection,
    createAt: String(position.createdAtMs),
    updateAt: String(position.updatedAtMs),
  };
}

/** The record of the Positions push; `position` is null once the position is flat. */
export function positionPushRecord(exposure: Exposure, side: string, position: Position | null): WireRecord {
  const { instrument, wallet } = exposure;
  return {
    sym: instrument.symbol,
    positionSide: side,
    positionQty: position === null ? "0" : wireQty(exposure, position),
    avgPrice: position === null ? "0" : toWire(averageEntry(instrument, position)),
    unrealizedPNL: position === null ? "0" : money(unrealised(instrument, position)),
    leverage: String(leverageOf(wallet.portfolio, instrument)),
  };
}

/** The net result of a closed position after fees, funding and liquidation. */
export const netOf = ({ closedPnl, fee, fundingFee, liqFee }: Position): Decimal =>
  closedPnl.value.sub(fee.value).add(fundingFee).sub(liqFee);

/** Records §7.2; ADL_CLOSED is a guess there. */
const CLOSED_TYPES: Partial<Record<Order["origin"], string>> = {
  LIQUIDATION: "LIQUIDATION_CLOSED",
  ADL: "ADL_CLOSED",
};

/** The record of a position that has ended, for the position history. */
export function positionHistoryRecord(closed: ClosedPosition): WireRecord {
  const { exposure, position, leverage } = closed;
  const { instrument, wallet } = exposure;
  const openAvg = averageOf(instrument, position.openedUnits, position.openedLots);
  const staked = openAvg.mul(instrument.lotBase).mul(position.closedLots).div(leverage);
  return {
    positionId: position.positionId,
    portfolioId: wallet.portfolio.accountId,
    portfolioName: null,
    sym: instrument.symbol,
    closedType: CLOSED_TYPES[closed.endedBy] ?? "COMPLETE_CLOSED",
    closedPnl: money(position.closedPnl.value),
    closedPnlRatio: ratio(staked.isZero() ? ZERO : position.closedPnl.value.div(staked)),
    closedAvgPrice: toWire(averageOf(instrument, position.closedUnits, position.closedLots)),
    openAvgPrice: toWire(openAvg),
    maxPositionQty: toWire(qtyOf(instrument, position.maxLots)),
    closedQty: toWire(qtyOf(instrument, position.closedLots)),
    fee: money(position.fee.value),
    fundingFee: money(position.fundingFee),
    liqFee: money(position.liqFee),
    leverage,
    positionHistorySide: closed.long ? "LONG" : "SHORT",
    positionMode: closed.mode,
    createAt: String(position.createdAtMs),
    updateAt: String(position.updatedAtMs),
  };
}
