/** Where a stop may stand for the price that a row gave: there, or rounded away from safety to a tick that its symbol has shown. */
import { abs, isNil, isWholeIn, lastDigit, lt, type Num, sub } from "./decimal.ts";
import type { History } from "./history.ts";
import { type PositionSide, safer } from "./stop-prices.ts";
import { factsOf, faultWithin } from "./venue-view.ts";

/** The venue shows other rules while this fault is on, and an agent may know them for some time after. */
const RULES_CHANGED = "rule-change";

/** A stop as it stands at the venue. */
export interface StandingStop {
  readonly symbol: string;
  readonly side: PositionSide;
  readonly price: Num;
  readonly atMs: number;
}

/** Whether it is a given price, rounded away from safety by less than a tick. */
export function roundedFrom(history: History, { symbol, side, price, atMs }: StandingStop): (given: Num) => boolean {
  const kept = factsOf(history, "rules").flatMap(({ symbol: of, rules }) =>
    of === symbol && !isNil(rules.tick) && isWholeIn(price, rules.tick) ? [rules.tick] : [],
  );
  // The ledger has the rules that the exchange keeps. Of others that were shown, the tick is taken from the price itself.
  const coarser = faultWithin(history, RULES_CHANGED, { fromMs: -Infinity, toMs: atMs });
  const ticks = coarser ? [...kept, lastDigit(price)] : kept;
  return (given) => safer(side, given, price) && ticks.some((tick) => lt(abs(sub(given, price)), tick));
}
