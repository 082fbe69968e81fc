/**
 * How many slots the venue has left for stops. It takes few new ones and few changes in its window, and what is opened or
 * added to while there is none would stand without a stop, or outgrow it. Records §3; invariant I9.
 */
import type { Decimal } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { isShortOfPromise, outgrew } from "../positions/held-stop.ts";
import { saferThan } from "../books/trailing.ts";

/** Positions that opening orders on their way will open, or enlarge. */
const coming = (state: AgentState): ReadonlySet<string> =>
  new Set(
    state.orders
      .live()
      .filter(({ opening }) => opening)
      .map(({ symbol, leg: positionSide }) => positionKeyOf(symbol, positionSide)),
  );

/** For stops of positions that are not held yet: each needs a new one. */
function newOnesLeft(state: AgentState, nowMs: number): number {
  const bare = state.positions.all().filter(({ protection }) => protection === "none").length;
  const opened = [...coming(state)].filter((key) => !state.positions.get(key)).length;
  return state.stopSlots.left(nowMs) - bare - opened;
}

/** A stop without a quantity covers the whole position, whatever its size becomes. */
const isSized = ({ protection, protectedQty }: HeldPosition): boolean =>
  !(protection === "live" && protectedQty.isZero());

/**
 * For stops of held positions that are to grow: what has grown, or has a stop further away than promised, needs a change, and
 * one more where it is growing still.
 */
function changesLeft(state: AgentState, nowMs: number): number {
  const growing = coming(state);
  const all = state.positions.all();
  const sized = all.filter(isSized);
  const owed =
    all.filter((held) => outgrew(held) || isShortOfPromise(held)).length +
    sized.filter(({ key }) => growing.has(key)).length;
  return state.amendSlots.left(nowMs) - owed;
}

/**
 * Why nothing with that stop may be added to the position now; null where its stop can follow, or need not, or where it is
 * not held. Without a stop the one that stands is to remain.
 */
export function stopStaysBehind(
  state: AgentState,
  key: string,
  { nowMs, stop = null }: { readonly nowMs: number; readonly stop?: Decimal | null },
): string | null {
  const held = state.positions.get(key);
  if (!held) return null;
  const moves = stop !== null && held.standingStop !== null && saferThan(held.side, stop, held.standingStop);
  if ((!isSized(held) && !moves) || changesLeft(state, nowMs) > 0) return null;
  return `its stop could not follow in time (the venue takes ${state.amendSlots.text})`;
}

/** Why that position may not be opened now, or be added to: its stop could not follow. Null where it can. */
export function lacksStopSlot(
  state: AgentState,
  key: string,
  { nowMs, stop }: { readonly nowMs: number; readonly stop: Decimal | null },
): string | null {
  if (state.positions.get(key)) return stopStaysBehind(state, key, { nowMs, stop });
  if (newOnesLeft(state, nowMs) > 0) return null;
  return `its stop could not be placed in time (the venue takes ${state.stopSlots.text})`;
}
