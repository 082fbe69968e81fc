/**
 * Pushes for participants and events for the market stream. They are queued when something happens and delivered when
 * the whole command is done, so that a listener never sees the venue in an intermediate state. Without listeners
 * nothing is queued.
 */
import { lastMoved } from "../state/notes.ts";
import { priceOf, qtyOf } from "../state/figures.ts";
import { nextNumber } from "../state/ids.ts";
import { algoRecord } from "./algo-record.ts";
import { accountRecord, assetPushRecord } from "./account-record.ts";
import { touch } from "../positions/margin.ts";
import type { UserPush, WireRecord } from "../contract/api.ts";
import type { PublicEvent } from "../contract/market-api.ts";
import { executionRecord, orderPushRecord } from "./order-record.ts";
import { positionPushRecord } from "./position-record.ts";
import type { PositionSide } from "../../../domain/order.ts";
import type { AlgoOrder, Execution, Exposure, Instrument, Order, Wallet, World } from "../state/state.ts";

function report(world: World, wallet: Wallet, channel: UserPush["channel"], data: () => WireRecord): void {
  const { accountId } = wallet.portfolio;
  for (const listener of world.userListeners) {
    if (!listener.wants(accountId)) continue;
    world.userOut.push({ accountId, channel, data: data() });
    return;
  }
}

/** Channel Orders: after every change of an order, including fills. */
export const pushOrder = (world: World, order: Order): void =>
  world.userListeners.size === 0
    ? undefined
    : report(world, order.exposure.wallet, "Orders", () => orderPushRecord(order));

/** Channel Trades: one for each execution of a participant's order. */
export const pushTrade = (world: World, execution: Execution): void =>
  world.userListeners.size === 0
    ? undefined
    : report(world, execution.exposure.wallet, "Trades", () => executionRecord(world, execution));

/** Channel Positions. A flat position is reported with quantity zero. */
export const pushPosition = (world: World, exposure: Exposure, side: PositionSide): void =>
  world.userListeners.size === 0
    ? undefined
    : report(world, exposure.wallet, "Positions", () =>
        positionPushRecord(exposure, side, exposure.positions.get(side) ?? null),
      );

/** Channel Assets: the balance of one coin in one exchange account. */
export const pushAsset = (world: World, wallet: Wallet, coin = "USDT"): void =>
  world.userListeners.size === 0
    ? undefined
    : report(world, wallet, "Assets", () => assetPushRecord(world, wallet, coin));

/** Channel MarginCall, with the current account record; `risk.ts` decides when. */
export const pushMarginCall = (world: World, wallet: Wallet): void =>
  world.userListeners.size === 0 ? undefined : report(world, wallet, "MarginCall", () => accountRecord(world, wallet));

/** Channel ALGO_ORDER: after every change of an algo order. */
export const pushAlgo = (world: World, algo: AlgoOrder): void =>
  world.userListeners.size === 0
    ? undefined
    : report(world, algo.exposure.wallet, "ALGO_ORDER", () => algoRecord(algo));

/** Both liquidation channels; the caller creates the record, see records §11.5. */
export const pushLiquidation = (
  world: World,
  wallet: Wallet,
  channel: "LiquidationEvent" | "LiquidationPosition",
  data: WireRecord,
): void => report(world, wallet, channel, () => data);

/** An event for the market stream and the venue log; dropped while nobody listens. */
export function reportPublic(world: World, event: PublicEvent): void {
  if (world.publicListeners.size > 0) world.publicOut.push(event);
}

/** A print, which also becomes the last price. */
export function printTrade(
  world: World,
  instrument: Instrument,
  trade: { readonly takerBuys: boolean; readonly ticks: number; readonly lots: number },
): void {
  const tradeNo = nextNumber(world, "trade");
  if (instrument.lastTicks !== trade.ticks) {
    instrument.lastTicks = trade.ticks;
    lastMoved(world, instrument);
    // Without a mark price, positions are valued at the last price.
    if (instrument.mark === null) for (const exposure of instrument.exposures) touch(exposure);
  }
  if (world.publicListeners.size === 0) return;
  world.publicOut.push({
    kind: "trade",
    symbol: instrument.symbol,
    tradeId: String(tradeNo),
    takerBuys: trade.takerBuys,
    price: priceOf(instrument, trade.ticks),
    qty: qtyOf(instrument, trade.lots),
    atMs: world.nowMs,
  });
}

/** Delivers the queue, in order. Events caused by listeners that call back are appended. */
export function handOut(world: World): void {
  if (world.booksMoved.length > 0) {
    for (const instrument of world.booksMoved.splice(0)) {
      instrument.bookMoved = false;
      reportPublic(world, { kind: "book-changed", symbol: instrument.symbol, atMs: world.nowMs });
    }
  }
  if (world.userOut.length > 0) {
    for (const push of world.userOut.splice(0)) {
      for (const listener of world.userListeners) if (listener.wants(push.accountId)) listener.hear(push);
    }
  }
  if (world.publicOut.length > 0) {
    for (const event of world.publicOut.splice(0)) for (const listener of world.publicListeners) listener(event);
  }
  if (world.steps.length > 0) for (const listener of world.planListeners) listener();
}
