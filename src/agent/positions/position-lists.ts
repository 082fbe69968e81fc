/** What an account snapshot's list of positions says about them. Lists lag: what was reported after one was asked for is newer than it. Fault R9. */
import { positionKeyOf, type Position } from "../../domain/position.ts";
import { isClosing, isTaken, type HeldPosition, type PositionChange } from "./held-position.ts";
import { mustShow } from "./read-lag.ts";
import { changePosition, closeHeld, type PositionBook } from "./position-book.ts";

const LIST_MISSES_MS = 5_000;

/** What was reported of it before stays: that it is flat, and since when. */
function neverWas({ held }: PositionBook, position: HeldPosition): PositionChange {
  held.delete(position.key);
  return { held: position, kind: "closed", shrank: true, unsure: true };
}

/** Read after the doubted push. */
const began = ({ readAtMs, unsureSinceMs }: HeldPosition): boolean => readAtMs < (unsureSinceMs ?? -Infinity);

/** The list shows this position as it was before something else that is known of it. */
function isBehind({ held, past, fills }: PositionBook, key: string, position: Position, startedAtMs: number): boolean {
  const heldPosition = held.get(key);
  if (heldPosition ? heldPosition.readAtMs >= startedAtMs : past.outdated(key, position, startedAtMs)) return true;
  if (fills.missingFrom(key, position, startedAtMs)) return true;
  const unsureMs = heldPosition?.unsureSinceMs ?? null;
  return unsureMs !== null && (unsureMs >= startedAtMs || past.outdated(key, position, startedAtMs));
}

/** A close of ours was on its way when the list was asked for: that it lacks the position is what was expected. */
const wasClosing = (held: HeldPosition, startedAtMs: number): boolean =>
  isClosing(held, startedAtMs) && (held.closeAskedMs ?? Infinity) < startedAtMs;

/** It ended and began again, or there is less of it than fills have left: what stood for it may have fired. Faults U1, V6. */
const staleRulesStop = (held: HeldPosition | undefined, { qty, createdAtMs }: Position): boolean =>
  held !== undefined &&
  (createdAtMs > (held.listedSinceMs ?? Infinity) || qty.lt(held.position.qty.sub(held.takenQty)));

function missingPositions(
  book: PositionBook,
  seen: ReadonlySet<string>,
  startedAtMs: number,
  atMs: number,
): PositionChange[] {
  const changes: PositionChange[] = [];
  for (const held of [...book.held.values()]) {
    if (seen.has(held.key)) continue;
    // What was reported a moment ago may not be in a list that lags.
    const settledMs = held.readAtMs + LIST_MISSES_MS;
    if (held.unsureSinceMs !== null && held.unsureSinceMs < startedAtMs)
      changes.push(isTaken(held) || began(held) ? closeHeld(book, held, atMs, !isTaken(held)) : neverWas(book, held));
    else if ((settledMs < startedAtMs && mustShow(startedAtMs, held.aheadMs)) || wasClosing(held, startedAtMs))
      changes.push(closeHeld(book, held, atMs, !isTaken(held)));
  }
  return changes;
}

/** What a list that was asked for at `startedAtMs` changes. Positions with a newer push than that keep it. */
export function listedPositions(
  book: PositionBook,
  positions: readonly Position[],
  startedAtMs: number,
  atMs: number,
): readonly PositionChange[] {
  const changes: PositionChange[] = [];
  const seen = new Set<string>();
  book.listedFromMs = Math.max(book.listedFromMs, startedAtMs);
  for (const position of positions) {
    if (position.qty.isZero()) continue;
    const key = positionKeyOf(position.symbol, position.side);
    seen.add(key);
    if (isBehind(book, key, position, startedAtMs)) continue;
    const stopUnsure = staleRulesStop(book.held.get(key), position);
    const reported = changePosition(book, position, atMs);
    reported.held.unsureSinceMs = null;
    reported.held.listedSinceMs = position.createdAtMs;
    reported.held.aheadMs = -Infinity;
    changes.push(stopUnsure ? { ...reported, stopUnsure } : reported);
  }
  return [...changes, ...missingPositions(book, seen, startedAtMs, atMs)];
}
