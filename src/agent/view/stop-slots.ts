/**
 * How many slots the venue has left for stops. It takes few new ones and few changes in its window, and what is opened or
 * added to while there is none would stand without a stop, or outgrow it. Records §3; invariant I9.
 */
import { positionKeyOf } from "../../domain/position.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { outgrew } from "../positions/held-stop.ts";

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

/** For stops of held positions that are to grow: what has grown needs a change, and one more where it is growing still. */
function changesLeft(state: AgentState, nowMs: number): number {
  const growing = coming(state);
  const sized = state.positions.all().filter(isSized);
  const owed = sized.filter(outgrew).length + sized.filter(({ key }) => growing.has(key)).length;
  return state.amendSlots.left(nowMs) - owed;
}

/** Why nothing may be added to that position now; null where its stop can follow, or where it is not held. */
export function stopStaysBehind(state: AgentState, key: string, nowMs: number): string | null {
  const held = state.positions.get(key);
  if (!held || !isSized(held) || changesLeft(state, nowMs) > 0) return null;
  return `its stop could not be made larger in time (the venue takes ${state.amendSlots.text})`;
}

/** Why that position may not be opened now, or be added to: its stop could not follow. Null where it can. */
export function lacksStopSlot(state: AgentState, key: string, nowMs: number): string | null {
  if (state.positions.get(key)) return stopStaysBehind(state, key, nowMs);
  if (newOnesLeft(state, nowMs) > 0) return null;
  return `its stop could not be placed in time (the venue takes ${state.stopSlots.text})`;
}
