/** The last records of earlier runs on every position: size, thesis and stop of the open ones, closing time of the others. */
import type { RestoredPosition } from "../agent/positions/positions.ts";
import type { ClosedPosition } from "../agent/positions/past-positions.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readFill } from "../rows/fill.ts";
import { readPosition } from "../rows/position.ts";
import { readProtection } from "../rows/protection.ts";
import { type JournalRow, peek } from "../rows/row.ts";
import { readWireOut, type WireOutRow } from "../rows/wire-out.ts";
import { fillOpening, openingRows, type PastOpenings, showOpenings, takeIntent } from "./past-openings.ts";
import {
  type Ended,
  restoredFrom,
  takeCover,
  takeEnd,
  takeFill,
  takeOrder,
  takeProtection,
  takeReport,
  type Track,
  unheard,
} from "./position-track.ts";
import { closeIn } from "./restore-closes.ts";

const ROWS_READ = 10_000;

/** By position key, from the newest 10,000 rows about positions, their stops and their fills, and the orders of the last minutes. */
export interface PastOfPositions {
  readonly positions: ReadonlyMap<string, RestoredPosition>;
  /** Oldest first. */
  readonly closed: readonly ClosedPosition[];
  /** When an opening was last reported as filled, of those that no row about a position has shown; -Infinity for never. */
  readonly filledMs: number;
}

const KINDS = ["position", "protection", "fill"] as const;

/** A position that was closed no longer has a thesis. `nowMs` is epoch ms. */
export function positionsOf(reader: JournalReader, nowMs: number): PastOfPositions {
  const rows = reader.rows({ kinds: [...KINDS, "wire-out"], limit: ROWS_READ, newest: true });
  const isWhole = reader.opened.state === "ok";
  return pastOf(inSequence(rows, openingRows(reader, nowMs)), { isWhole, nowMs });
}

/** Without what only a run must know: what a list must show, and what may be under way at the venue. */
export type ShownPosition = Omit<RestoredPosition, "reportedMs" | "lastFill" | "closeAskedMs" | "coverAsked">;

/**
 * The positions as they are shown. Of those that were last reported as closed only the rows are read that an order of the last
 * minutes needs. Writes are not, and the end of the journal is not checked, since neither changes what is shown.
 */
export function openPositionsOf(reader: JournalReader, nowMs: number): ReadonlyMap<string, ShownPosition> {
  const rows = reader.rows({ kinds: KINDS, limit: ROWS_READ, newest: true });
  const orders = openingRows(reader, nowMs);
  const sinceMs = orders[0]?.atMs ?? Infinity;
  const closed = new Map<unknown, boolean>();
  for (const row of rows) {
    const key = peek(row, "leg");
    if (row.kind === "position" && typeof key === "string") closed.set(key, peek(row, "kind") === "closed");
  }
  const read = rows.filter((row) => row.atMs >= sinceMs || !closed.get(peek(row, "leg")));
  return pastOf(inSequence(read, orders), { isWhole: false, nowMs }).positions;
}

const inSequence = (some: readonly JournalRow[], others: readonly JournalRow[]): readonly JournalRow[] =>
  others.length === 0 ? some : [...some, ...others].sort((a, b) => a.seq - b.seq);

function pastOf(rows: readonly JournalRow[], { isWhole, nowMs }: { isWhole: boolean; nowMs: number }): PastOfPositions {
  const tracks = new Map<string, Track>();
  const openings: PastOpenings = new Map();
  const closed: Ended[] = [];
  const trackOf = (key: string): Track => {
    const track = tracks.get(key) ?? unheard();
    tracks.set(key, track);
    return track;
  };
  for (const row of rows) {
    if (row.kind === "fill") {
      const fill = readFill(row);
      fillOpening(openings, fill);
      takeFill(trackOf(fill.leg), fill, row.atMs);
    } else if (row.kind === "wire-out") {
      const write = readWireOut(row);
      for (const key of closedBy(write)) trackOf(key).closeAskedMs = row.atMs;
      for (const track of tracks.values()) takeCover(track, write, row.atMs);
    } else if (row.kind === "protection") {
      const protection = readProtection(row);
      takeProtection(trackOf(protection.leg), protection);
    } else if (row.kind === "intent") {
      const order = takeIntent(openings, row, nowMs);
      if (order) takeOrder(trackOf(order.positionKey), order);
    } else {
      const position = readPosition(row);
      showOpenings(openings, position.leg);
      const track = trackOf(position.leg);
      if (position.kind === "closed") {
        const ended = takeEnd(track, position, row.atMs);
        if (ended) closed.push(ended);
      } else takeReport(track, position, row);
    }
  }
  const positions = new Map<string, RestoredPosition>();
  for (const [key, track] of tracks) if (track.held) positions.set(key, restoredFrom(track, track.held, isWhole));
  const unshown = [...tracks.values()].map(({ unshownMs }) => unshownMs ?? -Infinity);
  return { positions, closed, filledMs: Math.max(-Infinity, ...unshown) };
}

/** The positions that a write may have closed, with any outcome. */
function closedBy(write: WireOutRow): readonly string[] {
  const close = closeIn(write);
  if (!close) return [];
  const { symbol, side } = close;
  return (side ? [side] : (["LONG", "SHORT"] as const)).map((each) => positionKeyOf(symbol, each));
}
