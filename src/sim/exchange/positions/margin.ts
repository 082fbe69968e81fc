/**
 * The value of a wallet and how much of it is locked: sums per instrument, cached until their inputs change, and the
 * account figures derived from them. Spec: records §4.1, §9.4, §15.
 */
import { Decimal, dec, maxDecimal, ZERO } from "../../../core/decimal.ts";
import type { SymbolSpec } from "../contract/market-api.ts";
import { averageEntry } from "./average.ts";
import { perLeverage, referencePrice, roundMoney, valueOf } from "../state/figures.ts";
import { openingSums } from "./tally.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Instrument, Portfolio, Wallet, World } from "../state/state.ts";
import type { BoundSums, HeldSums, WalletFigures } from "../state/sums.ts";

/** uniMMR of an account without maintenance margin. */
export const NO_MAINTENANCE = dec("99999999");
const OTHER_COIN_DISCOUNT = dec("0.95");

/** The account's setting for the symbol, else the rules' default. For spot, use `leverageIn`. */
export const leverageOf = (portfolio: Portfolio, instrument: Instrument): number =>
  portfolio.leverage.get(instrument.symbol) ?? instrument.rules.defaultLeverage;

/** The tier a position value falls into, with its number from 1. Lower bounds are inclusive. */
export function bracketOf(spec: SymbolSpec, value: Decimal): { tier: SymbolSpec["brackets"][number]; level: number } {
  let level = 1;
  while (
    level < spec.brackets.length &&
    value.gte((spec.brackets[level] as SymbolSpec["brackets"][number]).minNotional)
  ) {
    level++;
  }
  const tier = spec.brackets[level - 1] ?? { minNotional: ZERO, maxLeverage: spec.maxLeverage, maintenanceRate: ZERO };
  return { tier, level };
}

/** Signed: a profit is positive. */
export const unrealised = (instrument: Instrument, position: Position): Decimal =>
  unrealisedAt(instrument, position, referencePrice(instrument) ?? averageEntry(instrument, position));

/** The same at a given mark price. */
export const unrealisedAt = (instrument: Instrument, position: Position, mark: Decimal): Decimal =>
  roundMoney(mark.sub(averageEntry(instrument, position)).mul(instrument.lotBase).mul(position.lots));

/** At the mark price; without one at the last trade, else at the entry. Never below zero, 8 decimals. */
export function positionValue(instrument: Instrument, position: Position): Decimal {
  const mark = referencePrice(instrument) ?? averageEntry(instrument, position);
  return roundMoney(mark.mul(instrument.lotBase).mul(Math.abs(position.lots)));
}

/** The sums of an exposure without positions. */
export const NOTHING_HELD: HeldSums = { upnl: ZERO, positionValue: ZERO, positionMargin: ZERO, maintenance: ZERO };
/** The sums of an exposure without open orders. */
export const NOTHING_BOUND: BoundSums = { orderMargin: ZERO, openLoss: ZERO };

/** The leverage used for margin. */
export const leverageIn = ({ instrument, wallet }: Exposure): number =>
  instrument.spot ? 1 : leverageOf(wallet.portfolio, instrument);

function computeHeld(exposure: Exposure): HeldSums {
  if (exposure.positions.size === 0) return NOTHING_HELD;
  const { instrument } = exposure;
  let upnl = ZERO;
  let value = ZERO;
  let maintenance = ZERO;
  for (const position of exposure.positions.values()) {
    const worth = positionValue(instrument, position);
    upnl = upnl.add(unrealised(instrument, position));
    value = value.add(worth);
    maintenance = maintenance.add(worth.mul(bracketOf(instrument.spec, worth).tier.maintenanceRate));
  }
  const positionMargin = roundMoney(perLeverage(value, leverageIn(exposure)));
  return { upnl, positionValue: value, positionMargin, maintenance: roundMoney(maintenance) };
}

function computeBound(world: World, exposure: Exposure): BoundSums {
  const { units, lossUnits, lossLots } = openingSums(exposure);
  if (units === 0) return NOTHING_BOUND;
  const { instrument } = exposure;
  const notional = valueOf(instrument, units);
  const rate = (instrument.spot ? world.settings.spotFees : world.settings.perpFees).taker;
  let loss = notional.mul(rate);
  if (lossLots !== 0 && instrument.mark !== null) {
    loss = loss.add(valueOf(instrument, lossUnits).sub(instrument.mark.mul(instrument.lotBase).mul(lossLots)));
  }
  return { orderMargin: roundMoney(perLeverage(notional, leverageIn(exposure))), openLoss: roundMoney(loss) };
}

/** The value and margin of an exposure's positions. */
export const heldOf = (exposure: Exposure): HeldSums => (exposure.held ??= computeHeld(exposure));

/** The margin that its open orders lock. */
const boundOf = (world: World, exposure: Exposure): BoundSums => (exposure.bound ??= computeBound(world, exposure));

/** Call after any change of positions, leverage or mark price of an exposure. */
export function touch(exposure: Exposure): void {
  exposure.held = null;
  touchOrders(exposure);
}

