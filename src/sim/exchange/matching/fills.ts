/**
 * The effect of one fill on its order, position, money and pushes. The pushes come in the order of records §12: Orders,
 * Trades, Positions, Assets; everything they report is already true for queries.
 */
import { type Money, Sum } from "../state/amount.ts";
import { invalidateClosingAlgos } from "./algo-life.ts";
import { protectFill } from "./algo-attached.ts";
import { feeOf, valueOf } from "../state/figures.ts";
import { nextNumber } from "../state/ids.ts";
import { type LedgerAccount, ledgerAccount, move } from "../state/ledger.ts";
import { touch } from "../positions/margin.ts";
import { countTrade } from "../records/scored.ts";
import { lookAt } from "../state/notes.ts";
import { listOpen } from "../state/open-orders.ts";
import { onlyReduces } from "../positions/opening.ts";
import { cancelNow, leaveOpen, recount, shrinkBySystem } from "./order-life.ts";
import { fillPosition, type FillResult, reducibleLots } from "../positions/positions.ts";
import { pushAsset, pushOrder, pushPosition, pushTrade } from "../records/push.ts";
import type { Execution, Exposure, Order, Wallet, World } from "../state/state.ts";
import { Decimal, dec } from "../../../core/decimal.ts";

/** One match, from the side of the order it is booked for: `maker` if that order was resting. */
export interface Fill {
  readonly ticks: number;
  readonly lots: number;
  readonly maker: boolean;
  /** No fee is charged. */
  readonly free?: true;
}

/** The venue's own accounts, per exchange. */
export const ownAccount = (world: World, exchange: string, name: "counterparty" | "fees" | "funding", coin = "USDT") =>
  ledgerAccount(world.ledger, `${name}/${exchange}`, coin);

/** The ledger account of a coin in a wallet, opened at zero when the wallet first gets the coin. */
export function coinAccount(world: World, wallet: Wallet, coin: string): LedgerAccount {
  const found = wallet.coins.get(coin);
  if (found !== undefined) return found;
  const account = ledgerAccount(world.ledger, `cash/${wallet.portfolio.accountId}/${wallet.exchange}`, coin);
  wallet.coins.set(coin, account);
  return account;
}

function fillOrder(world: World, order: Order, fill: Fill, fee: Money): void {
  order.filledLots += fill.lots;
  order.filledUnits += fill.lots * fill.ticks;
  order.lastLots = fill.lots;
  order.lastTicks = fill.ticks;
  (order.fee ??= new Sum()).add(fee);
  order.updatedAtMs = world.nowMs;
  if (order.action === "AMEND_COMPLETED") order.action = "";
  if (order.filledLots < order.lots) {
    order.state = "PARTIALLY_FILLED";
    recount(order);
    return;
  }
  order.state = "FILLED";
  order.action = "";
  order.resting = null;
  leaveOpen(world, order);
}

/** Exchanges base coin against quote coin. */
function exchangeCoins(world: World, order: Order, fill: Fill, ref: number): void {
  const { instrument, wallet } = order.exposure;
  const { base, quote, exchange } = instrument.parts;
  const sign = order.side === "BUY" ? 1 : -1;
  const why = { kind: "spot", ref, atMs: world.nowMs } as const;
  const way = (coin: string) => ({
    from: ownAccount(world, exchange, "counterparty", coin),
    to: coinAccount(world, wallet, coin),
  });
  move(world.ledger, instrument.lotBase.mul(sign * fill.lots), way(base), why);
  move(world.ledger, valueOf(instrument, -sign * fill.lots * fill.ticks), way(quote), why);
}

function bookMoney(world: World, order: Order, amounts: { fee: Money; realised: Money; ref: number }): void {
  const { wallet } = order.exposure;
  const { ledger, nowMs: atMs } = world;
  const { fee, realised, ref } = amounts;
  move(ledger, realised, { from: wallet.counterparty, to: wallet.usdt }, { kind: "realised-pnl", ref, atMs });
  move(ledger, fee, { from: wallet.usdt, to: wallet.fees }, { kind: "fee", ref, atMs });
  wallet.updatedAtMs = atMs;
}

/** Orders that can only reduce a position are never larger than it: they shrink with it, or end with it. */
function trimReducing(world: World, exposure: Exposure): void {
  if (exposure.tally.reducers === 0) return;
  for (const order of listOpen(exposure.open)) {
    if (!onlyReduces(order)) continue;
    const room = reducibleLots(exposure, order);
    const left = order.lots - order.filledLots;
    if (room === 0) cancelNow(world, order, "SYSTEM", "the position is closed");
    else if (left > room) shrinkBySystem(world, order, room);
  }
}

function afterPosition(world: World, order: Order, change: FillResult, lotsBefore: number): void {
  const { exposure } = order;
  if (order.protection !== null) protectFill(world, order);
  const lots = exposure.positions.get(order.positionSide)?.lots ?? 0;
  const reduced = Math.abs(lots) < Math.abs(lotsBefore) || Math.sign(lots) * Math.sign(lotsBefore) < 0;
  if (change.closed !== null) invalidateClosingAlgos(world, exposure, order.positionSide, Math.sign(lotsBefore));
  if (reduced) trimReducing(world, exposure);
}

const UNCHANGED: FillResult = { realised: 0, closed: null };

/** Books one fill of an order. The match has already reduced the order's book entry, if it had one. */
export function applyFill(world: World, order: Order, fill: Fill): void {
  const { exposure } = order;
  const { instrument, wallet } = exposure;
  const { fees } = instrument;
  const rate = fill.maker ? fees.maker : fees.taker;
  const fee = fill.free ? 0 : feeOf(instrument, fill.lots * fill.ticks, rate);
  const no = nextNumber(world, "transaction");
  const lotsBefore = exposure.positions.get(order.positionSide)?.lots ?? 0;
  fillOrder(world, order, fill, fee);
  let change: FillResult = UNCHANGED;
  if (instrument.spot) exchangeCoins(world, order, fill, no);
  else change = fillPosition(world, order, { lots: fill.lots, ticks: fill.ticks, fee });
  bookMoney(world, order, { fee, realised: change.realised, ref: no });
  touch(exposure);
  const execution: Execution = {
    no,
    orderRef: order.ref,
    exposure,
    buy: order.side === "BUY",
    ticks: fill.ticks,
    lots: fill.lots,
    fee,
    realisedPnl: change.realised,
    maker: fill.maker,
    atMs: world.nowMs,
  };
  wallet.portfolio.executions.add(execution);
  countTrade(wallet.portfolio, instrument, fill.lots * fill.ticks);
  lookAt(world, wallet);
  pushOrder(world, order);
  pushTrade(world, execution);
  if (!instrument.spot) pushPosition(world, exposure, order.positionSide);
  pushAsset(world, wallet);
  if (instrument.spot) pushAsset(world, wallet, instrument.parts.base);
  else afterPosition(world, order, change, lotsBefore);
}

/** Lots that a market buy of a quote amount gets from the current asks; the last level may be taken in part. */
export function affordableLots(order: Order): number {
  const { instrument } = order.exposure;
  let money = dec(order.quoteOrderQty);
  let lots = 0;
  const { ladder } = instrument.book.asks;
  for (let i = ladder.length - 1; i >= 0; i--) {
    const level = ladder[i];
    if (level === undefined) break;
    const price = valueOf(instrument, level.ticks);
    const affordable = money.div(price).toDecimalPlaces(0, Decimal.ROUND_FLOOR);
    if (affordable.lt(level.lots)) return lots + affordable.toNumber();
    lots += level.lots;
    money = money.sub(price.mul(level.lots));
  }
  return lots;
}
