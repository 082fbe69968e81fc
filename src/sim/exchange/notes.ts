/** Notes of what has moved and has to be looked at before the command is done: each thing once, in order. */
import type { Instrument, Wallet, World } from "./state.ts";

/** The risk engine has to look at the wallet. */
export function lookAt(world: World, wallet: Wallet): void {
  if (wallet.atRisk) return;
  wallet.atRisk = true;
  world.atRisk.push(wallet);
}

/** The market has to be reported the book; without listeners nobody has. */
export function bookMoved(world: World, instrument: Instrument): void {
  if (instrument.bookMoved || world.publicListeners.size === 0) return;
  instrument.bookMoved = true;
  world.booksMoved.push(instrument);
}

/** The triggers have to look at the last price; without any nobody has. */
export function lastMoved(world: World, instrument: Instrument): void {
  if (instrument.lastMoved || instrument.liveAlgos.size === 0) return;
  instrument.lastMoved = true;
  world.lastMoved.push(instrument);
}
