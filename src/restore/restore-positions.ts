/** The last records of earlier runs on every position: size, thesis and stop of the open ones, closing time of the others. */
import type { PositionFill } from "../agent/positions/position-fills.ts";
import type { RestoredPosition } from "../agent/positions/positions.ts";
import type { ClosedPosition } from "../agent/positions/past-positions.ts";
import { saferThan } from "../agent/books/trailing.ts";
import { dec, type Decimal, ZERO } from "../core/decimal.ts";
import { positionKeyOf, positionOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type JournalRow, peek } from "../rows/row.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { type PositionRow, readPosition } from "../rows/position.ts";
import { type ProtectionRow, readProtection } from "../rows/protection.ts";
import { readWireOut, textParam, type WireOutRow } from "../rows/wire-out.ts";
import { closeIn } from "./restore-closes.ts";

const ROWS_READ = 10_000;

/** By position key, from the newest 10,000 rows about positions, their stops and their fills. */
export interface PastOfPositions {
  readonly positions: ReadonlyMap<string, RestoredPosition>;
  /** Oldest first. */
  readonly closed: readonly ClosedPosition[];
}

const KINDS = ["position", "protection", "fill"] as const;

/** A position that was closed no longer has a thesis. */
export const positionsOf = (reader: JournalReader): PastOfPositions =>
  pastOf(reader.rows({ kinds: [...KINDS, "wire-out"], limit: ROWS_READ, newest: true }), reader.opened.state === "ok");

/** Without what only a run must know: what a list must show, and what may be under way at the venue. */
export type ShownPosition = Omit<RestoredPosition, "reportedMs" | "lastFill" | "closeAskedMs" | "coverAsked">;

/**
 * The positions as they are shown: rows about those that were last reported as closed are not read. Nor are writes, and the
 * end of the journal is not checked, since neither changes what is shown.
 */
export function openPositionsOf(reader: JournalReader): ReadonlyMap<string, ShownPosition> {
  const rows = reader.rows({ kinds: KINDS, limit: ROWS_READ, newest: true });
  const closed = new Map<unknown, boolean>();
  for (const row of rows) {
    const key = peek(row, "leg");
    if (row.kind === "position" && typeof key === "string") closed.set(key, peek(row, "kind") === "closed");
  }
  return pastOf(
    rows.filter((row) => !closed.get(peek(row, "leg"))),
    false,
  ).positions;
}

/** What the rows so far say of one position. */
interface Track {
  /** Null while it is not open. */
  held: RestoredPosition | null;
  /** When it was last reported to have grown; null where only a late push said so. */
  grewMs: number | null;
  /** How much fills have reduced it since it was last reported. */
  takenQty: Decimal;
  /** The venue's time of the last fill that reduced it; -Infinity before the first. */
  takenMs: number;
  lastFill: PositionFill | null;
  closeAskedMs: number | null;
  /** The position before it, or itself once it is over. */
  ended: Ended | null;
}

/** A position that is over: fills that close it may still be reported. */
interface Ended extends ClosedPosition {
  missed: boolean;
  left: Decimal;
  takenMs: number;
}

const unheard = (): Track => ({
  held: null,
  grewMs: null,
  takenQty: ZERO,
  takenMs: -Infinity,
  lastFill: null,
  closeAskedMs: null,
  ended: null,
});

/** `isWhole`: what the end of a damaged journal held is unknown, and the first list decides what has grown. */
function pastOf(rows: readonly JournalRow[], isWhole: boolean): PastOfPositions {
  const tracks = new Map<string, Track>();
  const closed: Ended[] = [];
  const trackOf = (key: string): Track => {
    const track = tracks.get(key) ?? unheard();
    tracks.set(key, track);
    return track;
  };
  for (const row of rows) {
    if (row.kind === "fill") {
      const fill = readFill(row);
      takeFill(trackOf(fill.leg), fill, row.atMs);
    } else if (row.kind === "wire-out") {
      const write = readWireOut(row);
      for (const key of closedBy(write)) trackOf(key).closeAskedMs = row.atMs;
      for (const track of tracks.values()) takeCover(track, write, row.atMs);
    } else if (row.kind === "protection") {
      const protection = readProtection(row);
      const track = trackOf(protection.leg);
      const { held } = track;
      if (held) track.held = { ...held, ...wantedBy(protection, held), ...standingIn(protection) };
    } else {
      const position = readPosition(row);
      const track = trackOf(position.leg);
      if (position.kind !== "closed") reportIn(track, position, row);
      // Only a doubted push had reported it: nothing has ended.
      else if (position.doubted) track.held = null;
      else closed.push(endIn(track, position, row.atMs));
    }
  }
  const positions = new Map<string, RestoredPosition>();
  for (const [key, track] of tracks) if (track.held) positions.set(key, restoredFrom(track, track.held, isWhole));
  return { positions, closed };
}

/** Returns whether the fill is newer, by the venue's time, than all that were known. */
function noteFill(track: Track, atMs: number, heardMs: number): boolean {
  if (atMs <= (track.lastFill?.atMs ?? -Infinity)) return false;
  track.lastFill = { atMs, heardMs };
  return true;
}

