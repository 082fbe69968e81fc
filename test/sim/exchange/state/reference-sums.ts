/** The figures of a wallet added up from nothing but its positions, open orders and coins: slow and plain, to compare with. */
import { type Decimal, sumDecimals, ZERO } from "../../../../src/core/decimal.ts";
import { priceOf, roundMoney, valueOf } from "../../../../src/sim/exchange/state/figures.ts";
import { bracketOf, leverageIn, positionValue, unrealised } from "../../../../src/sim/exchange/positions/margin.ts";
import { openingLots } from "../../../../src/sim/exchange/positions/opening.ts";
import type { Exposure, Order, Wallet, World } from "../../../../src/sim/exchange/state/state.ts";
import type { BoundSums, HeldSums } from "../../../../src/sim/exchange/state/sums.ts";

export type Sums = HeldSums & BoundSums;

/** What an open order would lose at once if it filled with the market at the mark. */
function lossAgainstMark(order: Order, lots: number): Decimal {
  const { instrument } = order.exposure;
  if (order.ticks === null || instrument.mark === null || instrument.spot) return ZERO;
  const price = priceOf(instrument, order.ticks);
  const worse = order.side === "BUY" ? price.sub(instrument.mark) : instrument.mark.sub(price);
  return worse.gt(0) ? worse.mul(instrument.lotBase).mul(lots) : ZERO;
}

function sumsOf(world: World, exposure: Exposure): Sums {
  const { instrument } = exposure;
  const positions = [...exposure.positions.values()];
  const values = positions.map((position) => positionValue(instrument, position));
  const needs = values.map((value) => value.mul(bracketOf(instrument.spec, value).tier.maintenanceRate));
  let notional = ZERO;
  let loss = ZERO;
  openingLots(exposure, (order, lots) => {
    notional = notional.add(valueOf(instrument, lots * order.countedTicks));
    loss = loss.add(lossAgainstMark(order, lots));
  });
  const { taker } = instrument.spot ? world.settings.spotFees : world.settings.perpFees;
  const leverage = leverageIn(exposure);
  return {
    upnl: sumDecimals(positions.map((position) => unrealised(instrument, position))),
    positionValue: sumDecimals(values),
    positionMargin: roundMoney(sumDecimals(values).div(leverage)),
    maintenance: roundMoney(sumDecimals(needs)),
    orderMargin: roundMoney(notional.div(leverage)),
    openLoss: roundMoney(notional.mul(taker).add(loss)),
  };
}

export function referenceSums(world: World, wallet: Wallet): Sums {
  const parts = [...wallet.exposures.values()].map((exposure) => sumsOf(world, exposure));
  const total = (name: keyof Sums): Decimal => sumDecimals(parts.map((part) => part[name]));
  return {
    upnl: total("upnl"),
    positionValue: total("positionValue"),
    positionMargin: total("positionMargin"),
    maintenance: total("maintenance"),
    orderMargin: total("orderMargin"),
    openLoss: total("openLoss"),
  };
}
