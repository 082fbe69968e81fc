/** The last records of earlier runs on every position: size, thesis and stop of the open ones, closing time of the others. */
import type { PositionFill } from "../agent/positions/position-fills.ts";
import type { RestoredPosition } from "../agent/positions/positions.ts";
import type { ClosedPosition } from "../agent/positions/past-positions.ts";
import { saferThan } from "../agent/books/trailing.ts";
import { dec, type Decimal, ZERO } from "../core/decimal.ts";
import { positionKeyOf, positionOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type JournalRow, peek } from "../rows/row.ts";
import { readFill } from "../rows/fill.ts";
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

/** `isWhole`: what the end of a damaged journal held is unknown, and the first list decides what has grown. */
function pastOf(rows: readonly JournalRow[], isWhole: boolean): PastOfPositions {
  const positions = new Map<string, RestoredPosition>();
  const closed: ClosedPosition[] = [];
  /** When each was last reported to have grown. */
  const grew = new Map<string, number>();
  /** How much fills have reduced each position since it was last reported; and the newest fill of each. */
  const taken = new Map<string, Decimal>();
  const lastFills = new Map<string, PositionFill>();
  const closeAsked = new Map<string, number>();
  /** For positions that were only missing from a list: what no fill had reduced by then. */
  const lacked = new Map<string, { readonly ended: ClosedPosition; readonly left: Decimal }>();
  for (const row of rows) {
    if (row.kind === "fill") {
      const { leg: key, opening, qty, atMs } = readFill(row);
      if (atMs >= (lastFills.get(key)?.atMs ?? -Infinity)) lastFills.set(key, { atMs, heardMs: row.atMs });
      if (!opening && isOfPosition(positions.get(key), atMs)) taken.set(key, (taken.get(key) ?? ZERO).add(qty));
    } else if (row.kind === "wire-out") {
      const write = readWireOut(row);
      for (const key of closedBy(write)) closeAsked.set(key, row.atMs);
      takeCover(positions, write, row.atMs);
    } else if (row.kind === "protection") {
      const protection = readProtection(row);
      const held = positions.get(protection.leg);
      if (held) positions.set(protection.leg, { ...held, ...wantedBy(protection, held), ...standingIn(protection) });
    } else {
      const position = readPosition(row);
      const { leg: key } = position;
      const held = positions.get(key);
      if (position.kind === "closed") {
        const ended = closedPosition(position, row.atMs);
        if (ended.missed && held) lacked.set(key, { ended, left: held.qty.sub(taken.get(key) ?? ZERO) });
        positions.delete(key);
        grew.delete(key);
        closeAsked.delete(key);
        closed.push(ended);
      } else {
        lacked.delete(key);
        positions.set(key, heldPosition(position, row, held));
        // What only a late push says is for the first list to decide.
        if (position.doubted) grew.delete(key);
        else if (!held?.qty.gte(position.qty)) grew.set(key, row.atMs);
      }
      taken.delete(key);
    }
  }
  const isOver = (one: ClosedPosition): boolean =>
    [...lacked].some(([key, { ended, left }]) => ended === one && (taken.get(key)?.gte(left) ?? false));
  for (const [key, position] of positions) {
    const [takenQty, lastFill, closeAskedMs] = [taken.get(key), lastFills.get(key), closeAsked.get(key)];
    positions.set(key, {
      ...position,
      reportedMs: (isWhole ? grew.get(key) : undefined) ?? 0,
      ...(takenQty ? { takenQty } : {}),
      ...(isWhole && lastFill ? { lastFill } : {}),
      ...(closeAskedMs === undefined ? {} : { closeAskedMs }),
    });
  }
  // No later list brings back a position that its fills show to be closed.
  return { positions, closed: closed.map((leg) => (isOver(leg) ? { ...leg, missed: false } : leg)) };
}

/** Whether a fill is of that position: not of the one before it there, and not in its last record already. */
const isOfPosition = (position: RestoredPosition | undefined, madeMs: number): boolean =>
  madeMs > (position?.provenMs ?? -Infinity) && madeMs >= (position?.begunMs ?? -Infinity);

/** The positions that a write may have closed, whatever its outcome. */
function closedBy(write: WireOutRow): readonly string[] {
  const close = closeIn(write);
  if (!close) return [];
  const { symbol, side } = close;
  return (side ? [side] : (["LONG", "SHORT"] as const)).map((each) => positionKeyOf(symbol, each));
}

/** A change of the size of a stop that stands. */
function takeCover(positions: Map<string, RestoredPosition>, write: WireOutRow, atMs: number): void {
  const [algoOrderId, qty] = [textParam(write, "algoOrderId"), textParam(write, "quantity")];
  if (write.action !== "algo.replace" || algoOrderId === null || qty === null) return;
  for (const [key, held] of positions)
    if (held.standingAlgoId === algoOrderId) positions.set(key, { ...held, coverAsked: { qty: dec(qty), atMs } });
}

const closedPosition = ({ symbol, side, missed = false }: PositionRow, closedAtMs: number): ClosedPosition => ({
  symbol,
  side,
  closedAtMs,
  missed,
});

function heldPosition(
  row: PositionRow,
  { decisionId, atMs }: JournalRow,
  before: RestoredPosition | undefined,
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

/** A request for a stop means that none is active; other protection rows do not say whether one is. */
function standingIn(row: ProtectionRow): { readonly standingAlgoId?: string | null } {
  if ("standing" in row) return { standingAlgoId: row.algoOrderId };
  return "clientOrderId" in row ? { standingAlgoId: null } : {};
}
