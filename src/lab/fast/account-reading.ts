/**
 * The account as its venue's replies would show it to the agent, taken from the exchange's own figures: at every decision the
 * account is read, and most of what a reply contains is never looked at. `test/lab/waiting-prices.test.ts` compares both.
 */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { ExchangeAccount, Position } from "../../domain/position.ts";
import { averageEntry } from "../../sim/exchange/positions/average.ts";
import { leverageOf, unrealised, walletFigures } from "../../sim/exchange/positions/margin.ts";
import { liquidationPrice } from "../../sim/exchange/records/position-record.ts";
import { qtyOf, referencePrice, roundMoney } from "../../sim/exchange/state/figures.ts";
import type { Position as Held } from "../../sim/exchange/state/position.ts";
import type { Exposure, Portfolio, Wallet, World } from "../../sim/exchange/state/state.ts";

/** What a read of the account gives besides orders and stops. */
export interface AccountReading {
  readonly account: readonly ExchangeAccount[];
  readonly positions: readonly Position[];
}

export function accountReading(world: World, portfolio: Portfolio): AccountReading {
  const account: ExchangeAccount[] = [];
  const positions: Position[] = [];
  for (const wallet of portfolio.wallets.values()) {
    account.push(exchangeAccount(world, wallet));
    for (const exposure of wallet.exposures.values())
      for (const held of exposure.positions.values())
        if (held.lots !== 0) positions.push(positionOf(world, exposure, held));
  }
  return { account, positions };
}

/** A reply has no sign at a zero. */
const shown = (value: Decimal): Decimal => (value.isZero() ? ZERO : roundMoney(value));

function exchangeAccount(world: World, wallet: Wallet): ExchangeAccount {
  const figures = walletFigures(world, wallet);
  return {
    portfolioId: wallet.portfolio.accountId,
    exchange: wallet.exchange,
    equity: shown(figures.equity),
    availableMargin: shown(figures.availableMargin),
    maintenanceMargin: shown(figures.maintenance),
    unrealizedPnl: shown(figures.upnl),
    positionMode: wallet.mode,
    status: wallet.status,
  };
}

function positionOf(world: World, exposure: Exposure, held: Held): Position {
  const { instrument, wallet } = exposure;
  const avgPrice = averageEntry(instrument, held);
  return {
    symbol: instrument.symbol,
    side: held.side === "NONE" ? (held.lots < 0 ? "SHORT" : "LONG") : held.side,
    qty: qtyOf(instrument, Math.abs(held.lots)),
    avgPrice,
    markPrice: referencePrice(instrument) ?? avgPrice,
    unrealizedPnl: shown(unrealised(instrument, held)),
    leverage: leverageOf(wallet.portfolio, instrument),
    liquidationPrice: liquidationPrice(exposure, held, walletFigures(world, wallet)),
    createdAtMs: held.createdAtMs,
    updatedAtMs: held.updatedAtMs,
  };
}
