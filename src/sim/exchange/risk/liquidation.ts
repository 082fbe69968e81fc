/**
 * Forced closing: all orders are cancelled, then positions are closed by market, the largest loss first, until the
 * account is healthy or flat. The book is used up to the price at which account and insurance fund together would have
 * nothing left. The insurance fund takes over the rest at the mark price and covers a balance below zero. If it cannot
 * afford that, the other participants absorb the rest (`adl.ts`), and finally the venue itself. Spec: records §11.5,
 * §15.
 */
import { type Decimal, maxDecimal, toWire, ZERO } from "../../../core/decimal.ts";
import { accountRecord } from "../records/account-record.ts";
import { deleverage, endTicks, fundCarries } from "./adl.ts";
import { setAlgoState } from "../matching/algo-life.ts";
import type { WireRecord } from "../contract/api.ts";
import { openOrdersOf } from "../positions/exposure.ts";
import { money, qtyOf, roundMoney, valueOf } from "../state/figures.ts";
import { applyFill } from "../matching/fills.ts";
import { longId } from "../state/ids.ts";
import { ledgerAccount, move } from "../state/ledger.ts";
import { unrealised } from "../positions/margin.ts";
import { execute } from "../matching/matching.ts";
import { referenceTicks } from "../orders/order-checks.ts";
import { cancelNow } from "../matching/order-life.ts";
import { venueOrder } from "../orders/place.ts";
import { pushAsset, pushLiquidation } from "../records/push.ts";
import { writeStatement } from "../records/statements.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Order, Wallet, World } from "../state/state.ts";

/** Cancels every plain and algo order of a wallet in the name of the risk engine. */
export function cancelEverything(world: World, wallet: Wallet, reason: string): void {
  for (const order of openOrdersOf(wallet)) cancelNow(world, order, "SYSTEM", reason);
  for (const exposure of wallet.exposures.values()) {
    for (const algo of [...exposure.instrument.liveAlgos]) {
      if (algo.exposure === exposure) setAlgoState(world, algo, "CANCELLED", reason);
    }
  }
}

const insurance = (world: World, wallet: Wallet) => ledgerAccount(world.ledger, `insurance/${wallet.exchange}`, "USDT");

function worstPosition(wallet: Wallet): { exposure: Exposure; position: Position } | null {
  let worst: { exposure: Exposure; position: Position } | null = null;
  let least: Decimal | null = null;
  for (const exposure of wallet.exposures.values()) {
    for (const position of exposure.positions.values()) {
      const profit = unrealised(exposure.instrument, position);
      if (least !== null && profit.gte(least)) continue;
      least = profit;
      worst = { exposure, position };
    }
  }
  return worst;
}

/** The fund takes over the rest at the mark price, outside the book. */
export function takeOver(world: World, order: Order): void {
  const { instrument } = order.exposure;
  const left = order.lots - order.filledLots;
  const ticks = referenceTicks(instrument);
  if (left > 0 && ticks !== null) applyFill(world, order, { ticks, lots: left, maker: false });
}

/** An order that closes the whole position in any case. */
function forceClose(world: World, exposure: Exposure, position: Position): Order {
  const order = venueOrder(world, exposure, {
    side: position.lots > 0 ? "SELL" : "BUY",
    positionSide: position.side,
    lots: Math.abs(position.lots),
    origin: "LIQUIDATION",
    algoOrderId: "",
  });
  const { wallet } = exposure;
  const fund = maxDecimal(ZERO, insurance(world, wallet).balance);
  // A halted symbol accepts no orders, but the risk engine still closes there. The book is used as far as the fund can
  // pay.
  if (exposure.instrument.state === "live") execute(world, order, endTicks(world, exposure, position, fund));
  if (order.filledLots < order.lots && !fundCarries(world, exposure, position, fund)) {
    deleverage(world, order, position);
  }
  takeOver(world, order);
  return order;
}

function chargeLiquidation(world: World, order: Order, position: Position): Decimal {
  const { instrument, wallet } = order.exposure;
  const fee = roundMoney(valueOf(instrument, order.filledUnits).mul(instrument.liquidationFee));
  position.liqFee = position.liqFee.add(fee);
  const before = wallet.usdt.balance;
  const why = { kind: "liquidation-fee", ref: order.orderId, atMs: world.nowMs } as const;
  move(world.ledger, fee, { from: wallet.usdt, to: insurance(world, wallet) }, why);
  writeStatement(world, wallet, { type: "LIQUIDATION_FEE", sym: instrument.symbol, before });
  return fee;
}

function reportForced(
  world: World,
  order: Order,
  reported: { position: Position; fee: Decimal; pnl: Decimal; eventId: string },
): void {
  const { instrument, wallet } = order.exposure;
  pushLiquidation(world, wallet, "LiquidationPosition", {
    liquidationEventId: reported.eventId,
    portfolioId: wallet.portfolio.accountId,
    exchangeType: wallet.exchange,
    orderId: order.orderId,
    positionId: reported.position.positionId,
    sym: instrument.symbol,
    positionSide: order.positionSide,
    reduceQty: toWire(qtyOf(instrument, order.filledLots)),
    closedPnl: money(reported.pnl),
    liqFee: money(reported.fee),
    totalTradingFee: money(order.fee?.value ?? ZERO),
    createAt: order.createdAtMs,
    updateAt: world.nowMs,
  });
}

/** Closes the position with the largest loss; false if there is none. */
export function liquidateWorst(world: World, wallet: Wallet): boolean {
  const worst = worstPosition(wallet);
  if (worst === null) return false;
  const { exposure, position } = worst;
  const before: WireRecord = accountRecord(world, wallet);
  const eventId = longId(world);
  const pnlBefore = position.closedPnl.value;
  const order = forceClose(world, exposure, position);
  const fee = chargeLiquidation(world, order, position);
  reportForced(world, order, { position, fee, pnl: position.closedPnl.value.sub(pnlBefore), eventId });
  pushLiquidation(world, wallet, "LiquidationEvent", {
    liquidationEventId: eventId,
    portfolioId: wallet.portfolio.accountId,
    exchangeType: wallet.exchange,
    before,
    after: accountRecord(world, wallet),
    createAt: order.createdAtMs,
    updateAt: world.nowMs,
  });
  pushAsset(world, wallet);
  return true;
}

/** The insurance fund brings a flat account below zero to zero; true if that happened. */
export function compensate(world: World, wallet: Wallet): boolean {
  const { balance } = wallet.usdt;
  if (!balance.lt(ZERO)) return false;
  const why = { kind: "insurance", ref: wallet.portfolio.accountId, atMs: world.nowMs } as const;
  move(world.ledger, balance.neg(), { from: insurance(world, wallet), to: wallet.usdt }, why);
  writeStatement(world, wallet, { type: "LIQ_COMPENSATION", sym: "", before: balance });
  pushAsset(world, wallet);
  return true;
}
