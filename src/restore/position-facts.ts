/** Rows about positions as facts: one row, one fact or none. */
import type { AskedStop } from "../agent/positions/known-stops.ts";
import type { PastFact } from "../agent/positions/past-fact.ts";
import type { PositionMeta } from "../agent/positions/positions.ts";
import { dec } from "../core/decimal.ts";
import { positionKeyOf } from "../domain/position.ts";
import { readFill } from "../rows/fill.ts";
import { type PositionRow, readPosition } from "../rows/position.ts";
import { type ProtectionRow, readProtection } from "../rows/protection.ts";
import type { JournalRow } from "../rows/row.ts";
import { readWireOut, textParam, type WireOutRow } from "../rows/wire-out.ts";
import { type PastOpenings, takeIntent } from "./past-openings.ts";
import { closeIn } from "./restore-closes.ts";

type Undated<Fact> = Fact extends unknown ? Omit<Fact, "heardMs"> : never;
type Stated = Undated<PastFact>;

/** Oldest first, as the rows are. `timeOf` says when a row was written, our time. */
export function positionFacts(rows: readonly JournalRow[], timeOf: (row: JournalRow) => number): readonly PastFact[] {
  const openings: PastOpenings = new Map();
  return rows.flatMap((row) => {
    const heardMs = timeOf(row);
    return statedIn(row, openings, heardMs).map((fact) => ({ ...fact, heardMs }));
  });
}

function statedIn(row: JournalRow, openings: PastOpenings, heardMs: number): readonly Stated[] {
  switch (row.kind) {
    case "fill": {
      const { leg: key, orderId, clientOrderId, opening, reverses = false, qty, atMs } = readFill(row);
      return [{ kind: "fill", key, orderId, clientOrderId, opening, reverses, qty, atMs }];
    }
    case "wire-out":
      return requestedIn(readWireOut(row));
    case "protection":
      return protectionIn(readProtection(row));
    case "intent": {
      const filled = takeIntent(openings, row, heardMs);
      return filled ? [filled] : [];
    }
    default: {
      const position = readPosition(row);
      const meta = metaIn(position, row, heardMs);
      return [position.kind === "closed" ? endIn(position, meta) : reportIn(position, meta)];
    }
  }
}

/** No position was opened later than a row says so, though a clock that was set back since dates it ahead. Fault C2. */
export const metaIn = (position: PositionRow, { decisionId, atMs }: JournalRow, heardMs: number): PositionMeta => {
  const { strategy, thesis, basis, stopPrice, targetPrice, trail } = position;
  const openedAtMs = Math.min(position.openedAtMs || atMs, Math.floor(heardMs));
  return {
    ...{ decisionId, strategy, thesis, basis, stopPrice, targetPrice, openedAtMs },
    ...(trail ? { trail } : {}),
  };
};

function reportIn(position: PositionRow, meta: PositionMeta): Stated {
  const { leg: key, qty, avgPrice, provenMs = null, begunMs = null, filledMs = null, doubted = false } = position;
  return { kind: "reported", key, qty, avgPrice, meta, provenMs, begunMs, filledMs, doubted };
}

function endIn(position: PositionRow, meta: PositionMeta): Stated {
  const { leg: key, missed = false, doubted = false, filledMs = null, stop = null } = position;
  return { kind: "over", key, meta, missed, doubted, filledMs, stop };
}

/** Rows that count how long a position had no stop, or that the agent watches its price, say nothing of a stop at the venue. */
function protectionIn(row: ProtectionRow): readonly Stated[] {
  const key = row.leg;
  if ("moving" in row) return [{ kind: "stop-moved", key, stopPrice: row.stopPrice }];
  if ("over" in row) return [{ kind: "stop-over", key, algoOrderId: row.algoOrderId }];
  if ("standing" in row) {
    const { algoOrderId, stopPrice, external = false } = row;
    return [{ kind: "stop-stands", key, algoOrderId, stopPrice, external }];
  }
  return "clientOrderId" in row
    ? [{ kind: "stop-requested", key, clientOrderId: row.clientOrderId, stop: askedIn(row) }]
    : [];
}

/** A row has no condition: without a quantity it was for all that is held, and a target goes with a stop-loss price. */
function askedIn({ qty, stopPrice, targetPrice }: Extract<ProtectionRow, { clientOrderId: string }>): AskedStop {
  if (qty.gt(0) && targetPrice === null)
    return { condition: "CONDITIONAL", qty, triggerPrice: stopPrice, stopLossPrice: null };
  const condition = qty.isZero() ? "ENTIRE_CLOSE_POSITION" : "OCO";
  return { condition, qty, triggerPrice: null, stopLossPrice: stopPrice };
}

/** What a write may have done, with any outcome. */
function requestedIn(write: WireOutRow): readonly Stated[] {
  const close = closeIn(write);
  if (close) {
    const sides = close.side ? [close.side] : (["LONG", "SHORT"] as const);
    return sides.map((side) => ({ kind: "close-requested", key: positionKeyOf(close.symbol, side) }));
  }
  const algoOrderId = textParam(write, "algoOrderId");
  if (algoOrderId === null) return [];
  if (write.action === "algo.cancel") return [{ kind: "stop-cancelled", algoOrderId }];
  const qty = write.action === "algo.replace" ? textParam(write, "quantity") : null;
  return qty === null ? [] : [{ kind: "stop-resized", algoOrderId, qty: dec(qty) }];
}