/** Call after a change of open orders only. */
export function touchOrders(exposure: Exposure): void {
  exposure.bound = null;
  exposure.wallet.figures = null;
}

/** USDT price of a coin on one exchange; zero while it is unknown. */
export function coinIndex(world: World, exchange: string, coin: string): Decimal {
  if (coin === "USDT") return new Decimal(1);
  for (const type of ["SPOT", "PERP"]) {
    const instrument = world.instruments.get(`${exchange}_${type}_${coin}_USDT`);
    const price = instrument && (instrument.index ?? referencePrice(instrument));
    if (price) return price;
  }
  return ZERO;
}

/** The share of an owned coin that counts as margin, 0..1; 0.95 for all but USDT. Debts are not discounted. */
export const discountOf = (world: World, coin: string): Decimal =>
  coin === "USDT" ? world.settings.usdtDiscount : OTHER_COIN_DISCOUNT;

function coinsWorth(world: World, wallet: Wallet): { worth: Decimal; counted: Decimal } {
  let total = ZERO;
  let counted = ZERO;
  for (const { coin, balance } of wallet.coins.values()) {
    const worth = coin === "USDT" ? balance : roundMoney(balance.mul(coinIndex(world, wallet.exchange, coin)));
    total = total.add(worth);
    // A debt counts in full; only owned coins are discounted.
    counted = counted.add(worth.gt(0) ? worth.mul(discountOf(world, coin)) : worth);
  }
  return { worth: total, counted };
}

/** Adds up the sums of all exposures; unchanged exposures keep theirs. */
function sumsOf(world: World, wallet: Wallet): HeldSums & BoundSums {
  let [upnl, value, positionMargin, maintenance, orderMargin, openLoss] = [ZERO, ZERO, ZERO, ZERO, ZERO, ZERO];
  for (const exposure of wallet.exposures.values()) {
    const held = heldOf(exposure);
    const bound = boundOf(world, exposure);
    if (held !== NOTHING_HELD) {
      upnl = upnl.add(held.upnl);
      value = value.add(held.positionValue);
      positionMargin = positionMargin.add(held.positionMargin);
      maintenance = maintenance.add(held.maintenance);
    }
    if (bound !== NOTHING_BOUND) {
      orderMargin = orderMargin.add(bound.orderMargin);
      openLoss = openLoss.add(bound.openLoss);
    }
  }
  return { upnl, positionValue: value, positionMargin, maintenance, orderMargin, openLoss };
}

function computeFigures(world: World, wallet: Wallet): WalletFigures {
  const sums = sumsOf(world, wallet);
  const { upnl, positionMargin, orderMargin, openLoss } = sums;
  const { worth, counted } = coinsWorth(world, wallet);
  const marginValue = counted.add(upnl);
  const perpMargin = positionMargin.add(orderMargin);
  const validMargin = marginValue.sub(openLoss);
  return {
    ...sums,
    balance: wallet.usdt.balance,
    equity: worth.add(upnl),
    marginValue,
    perpMargin,
    validMargin,
    availableMargin: validMargin.sub(perpMargin),
  };
}

/**
 * The current account figures. Cached while nothing changes, except with other coins, whose prices move without notice.
 */
export function walletFigures(world: World, wallet: Wallet): WalletFigures {
  const kept = wallet.figures;
  if (kept !== null && kept.balance === wallet.usdt.balance && wallet.coins.size === 1) return kept;
  return (wallet.figures = computeFigures(world, wallet));
}

/** Valid margin over maintenance margin. */
export const uniMmrOf = ({ validMargin, maintenance }: WalletFigures): Decimal =>
  maintenance.isZero() ? NO_MAINTENANCE : validMargin.div(maintenance);

/** Whether uniMMR is at or below a limit, without dividing. */
export const uniMmrAtMost = (figures: WalletFigures, limit: Decimal): boolean =>
  figures.maintenance.isZero() ? NO_MAINTENANCE.lte(limit) : figures.validMargin.lte(figures.maintenance.mul(limit));

/** Equity of the whole portfolio, over its exchange accounts. */
export function portfolioEquity(world: World, portfolio: Portfolio): Decimal {
  let equity = ZERO;
  for (const wallet of portfolio.wallets.values()) equity = equity.add(walletFigures(world, wallet).equity);
  return equity;
}

/** The free part of the realised USDT balance: not locked by positions or orders. Records §4.4. */
export function availableUsdt(world: World, wallet: Wallet): Decimal {
  const { perpMargin, openLoss } = walletFigures(world, wallet);
  return maxDecimal(ZERO, wallet.usdt.balance.sub(perpMargin).sub(openLoss));
}

/** Base coin of a spot account that is not locked by open sales. */
export function availableCoin(world: World, wallet: Wallet, coin: string): Decimal {
  const instrument = world.instruments.get(`${wallet.exchange}_SPOT_${coin}_USDT`);
  const free = wallet.coins.get(coin)?.balance ?? ZERO;
  const exposure = instrument && wallet.exposures.get(instrument.symbol);
  if (!exposure) return free;
  return free.sub(exposure.instrument.lotBase.mul(exposure.tally.sellLots));
}
