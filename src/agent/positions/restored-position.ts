/**
 * A position that the journal of earlier runs says to be held. A restart is a silence, not a new beginning: what was held
 * before it is held after it, until a report says otherwise. Fault P1; invariants I5, I9.
 */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { positionOf } from "../../domain/position.ts";
import { type HeldPosition, newHeld, type PositionMeta } from "./held-position.ts";
import type { PositionFill } from "./position-fills.ts";

/** A position as the journal of earlier runs last recorded it. */
export interface RestoredPosition extends PositionMeta {
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  /**
   * When it was last reported to have grown, our time: a later list may not show that yet. 0 where the first list decides,
   * because only a late push said so or the end of the journal is damaged.
   */
  readonly reportedMs: number;
  /** The venue's time of the last record that showed it; absent where none had one. */
  readonly provenMs?: number;
  /** When it began by the venue's time; absent where unknown. */
  readonly begunMs?: number;
  /** Its newest fill, where one is known to be as new as its size. */
  readonly lastFill?: PositionFill;
  /** What fills have closed since it was last reported. */
  readonly takenQty?: Decimal;
  /** The venue's time of the last of those fills. */
  readonly takenMs?: number;
  /** When its last close was sent, our time: it may be over. */
  readonly closeAskedMs?: number;
  /** The stop last known to stand at the venue. */
  readonly standingAlgoId: string | null;
  /** The quantity that it was last asked to cover, and when, our time: a record from before that does not show it. */
  readonly coverAsked?: { readonly qty: Decimal; readonly atMs: number };
}

/** The newest fill that a record must show to be taken over; null where only the first list can say. */
export function lastFillOf({ lastFill, reportedMs }: RestoredPosition, nowMs: number): PositionFill | null {
  const grewMs = Math.min(reportedMs, nowMs);
  if (lastFill && lastFill.heardMs >= reportedMs) return { ...lastFill, heardMs: Math.min(lastFill.heardMs, nowMs) };
  return grewMs > 0 ? { atMs: grewMs, heardMs: grewMs } : null;
}

/** Its part that says why it is held. */
export const metaOf = (restored: PositionMeta): PositionMeta => {
  const { decisionId, strategy, thesis, basis, stopPrice, targetPrice, openedAtMs, trail } = restored;
  return {
    ...{ decisionId, strategy, thesis, stopPrice, targetPrice, openedAtMs },
    ...(basis ? { basis } : {}),
    ...(trail ? { trail } : {}),
  };
};

/**
 * As it would be held now if the last run had gone on and heard nothing more. `nowMs` is our time, and nothing of the journal is
 * later: a clock that was set back since dates it ahead. Fault C2.
 */
export function heldAgain(key: string, restored: RestoredPosition, nowMs: number): HeldPosition {
  const { qty, avgPrice, reportedMs, provenMs = -Infinity, begunMs = -Infinity, lastFill, closeAskedMs } = restored;
  const { standingAlgoId: algoOrderId, coverAsked } = restored;
  const takenQty = restored.takenQty ?? ZERO;
  const readAtMs = Math.min(reportedMs, nowMs);
  const position = {
    ...positionOf(key),
    ...{ qty, avgPrice, markPrice: avgPrice, unrealizedPnl: ZERO, leverage: 1, liquidationPrice: null },
    createdAtMs: Math.max(begunMs, 0) || restored.openedAtMs,
    updatedAtMs: Math.max(provenMs, 0),
  };
  return {
    ...newHeld(position, metaOf(restored), nowMs),
    isUnconfirmed: true,
    readAtMs,
    sizedMs: readAtMs,
    aheadMs: readAtMs,
    closeAskedMs: closeAskedMs === undefined ? null : Math.min(closeAskedMs, nowMs),
    repliedAlgoId: algoOrderId,
    shrinking: coverAsked ? { algoOrderId, qty: coverAsked.qty, updatedMs: Math.min(coverAsked.atMs, nowMs) } : null,
    proven: { qty, atMs: provenMs, heardMs: readAtMs },
    begunMs,
    takenQty,
    takenMs: restored.takenMs ?? -Infinity,
    unsureSinceMs: takenQty.gte(qty) ? Math.min(lastFill?.heardMs ?? nowMs, nowMs) : null,
  };
}
