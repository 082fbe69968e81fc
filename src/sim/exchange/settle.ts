/** Lets everything that follows from a change happen: triggers, then the risk engine, until nothing moves any more. */
import { invariant } from "../../core/invariant.ts";
import { watchAlgos } from "./algo-trigger.ts";
import { checkWallet } from "./risk.ts";
import type { World } from "./state.ts";

/** Each round fires a one-shot order or closes something, so the rounds are finite; the figure guards that belief. */
const ROUNDS_MAX = 100_000;

/** Called after every command, market input and step, before listeners hear of it. */
export function settle(world: World): void {
  const { lastMoved, atRisk } = world;
  for (let round = 0; lastMoved.length > 0 || atRisk.length > 0; round++) {
    invariant(round < ROUNDS_MAX, "the consequences of one event must come to an end");
    // What is looked at may note more of the kind, which then comes at the end of the same list.
    for (const instrument of lastMoved) {
      instrument.lastMoved = false;
      watchAlgos(world, instrument, "LAST_PRICE");
    }
    lastMoved.length = 0;
    for (const wallet of atRisk) {
      wallet.atRisk = false;
      checkWallet(world, wallet);
    }
    atRisk.length = 0;
  }
}
