/** What a sweep's list of positions tells of legs. Lists lag: what was told after one was asked for is newer than it. Fault R9. */
import { legKey, type Position } from "../../domain/position.ts";
import { isClosing, isTaken, type Leg, type LegChange } from "./leg.ts";
import { changeLeg, closeLeg, type LegBook } from "./leg-book.ts";

const LIST_MISSES_MS = 5_000;

/** What was told of it before stays: that it is flat, and since when. */
function neverWas({ held }: LegBook, leg: Leg): LegChange {
  held.delete(leg.key);
  return { leg, kind: "closed", shrank: true, doubted: true };
}

/** More than the doubted push told of it. */
const began = ({ readAtMs, doubtedSinceMs }: Leg): boolean => readAtMs < (doubtedSinceMs ?? -Infinity);

/** The list shows this position as it was before something else that is known of it. */
function isBehind({ held, past, fills }: LegBook, key: string, position: Position, startedAtMs: number): boolean {
  const leg = held.get(key);
  if (leg ? leg.readAtMs >= startedAtMs : past.outdated(key, position, startedAtMs)) return true;
  if (fills.missingFrom(key, position, startedAtMs)) return true;
  const doubtedMs = leg?.doubtedSinceMs ?? null;
  return doubtedMs !== null && (doubtedMs >= startedAtMs || past.outdated(key, position, startedAtMs));
}

/** A close of ours was on its way when the list was asked for: that it lacks the leg is what was expected. */
const wasClosing = (leg: Leg, startedAtMs: number): boolean =>
  isClosing(leg, startedAtMs) && (leg.closeAskedMs ?? Infinity) < startedAtMs;

/** It ended and began anew, or there is less of it than fills have left: what stood for it may have fired. Faults U1, V6. */
const doubtsStop = (leg: Leg | undefined, { qty, createdAtMs }: Position): boolean =>
  leg !== undefined && (createdAtMs > (leg.listedSinceMs ?? Infinity) || qty.lt(leg.position.qty.sub(leg.takenQty)));

function missingLegs(book: LegBook, seen: ReadonlySet<string>, startedAtMs: number, atMs: number): LegChange[] {
  const changes: LegChange[] = [];
  for (const leg of [...book.held.values()]) {
    if (seen.has(leg.key)) continue;
    // What was told of a moment ago may not be in a list that lags.
    const settledMs = leg.readAtMs + LIST_MISSES_MS;
    if (leg.doubtedSinceMs !== null && leg.doubtedSinceMs < startedAtMs)
      changes.push(isTaken(leg) || began(leg) ? closeLeg(book, leg, atMs, !isTaken(leg)) : neverWas(book, leg));
    else if (settledMs < startedAtMs || wasClosing(leg, startedAtMs))
      changes.push(closeLeg(book, leg, atMs, !isTaken(leg)));
  }
  return changes;
}

/** What a list that was asked for at `startedAtMs` changes. Legs with a newer push than that keep it. */
export function listedLegs(
  book: LegBook,
  positions: readonly Position[],
  startedAtMs: number,
  atMs: number,
): readonly LegChange[] {
  const changes: LegChange[] = [];
  const seen = new Set<string>();
  book.listed = true;
  for (const position of positions) {
    if (position.qty.isZero()) continue;
    const key = legKey(position.symbol, position.side);
    seen.add(key);
    if (isBehind(book, key, position, startedAtMs)) continue;
    const stopDoubted = doubtsStop(book.held.get(key), position);
    const told = changeLeg(book, position, atMs);
    told.leg.doubtedSinceMs = null;
    told.leg.listedSinceMs = position.createdAtMs;
    changes.push(stopDoubted ? { ...told, stopDoubted } : told);
  }
  return [...changes, ...missingLegs(book, seen, startedAtMs, atMs)];
}
