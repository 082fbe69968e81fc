/** Lets everything that follows from a change happen: triggers, then the risk engine, until nothing moves any more. */
import { invariant } from "../../core/invariant.ts";
import { watchAlgos } from "./algo-trigger.ts";
import { checkWallet } from "./risk.ts";
import type { World } from "./state.ts";

/** Each round fires a one-shot order or closes something, so the rounds are finite; the figure guards that belief. */
const ROUNDS_MAX = 100_000;

export function settle(world: World): void {
  for (let round = 0; world.lastMoved.size > 0 || world.atRisk.size > 0; round++) {
    invariant(round < ROUNDS_MAX, "the consequences of one event must come to an end");
    for (const instrument of world.lastMoved) {
      world.lastMoved.delete(instrument);
      watchAlgos(world, instrument, "LAST_PRICE");
    }
    for (const wallet of world.atRisk) {
      world.atRisk.delete(wallet);
      checkWallet(world, wallet);
    }
  }
}
