/** Stops of earlier runs, from the journal: when they were requested, and which of them may stand or have just ended. */
import { READS_LAG_MS } from "../agent/books/read-lag.ts";
import type { RequestedStop } from "../agent/state/past-stops.ts";
import type { Restored } from "../agent/state/restored.ts";
import { HOUR_MS } from "../core/time.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";
import { readPosition } from "../rows/position.ts";
import { readProtection } from "../rows/protection.ts";
import { readWireOut, textParam, type WireOutRow } from "../rows/wire-out.ts";

/** Longer than any window in which a venue counts stops; the agent counts those inside the window. */
const SLOTS_KNOWN_MS = HOUR_MS;

/** Requests are counted for an hour; the other two are of what no list need have shown when the journal ended. */
export type StopsOfEarlierRuns = Required<
  Pick<Restored, "protectAskedMs" | "amendAskedMs" | "requestedStops" | "stopsLeft">
>;

/**
 * A stop is left if the last that is known of it is that its position was reported as flat: the run that waited for the venue's
 * message may have ended before it. If a list merely lacked the position, the stop is all that protects it. Fault V6; invariant
 * I27. Requests dated in the future count as of `nowMs`: a clock that was set back must not leave positions without a stop for
 * that long. Fault C2.
 */
export function stopsOf(reader: JournalReader, nowMs: number): StopsOfEarlierRuns {
  const [protectAskedMs, amendAskedMs]: [number[], number[]] = [[], []];
  const requested = new Map<string, RequestedStop>();
  const over = new Set<string>();
  const left = new Set<string>();
  const ends = (id: string): void => {
    over.add(id);
    left.delete(id);
  };
  const last = reader.rows({ limit: 1, newest: true })[0];
  const sinceMs = Math.min(nowMs, last?.atMs ?? nowMs) - SLOTS_KNOWN_MS;
  for (const row of reader.rows({ kinds: ["position", "protection", "wire-out"], sinceMs })) {
    const isRecent = last !== undefined && isUnsettled(row, last);
    if (row.kind === "wire-out") {
      const write = readWireOut(row);
      if (write.action === "algo.place") protectAskedMs.push(Math.min(row.atMs, nowMs));
      if (write.action === "algo.replace") amendAskedMs.push(Math.min(row.atMs, nowMs));
      const stop = isRecent ? requestedIn(write) : null;
      if (stop) requested.set(stop.clientOrderId, stop);
      const cancelled = isRecent && write.action === "algo.cancel" ? textParam(write, "algoOrderId") : null;
      if (cancelled !== null) ends(cancelled);
    } else if (isRecent && row.kind === "protection") {
      const protection = readProtection(row);
      if ("over" in protection) ends(protection.algoOrderId);
    } else if (isRecent) {
      const { kind, missed, stop } = readPosition(row);
      if (kind === "closed" && !missed && stop !== undefined && !over.has(stop)) left.add(stop);
    }
  }
  const [requestedStops, stopsLeft] = [[...requested.values()], [...left]];
  return { protectAskedMs, amendAskedMs, requestedStops, stopsLeft };
}

/**
 * Whether no list need have shown it when the journal ended. Within one run the monotonic clock decides: after the wall clock was
 * set back, rows dated ahead are long past. Fault C2.
 */
function isUnsettled(row: JournalRow, last: JournalRow): boolean {
  const agoMs = row.runId === last.runId ? last.monoMs - row.monoMs : last.atMs - row.atMs;
  return agoMs >= 0 && agoMs < READS_LAG_MS;
}

const closedBy = (side: string | null): "LONG" | "SHORT" | null =>
  side === null ? null : side === "SELL" ? "LONG" : "SHORT";

/** The stop that a write requested; null for any other write. In one-way mode it names only the side of its order. */
function requestedIn(write: WireOutRow): RequestedStop | null {
  if (write.action !== "algo.place") return null;
  const [symbol, clientOrderId] = [textParam(write, "symbol"), textParam(write, "clientOrderId")];
  const side = textParam(write, "positionSide") ?? closedBy(textParam(write, "side"));
  if (symbol === null || clientOrderId === null || (side !== "LONG" && side !== "SHORT")) return null;
  return { positionKey: positionKeyOf(symbol, side), clientOrderId };
}
