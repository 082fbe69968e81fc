/**
 * Applies the list of positions in an account snapshot. Lists lag: what was reported after the request is newer
 * than the list. Fault R9.
 */
import { ZERO } from "../../core/decimal.ts";
import { positionKeyOf, positionOf, type Position } from "../../domain/position.ts";
import { isClosing, isTaken, type HeldPosition, type PositionChange, type RestoredPosition } from "./held-position.ts";
import { mustShow, SHOWN_WITHIN_MS } from "./read-lag.ts";
import { changePosition, closeHeld, openPosition, type PositionBook, proves } from "./position-book.ts";

/** Restores what was reported before: that it is flat, and since when. */
function neverWas({ held }: PositionBook, position: HeldPosition): PositionChange {
  held.delete(position.key);
  return { held: position, kind: "closed", shrank: true, unsure: true };
}

/** Whether anything but the unconfirmed push has shown it: an earlier report, a list, or our own fills. */
const began = ({ readAtMs, unsureSinceMs, proven }: HeldPosition): boolean =>
  proven.qty.gt(0) || readAtMs < (unsureSinceMs ?? -Infinity);

/** The list shows the position as it was before something that is already known. */
function isBehind({ held, past, fills }: PositionBook, key: string, position: Position, startedAtMs: number): boolean {
  const heldPosition = held.get(key);
  if (heldPosition ? heldPosition.readAtMs >= startedAtMs : past.outdated(key, position, startedAtMs)) return true;
  if (fills.missingFrom(key, position, startedAtMs)) return true;
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
 * A list proves what has not changed since the lag before its request: if the newest report is a record that is older
 * than this, its absence is news. Reports without a venue time wait until they are no longer from a moment ago.
 */
function provesAbsence(startedAtMs: number, { readAtMs, proven }: HeldPosition): boolean {
  const dated = proven.heardMs === readAtMs && proven.atMs !== -Infinity && mustShow(startedAtMs, proven.atMs);
  return dated || readAtMs + SHOWN_WITHIN_MS < startedAtMs;
}

/** In one-way mode the list shows the symbol on the other side: independent evidence that the position has reversed. */
const showsTurned = ({ oneWay }: PositionBook, shown: ReadonlySet<string>, { symbol, side }: HeldPosition): boolean =>
  oneWay.has(symbol) && shown.has(positionKeyOf(symbol, side === "LONG" ? "SHORT" : "LONG"));

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
    else if (provesAbsence(startedAtMs, held) || unsure || wasClosing(held, startedAtMs))
      changes.push(closeHeld(book, held, atMs, !isTaken(held)));
  }
  return changes;
}

/**
 * It grew in an earlier run, and the first list may be older than that: the larger of the two sizes counts. Null where the list
 * decides alone.
 */
function asJournalled(
  { before, fills, past }: PositionBook,
  key: string,
  listed: Position,
  startedAtMs: number,
): Position | null {
  const known = before.get(key);
  if (known?.grewMs === undefined || !fills.missingFrom(key, listed, startedAtMs)) return null;
  return known.qty.gt(listed.qty) && !past.isTaken(key)
    ? { ...listed, qty: known.qty, avgPrice: known.avgPrice }
    : listed;
}

const journalled = (
  { symbol, side }: ReturnType<typeof positionOf>,
  { qty, avgPrice, openedAtMs }: RestoredPosition,
  updatedAtMs: number,
): Position => ({
  symbol,
  side,
  qty,
  avgPrice,
  markPrice: avgPrice,
  unrealizedPnl: ZERO,
  leverage: 1,
  liquidationPrice: null,
  createdAtMs: openedAtMs,
  updatedAtMs,
});

/**
 * A position that grew in an earlier run, too recently for a list to have to show it, and that no fill has closed since,
 * is held as if that run had gone on.
 */
function heldFromJournal(book: PositionBook, listed: ReadonlySet<string>, startedAtMs: number): PositionChange[] {
  const changes: PositionChange[] = [];
  if (!book.executionsRead) return changes;
  for (const [key, known] of [...book.before]) {
    const { grewMs } = known;
    if (listed.has(key) || book.held.has(key) || grewMs === undefined || mustShow(startedAtMs, grewMs)) continue;
    if (book.past.isTaken(key)) continue;
    const change = openPosition(book, journalled(positionOf(key), known, grewMs), grewMs);
    change.held.proven = { qty: known.qty, atMs: -Infinity, heardMs: -Infinity };
    change.held.begunMs = known.openedAtMs;
    changes.push(change);
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
    const grown = asJournalled(book, key, position, startedAtMs);
    if (!grown && isBehind(book, key, position, startedAtMs)) continue;
    shown.add(key);
    const before = book.held.get(key);
    const stopUnsure = mayHaveFired(before, position);
    // A push that reports the end may still come.
    if (beganAgain(before, position)) book.past.passed(key, atMs);
    const reported = changePosition(book, grown ?? position, atMs);
    proves(reported.held, grown ?? position);
    reported.held.unsureSinceMs = null;
    reported.held.listedSinceMs = position.createdAtMs;
    if (position.createdAtMs > 0) reported.held.begunMs = position.createdAtMs;
    reported.held.aheadMs = -Infinity;
    changes.push(stopUnsure ? { ...reported, stopUnsure } : reported);
  }
  changes.push(...heldFromJournal(book, listed, startedAtMs));
  return [...changes, ...missingPositions(book, { listed, shown }, startedAtMs, atMs)];
}
