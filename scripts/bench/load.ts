/** The load for all engines: adds and cancels drawn once, before anything is timed. */
import { seededEntropy } from "../../src/core/entropy.ts";

/** A cancel gives the number of an earlier add, which may have been matched by then. */
export interface Load {
  readonly operations: number;
  /** 0 adds, 1 cancels. */
  readonly kind: Uint8Array;
  readonly buy: Uint8Array;
  readonly ticks: Int32Array;
  readonly lots: Int32Array;
  readonly target: Int32Array;
}

export const CANCEL = 1;

/**
 * One add in four crosses the spread, the others rest up to fifty ticks away. Once about `depth` orders are open, each
 * add is paired with the cancel of a random one.
 */
export function drawLoad(operations: number, depth: number): Load {
  const chance = seededEntropy(`bench ${depth}`);
  const load: Load = {
    operations,
    kind: new Uint8Array(operations),
    buy: new Uint8Array(operations),
    ticks: new Int32Array(operations),
    lots: new Int32Array(operations),
    target: new Int32Array(operations),
  };
  const outstanding: number[] = [];
  for (let i = 0; i < operations; i++) {
    if (outstanding.length >= depth) {
      const at = chance.int("which", 0, outstanding.length);
      const newest = outstanding.pop() ?? 0;
      load.kind[i] = CANCEL;
      load.target[i] = outstanding[at] ?? newest;
      if (at < outstanding.length) outstanding[at] = newest;
      continue;
    }
    const buy = chance.chance("side", 0.5);
    const distance = chance.chance("aggressive", 0.25) ? -chance.int("through", 0, 5) : chance.int("away", 1, 50);
    load.buy[i] = buy ? 1 : 0;
    load.ticks[i] = 10_000 + (buy ? -distance : distance);
    load.lots[i] = chance.int("lots", 1, 20);
    outstanding.push(i);
  }
  return load;
}
