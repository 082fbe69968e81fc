/** Marks what must be checked before the command is complete: each item once, in order. */
import type { Instrument, Wallet, World } from "./state.ts";

/** The risk engine must check the wallet. */
export function lookAt(world: World, wallet: Wallet): void {
  if (wallet.atRisk) return;
  wallet.atRisk = true;
  world.atRisk.push(wallet);
}

/** The book must be published; not needed without listeners. */
export function bookMoved(world: World, instrument: Instrument): void {
  if (instrument.bookMoved || world.publicListeners.size === 0) return;
  instrument.bookMoved = true;
  world.booksMoved.push(instrument);
}

/** The triggers must check the last price; not needed without algo orders. */
export function lastMoved(world: World, instrument: Instrument): void {
  if (instrument.lastMoved || instrument.liveAlgos.size === 0) return;
  instrument.lastMoved = true;
  world.lastMoved.push(instrument);
}
