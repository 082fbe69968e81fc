/**
 * How many slots the venue has left for stops. It accepts few new stops and few amendments in its window; a position
 * opened or enlarged without a free slot would have no stop, or outgrow it. Records §3; invariant I9.
 */
import type { Decimal } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { isShortOfPromise, outgrew } from "../positions/held-stop.ts";
import { saferThan } from "../books/trailing.ts";

/** When slots are judged, and for which order; a draft has no sequence, and comes after all promised orders. */
export interface SlotsAt {
  readonly nowMs: number;
  readonly sequence?: number;
  /** The order that it is to replace. */
  readonly replaced?: string;
}

/** Positions that opening orders on their way will open, or enlarge: those sent, and those promised before it. */
const coming = (state: AgentState, { sequence = Infinity, replaced }: Omit<SlotsAt, "nowMs">): ReadonlySet<string> =>
  new Set(
    state.orders
      .live()
      .filter(({ clientOrderId }) => clientOrderId !== replaced)
      .filter((tracked) => tracked.opening && (tracked.fate !== "promised" || tracked.sequence < sequence))
      .map(({ symbol, leg: positionSide }) => positionKeyOf(symbol, positionSide)),
  );

/** For stops of positions that are not held yet: each needs a new one, after those that are held without one. */
function newOnesLeft(state: AgentState, { nowMs, ...order }: SlotsAt): number {
  const bare = state.positions.all().filter(({ protection }) => protection === "none").length;
  const opened = [...coming(state, order)].filter((key) => !state.positions.get(key)).length;
  return state.stopSlots.left(nowMs) - bare - opened;
}

/** A stop without a quantity covers the whole position, also after its size changes. */
const isSized = ({ protection, protectedQty }: HeldPosition): boolean =>
  !(protection === "live" && protectedQty.isZero());

/**
 * For stops of held positions that are to grow: a position that has grown, or whose stop is further away than its order
 * requires, needs an amendment, and one more if it is still growing.
 */
function changesLeft(state: AgentState, { nowMs, ...order }: SlotsAt): number {
  const growing = coming(state, order);
  const all = state.positions.all();
  const sized = all.filter(isSized);
  const owed =
    all.filter((held) => outgrew(held) || isShortOfPromise(held)).length +
    sized.filter(({ key }) => growing.has(key)).length;
  return state.amendSlots.left(nowMs) - owed;
}

/**
 * Why nothing with that stop may be added to the position now; null if its stop can follow or need not, or if there is
 * no position. Without a given stop the live one is to remain.
 */
export function stopStaysBehind(
  state: AgentState,
  key: string,
  { stop = null, ...at }: SlotsAt & { readonly stop?: Decimal | null },
): string | null {
  const held = state.positions.get(key);
  if (!held) return null;
  // Below zero, a stop that was asked for waits for its slot.
  if (held.protection !== "live" && newOnesLeft(state, at) < 0) return noSlotFor(state);
  const moves = stop !== null && held.standingStop !== null && saferThan(held.side, stop, held.standingStop);
  if ((!isSized(held) && !moves) || changesLeft(state, at) > 0) return null;
  return `its stop could not follow in time (the venue takes ${state.amendSlots.text})`;
}

/** Why that position may not be opened or enlarged now: its stop could not follow. Null if it may. */
export function lacksStopSlot(
  state: AgentState,
  key: string,
  { stop, ...at }: SlotsAt & { readonly stop: Decimal | null },
): string | null {
  if (state.positions.get(key)) return stopStaysBehind(state, key, { ...at, stop });
  return newOnesLeft(state, at) > 0 ? null : noSlotFor(state);
}

const noSlotFor = ({ stopSlots }: AgentState): string =>
  `its stop could not be placed in time (the venue takes ${stopSlots.text})`;