function takeFill(track: Track, { opening, qty, atMs }: FillRow, heardMs: number): void {
  const newest = noteFill(track, atMs, heardMs);
  const { held, ended } = track;
  if (!held || atMs < (held.begunMs ?? -Infinity)) {
    // What closed the last of it counts already.
    if (opening || !ended || (ended.left.isZero() && atMs <= ended.takenMs)) return;
    ended.left = ended.left.sub(qty);
    ended.takenMs = Math.max(ended.takenMs, atMs);
    // No later list brings back a position that its fills show to be closed.
    if (ended.left.lte(0)) ended.missed = false;
    return;
  }
  if (atMs <= (held.provenMs ?? -Infinity)) return;
  if (!opening) {
    track.takenQty = track.takenQty.add(qty);
    track.takenMs = Math.max(track.takenMs, atMs);
  } else if (newest) {
    // Even what only a late push showed is surely held once it is filled. An older fill is part of what was reported.
    track.grewMs = heardMs;
  }
}

function endIn(track: Track, { symbol, side, missed = false, filledMs }: PositionRow, closedAtMs: number): Ended {
  const { held, takenQty } = track;
  const left = filledMs === undefined && held ? held.qty.sub(takenQty) : ZERO;
  const takenMs = Math.max(track.takenMs, filledMs ?? -Infinity);
  const ended = { symbol, side, closedAtMs, missed: missed && (!held || left.gt(0)), left, takenMs };
  Object.assign(track, { ...unheard(), lastFill: track.lastFill, ended });
  return ended;
}

function reportIn(track: Track, position: PositionRow, row: JournalRow): void {
  const { held } = track;
  if (position.filledMs !== undefined) noteFill(track, position.filledMs, row.atMs);
  track.held = heldPosition(position, row, held);
  track.takenQty = ZERO;
  if (position.doubted) track.grewMs = null;
  else if (!held?.qty.gte(position.qty)) track.grewMs = row.atMs;
}

const restoredFrom = (
  { grewMs, takenQty, takenMs, lastFill, closeAskedMs }: Track,
  held: RestoredPosition,
  isWhole: boolean,
): RestoredPosition => ({
  ...held,
  reportedMs: (isWhole ? grewMs : null) ?? 0,
  ...(takenQty.gt(0) ? { takenQty, takenMs } : {}),
  ...(isWhole && lastFill ? { lastFill } : {}),
  ...(closeAskedMs === null ? {} : { closeAskedMs }),
});

/** The positions that a write may have closed, whatever its outcome. */
function closedBy(write: WireOutRow): readonly string[] {
  const close = closeIn(write);
  if (!close) return [];
  const { symbol, side } = close;
  return (side ? [side] : (["LONG", "SHORT"] as const)).map((each) => positionKeyOf(symbol, each));
}

/** A change of the size of the stop that stands. */
function takeCover(track: Track, write: WireOutRow, atMs: number): void {
  const { held } = track;
  const [algoOrderId, qty] = [textParam(write, "algoOrderId"), textParam(write, "quantity")];
  if (write.action !== "algo.replace" || !held || algoOrderId !== held.standingAlgoId || qty === null) return;
  track.held = { ...held, coverAsked: { qty: dec(qty), atMs } };
}

function heldPosition(
  row: PositionRow,
  { decisionId, atMs }: JournalRow,
  before: RestoredPosition | null,
): RestoredPosition {
  const { strategy, thesis, basis, stopPrice, targetPrice, qty, avgPrice, trail } = row;
  return {
    decisionId,
    strategy,
    thesis,
    basis,
    stopPrice,
    targetPrice,
    openedAtMs: row.openedAtMs || atMs,
    qty,
    avgPrice,
    reportedMs: 0,
    standingAlgoId: before?.standingAlgoId ?? null,
    ...(before?.coverAsked ? { coverAsked: before.coverAsked } : {}),
    ...(row.provenMs === undefined ? {} : { provenMs: row.provenMs }),
    ...(row.begunMs === undefined ? {} : { begunMs: row.begunMs }),
    ...(trail ? { trail } : {}),
  };
}

/** Where the stop was moved to, though the order at the venue may not have followed yet; or a safer one that stood there. */
function wantedBy(row: ProtectionRow, { stopPrice }: RestoredPosition): Partial<Pick<RestoredPosition, "stopPrice">> {
  if ("moving" in row) return { stopPrice: row.stopPrice };
  const stood = "standing" in row ? row.stopPrice : null;
  const isSafer = stood !== null && (stopPrice === null || saferThan(positionOf(row.leg).side, stood, stopPrice));
  return isSafer ? { stopPrice: stood } : {};
}

/** A request for a stop means that none is active, as does the end of one; other protection rows do not say whether one is. */
function standingIn(row: ProtectionRow): { readonly standingAlgoId?: string | null } {
  if ("standing" in row) return { standingAlgoId: row.algoOrderId };
  return "over" in row || "clientOrderId" in row ? { standingAlgoId: null } : {};
}
