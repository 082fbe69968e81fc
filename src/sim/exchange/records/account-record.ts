/** Account and asset figures as the wire shows them. Spec: records §4.1, §4.4, §11.3. */
import { type Decimal, maxDecimal, minDecimal, toWire, ZERO } from "../../../core/decimal.ts";
import type { WireRecord } from "../contract/api.ts";
import { money, ratio, roundMoney } from "../state/figures.ts";
import { availableCoin, availableUsdt, coinIndex, discountOf, uniMmrOf, walletFigures } from "../positions/margin.ts";
import type { Wallet, World } from "../state/state.ts";

/** The record of GET account and of the MarginCall push. */
export function accountRecord(world: World, wallet: Wallet): WireRecord {
  const figures = walletFigures(world, wallet);
  const risk = figures.validMargin.isZero() ? ZERO : figures.maintenance.div(figures.validMargin);
  return {
    portfolioId: wallet.portfolio.accountId,
    exchangeType: wallet.exchange,
    equity: money(figures.equity),
    maintainMargin: money(figures.maintenance),
    positionValue: money(figures.positionValue),
    uniMMR: ratio(uniMmrOf(figures)),
    riskRatio: ratio(risk),
    accountStatus: wallet.status,
    marginValue: money(figures.marginValue),
    frozenMargin: money(figures.perpMargin),
    perpMargin: money(figures.perpMargin),
    debtMargin: "0",
    openLossMargin: money(figures.openLoss),
    validMargin: money(figures.validMargin),
    availableMargin: money(figures.availableMargin),
    upnl: money(figures.upnl),
    positionMode: wallet.mode,
  };
}

interface CoinFigures {
  readonly balance: Decimal;
  readonly available: Decimal;
  readonly frozen: Decimal;
}

/** `frozen` is locked by open orders; the margin of positions only lowers `available`. */
function coinFigures(world: World, wallet: Wallet, coin: string): CoinFigures {
  const balance = wallet.coins.get(coin)?.balance ?? ZERO;
  if (coin !== "USDT") {
    const available = maxDecimal(ZERO, availableCoin(world, wallet, coin));
    return { balance, available, frozen: balance.sub(available) };
  }
  const { orderMargin, openLoss } = walletFigures(world, wallet);
  return { balance, available: availableUsdt(world, wallet), frozen: orderMargin.add(openLoss) };
}

/** The record of the assets list: one coin of one exchange account. */
export function assetRecord(world: World, wallet: Wallet, coin: string): WireRecord {
  const { balance, available, frozen } = coinFigures(world, wallet, coin);
  const figures = walletFigures(world, wallet);
  const upnl = coin === "USDT" ? figures.upnl : ZERO;
  const price = coinIndex(world, wallet.exchange, coin);
  const equity = balance.add(upnl);
  const movable = coin === "USDT" ? maxDecimal(ZERO, minDecimal(available, figures.availableMargin)) : ZERO;
  return {
    portfolioId: wallet.portfolio.accountId,
    coin,
    exchangeType: wallet.exchange,
    balance: toWire(balance),
    available: money(available),
    frozen: money(frozen),
    debt: money(equity.lt(0) ? equity.neg() : ZERO),
    equity: money(equity),
    equityValue: money(equity.mul(price)),
    borrow: "0",
    virtualBorrow: "0",
    overdraw: "0",
    indexPrice: toWire(price),
    marginValue: money(roundMoney(balance.mul(price)).mul(discountOf(world, coin))),
    upnl: money(upnl),
    debtMargin: "0",
    perpMargin: coin === "USDT" ? money(figures.perpMargin) : "0",
    maxTransferable: money(movable),
    createAt: String(wallet.createdAtMs),
    updateAt: String(wallet.updatedAtMs),
  };
}

/** The record of the Assets push. */
export function assetPushRecord(world: World, wallet: Wallet, coin: string): WireRecord {
  const { balance, available, frozen } = coinFigures(world, wallet, coin);
  return {
    coin,
    exchangeType: wallet.exchange,
    balance: toWire(balance),
    available: money(available),
    frozen: money(frozen),
  };
}
