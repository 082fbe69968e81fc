/** The last word of earlier runs on every leg: what was held, why and under which stop, and what was over, since when. */
import type { LegFill } from "../agent/legs/leg-fills.ts";
import type { RestoredLeg } from "../agent/legs/legs.ts";
import type { ClosedLeg } from "../agent/legs/past-legs.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";
import { readFill } from "../rows/fill.ts";
import { type PositionRow, readPosition } from "../rows/position.ts";
import { type ProtectionRow, readProtection } from "../rows/protection.ts";

const ROWS_READ = 10_000;

/** By leg key, from the newest 10,000 rows about positions, their stops and their fills. */
export interface PastOfLegs {
  readonly legs: ReadonlyMap<string, RestoredLeg>;
  /** Oldest first. */
  readonly closed: readonly ClosedLeg[];
}

/** A leg that was closed has no thesis any more. */
export function legsOf(reader: JournalReader): PastOfLegs {
  const legs = new Map<string, RestoredLeg>();
  const closed: ClosedLeg[] = [];
  /** What fills have taken from each since it was last told, and the last of them. */
  const taken = new Map<string, Decimal>();
  const takenBy = new Map<string, LegFill>();
  /** Of those that a list merely lacked, what no fill had taken by then. */
  const lacked = new Map<string, { readonly leg: ClosedLeg; readonly left: Decimal }>();
  for (const row of reader.rows({ kinds: ["position", "protection", "fill"], limit: ROWS_READ, newest: true })) {
    if (row.kind === "fill") {
      const { leg: key, opening, qty, atMs } = readFill(row);
      if (opening) continue;
      taken.set(key, (taken.get(key) ?? ZERO).add(qty));
      takenBy.set(key, { atMs, heardMs: row.atMs });
    } else if (row.kind === "protection") {
      const protection = readProtection(row);
      const held = legs.get(protection.leg);
      // Where a stop was moved to; the order at the venue may not have followed yet.
      const moved = "moving" in protection ? { stopPrice: protection.stopPrice } : {};
      if (held) legs.set(protection.leg, { ...held, ...moved, ...standingIn(protection) });
    } else {
      const position = readPosition(row);
      const { leg: key } = position;
      const held = legs.get(key);
      if (position.kind === "closed") {
        const leg = closedLeg(position, row.atMs);
        if (leg.missed && held) lacked.set(key, { leg, left: held.qty.sub(taken.get(key) ?? ZERO) });
        legs.delete(key);
        closed.push(leg);
      } else {
        lacked.delete(key);
        legs.set(key, heldLeg(position, row, held));
      }
      taken.delete(key);
    }
  }
  const isOver = (one: ClosedLeg): boolean =>
    [...lacked].some(([key, { leg, left }]) => leg === one && (taken.get(key)?.gte(left) ?? false));
  for (const [key, leg] of legs) {
    const fill = taken.get(key)?.gte(leg.qty) ? takenBy.get(key) : undefined;
    // The first list knows better of one that fills have taken whole, unless it lags behind them.
    if (fill) legs.set(key, { ...leg, toldMs: 0, takenBy: fill });
  }
  // No later list brings back what its fills tell to be over.
  return { legs, closed: closed.map((leg) => (isOver(leg) ? { ...leg, missed: false } : leg)) };
}

const closedLeg = ({ symbol, side, missed = false }: PositionRow, closedAtMs: number): ClosedLeg => ({
  symbol,
  side,
  closedAtMs,
  missed,
});

function heldLeg(row: PositionRow, { decisionId, atMs }: JournalRow, before: RestoredLeg | undefined): RestoredLeg {
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
    // Of one that only a late push told of, the first list knows better.
    toldMs: before?.toldMs ?? (row.doubted ? 0 : atMs),
    standingAlgoId: before?.standingAlgoId ?? null,
    ...(trail ? { trail } : {}),
  };
}

/** Who asks for a stop knows of none that is active; what else is said of protection does not say whether one is. */
function standingIn(row: ProtectionRow): { readonly standingAlgoId?: string | null } {
  if ("standing" in row) return { standingAlgoId: row.algoOrderId };
  return "clientOrderId" in row ? { standingAlgoId: null } : {};
}
