/**
 * Applies the list of positions in an account snapshot. Lists lag: what was reported after the request is newer
 * than the list. Fault R9.
 */
import { otherSide, positionKeyOf, type Position } from "../../domain/position.ts";
import { isClosing, isTaken, type HeldPosition, type PositionChange } from "./held-position.ts";
import { mustShow, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { madeNotAfter } from "../../domain/venue-time.ts";
import { changePosition, closeHeld, isOneWay, type PositionBook, proves } from "./position-book.ts";

/** Restores what was reported before: that it is flat, and since when. The plan of an order that has filled waits on. */
function neverWas({ held, expected }: PositionBook, position: HeldPosition): PositionChange {
  held.delete(position.key);
  if (position.meta.decisionId !== null && !expected.has(position.key)) expected.set(position.key, position.meta);
  return { held: position, kind: "closed", shrank: true, unsure: true };
}

/** Whether anything but the unconfirmed push has shown it: an earlier report, a list, or our own fills. */
const began = ({ readAtMs, unsureSinceMs, proven }: HeldPosition): boolean =>
  proven.qty.gt(0) || readAtMs < (unsureSinceMs ?? -Infinity);

/** By the venue's own times: a push of a moment ago showed what came after the listed record. */
const isOlder = (held: HeldPosition | undefined, { updatedAtMs }: Position, startedAtMs: number): boolean =>
  held !== undefined &&
  updatedAtMs > 0 &&
  updatedAtMs < held.proven.atMs &&
  !mustShow(startedAtMs, held.proven.heardMs);

/** Whether a known fill is not in the listed record: in one-way mode a fill of either side changes the one position. */
function lacksFill(book: PositionBook, key: string, position: Position, startedAtMs: number): boolean {
  const { symbol, side } = position;
  const keys = isOneWay(book, symbol) ? [key, positionKeyOf(symbol, otherSide(side))] : [key];
  return keys.some((each) => book.fills.missingFrom(each, position, startedAtMs));
}

/** The list shows the position as it was before something that is already known. */
function isBehind(book: PositionBook, key: string, position: Position, startedAtMs: number): boolean {
  const { held, past } = book;
  const heldPosition = held.get(key);
  if (heldPosition ? heldPosition.readAtMs >= startedAtMs : past.outdated(key, position, startedAtMs)) return true;
  if (lacksFill(book, key, position, startedAtMs) || isOlder(heldPosition, position, startedAtMs)) return true;
  const unsureMs = heldPosition?.unsureSinceMs ?? null;
  return unsureMs !== null && (unsureMs >= startedAtMs || past.outdated(key, position, startedAtMs));
}

/** A close of ours was in flight when the list was requested, so its absence is expected. */
const wasClosing = (held: HeldPosition, startedAtMs: number): boolean =>
  isClosing(held, startedAtMs) && (held.closeAskedMs ?? Infinity) < startedAtMs;

/** The listed position is another one than the list before showed. */
const beganAgain = (held: HeldPosition | undefined, { createdAtMs }: Position): boolean =>
  createdAtMs > (held?.listedSinceMs ?? Infinity);

/** Whether its stop may have fired: it ended and began again, or there is less of it than fills have left. Faults U1, V6. */
const mayHaveFired = (held: HeldPosition | undefined, position: Position): boolean =>
  held !== undefined && (beganAgain(held, position) || position.qty.lt(held.position.qty.sub(held.takenQty)));

/**
 * A list proves what has not changed since the lag before its request: if the newest report is a record or a fill that is older
 * than this, its absence is news. Reports without a venue time wait until they are no longer from a moment ago.
 */
function provesAbsence(
  { fills, venueTime }: PositionBook,
  startedAtMs: number,
  { key, readAtMs, proven }: HeldPosition,
): boolean {
  const report = [proven, fills.newest(key)].find((each) => each?.heardMs === readAtMs);
  const dated =
    report !== undefined &&
    report !== null &&
    report.atMs > -Infinity &&
    mustShow(startedAtMs, madeNotAfter(venueTime, { venueMs: report.atMs, heardMs: readAtMs }));
  return dated || readAtMs + SHOWN_WITHIN_MS < startedAtMs;
}

/** In one-way mode the list shows the symbol on the other side: independent evidence that the position has reversed. */
const showsTurned = (book: PositionBook, shown: ReadonlySet<string>, { symbol, side }: HeldPosition): boolean =>
  isOneWay(book, symbol) && shown.has(positionKeyOf(symbol, otherSide(side)));

function missingPositions(
  book: PositionBook,
  { listed, shown }: { readonly listed: ReadonlySet<string>; readonly shown: ReadonlySet<string> },
  startedAtMs: number,
  atMs: number,
): PositionChange[] {
  const changes: PositionChange[] = [];
  for (const held of [...book.held.values()]) {
    if (listed.has(held.key)) continue;
    const unsure = held.unsureSinceMs !== null && held.unsureSinceMs < startedAtMs;
    if (unsure && (isTaken(held) || showsTurned(book, shown, held))) changes.push(closeHeld(book, held, atMs));
    else if (unsure && !began(held)) changes.push(neverWas(book, held));
    // The list may be from before what it would show.
    else if (!mustShow(startedAtMs, held.aheadMs)) continue;
    else if (provesAbsence(book, startedAtMs, held) || unsure || wasClosing(held, startedAtMs))
      changes.push(closeHeld(book, held, atMs, { missed: !isTaken(held) }));
  }
  return changes;
}

/** Applies a list requested at `startedAtMs`. A position with a newer push keeps the push. */
export function listedPositions(
  book: PositionBook,
  positions: readonly Position[],
  startedAtMs: number,
  atMs: number,
): readonly PositionChange[] {
  const changes: PositionChange[] = [];
  const [listed, shown] = [new Set<string>(), new Set<string>()];
  book.listedFromMs = Math.max(book.listedFromMs, startedAtMs);
  book.past.listed(startedAtMs);
  for (const position of positions) {
    if (position.qty.isZero()) continue;
    const key = positionKeyOf(position.symbol, position.side);
    listed.add(key);
    if (isBehind(book, key, position, startedAtMs)) continue;
    shown.add(key);
    const before = book.held.get(key);
    const stopUnsure = mayHaveFired(before, position);
    const wasUnsure = before !== undefined && before.unsureSinceMs !== null;
    // A push that reports the end may still come.
    if (beganAgain(before, position)) book.past.passed(key, atMs);
    const change = changePosition(book, position, atMs);
    // That it is surely held is news for the next run.
    const reported = wasUnsure && change.kind === "same" ? { ...change, kind: "resized" as const } : change;
    proves(reported.held, position);
    reported.held.unsureSinceMs = null;
    reported.held.listedSinceMs = position.createdAtMs;
    // A mark that the record leaves out is as old as it was.
    if (position.markPrice.gt(0)) reported.held.markListedMs = startedAtMs;
    if (position.createdAtMs > 0) reported.held.begunMs = position.createdAtMs;
    reported.held.aheadMs = -Infinity;
    changes.push(stopUnsure ? { ...reported, stopUnsure } : reported);
  }
  return [...changes, ...missingPositions(book, { listed, shown }, startedAtMs, atMs)];
}
