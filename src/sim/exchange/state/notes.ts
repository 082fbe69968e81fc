/** Notes of changes to be checked before the command is done: each once, in order. */
import type { Instrument, Wallet, World } from "./state.ts";

/** The risk engine must check the wallet. */
export function lookAt(world: World, wallet: Wallet): void {
  if (wallet.atRisk) return;
  wallet.atRisk = true;
  world.atRisk.push(wallet);
}

/** The market must be shown the book; without listeners there is no need. */
export function bookMoved(world: World, instrument: Instrument): void {
  if (instrument.bookMoved || world.publicListeners.size === 0) return;
  instrument.bookMoved = true;
  world.booksMoved.push(instrument);
}

/** The triggers must check the last price; without any there is no need. */
export function lastMoved(world: World, instrument: Instrument): void {
  if (instrument.lastMoved || instrument.liveAlgos.size === 0) return;
  instrument.lastMoved = true;
  world.lastMoved.push(instrument);
}
