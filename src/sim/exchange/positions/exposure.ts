/** Finds the exposure of a wallet in an instrument. */
import { NOTHING_BOUND, NOTHING_HELD } from "./margin.ts";
import { listOpen, noOpenOrders } from "../state/open-orders.ts";
import { newTally } from "./tally.ts";
import type { Exposure, Instrument, Wallet, World } from "../state/state.ts";

/** The wallet's exposure in an instrument, created if missing. */
export function exposureIn(world: World, wallet: Wallet, instrument: Instrument): Exposure {
  const found = wallet.exposures.get(instrument.symbol);
  if (found !== undefined) return found;
  const exposure: Exposure = {
    no: world.exposures.length,
    wallet,
    instrument,
    positions: new Map(),
    open: noOpenOrders(),
    tally: newTally(),
    held: NOTHING_HELD,
    bound: NOTHING_BOUND,
  };
  world.exposures.push(exposure);
  wallet.exposures.set(instrument.symbol, exposure);
  instrument.exposures.push(exposure);
  return exposure;
}

/** All open orders of a wallet, oldest first within each symbol. */
export function* openOrdersOf(wallet: Wallet) {
  for (const exposure of wallet.exposures.values()) yield* listOpen(exposure.open);
}
