/** Stops that an earlier run requested or left behind in its last minute, from the journal. */
import { READS_LAG_MS } from "../agent/positions/read-lag.ts";
import type { RequestedStop } from "../agent/state/past-stops.ts";
import { HOUR_MS } from "../core/time.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";
import { readPosition } from "../rows/position.ts";
import { readProtection } from "../rows/protection.ts";
import { readWireOut, textParam } from "../rows/wire-out.ts";

/** Longer than any window in which a venue counts stops; the agent counts those inside the window. */
const SLOTS_KNOWN_MS = HOUR_MS;
const ASKED_LATELY_MS = 60_000;
/** A run that lived longer has received word of the stop, or has requested its cancellation. */
const LEFT_WITHIN_MS = 8_000;

/** Requests for a stop, or for the change of one, oldest first. */
const stopRows = (reader: JournalReader, sinceMs: number, action: "algo.place" | "algo.replace" = "algo.place") =>
  reader
    .rows({ kinds: ["wire-out"], sinceMs })
    .map((row) => ({ ...readWireOut(row), atMs: row.atMs }))
    .filter((write) => write.action === action);

/**
 * The venue accepts few stops in its window, whichever run requested them. Times in the future count as now: a clock that
 * was set back must not leave positions without a stop for that long. Fault C2.
 */
export const stopsAskedMs = (reader: JournalReader, nowMs: number): readonly number[] =>
  stopRows(reader, nowMs - SLOTS_KNOWN_MS).map((row) => Math.min(row.atMs, nowMs));

/** The same for changes. */
export const changesAskedMs = (reader: JournalReader, nowMs: number): readonly number[] =>
  stopRows(reader, nowMs - SLOTS_KNOWN_MS, "algo.replace").map((row) => Math.min(row.atMs, nowMs));

/**
 * Stops in place when their position was reported as flat: the run that waited for the venue's message about them may have
 * ended before it. If a list merely lacked the position, the stop is all that protects it. Fault V6; invariant I27.
 */
export function stopsLeft(reader: JournalReader, nowMs: number): readonly string[] {
  const last = reader.rows({ limit: 1, newest: true })[0];
  if (!last) return [];
  // Within one run, use the monotonic clock: after the wall clock was set back, rows dated ahead are long past. Fault C2.
  const agoMs = (row: JournalRow): number =>
    row.runId === last.runId ? last.monoMs - row.monoMs : last.atMs - row.atMs;
  const left = new Set<string>();
  const rows = reader.rows({ kinds: ["position", "wire-out"], sinceMs: Math.min(nowMs, last.atMs) - ASKED_LATELY_MS });
  for (const row of rows) {
    if (row.kind === "wire-out") {
      const write = readWireOut(row);
      if (write.action === "algo.cancel") left.delete(textParam(write, "algoOrderId") ?? "");
      continue;
    }
    const { kind, missed, stop } = readPosition(row);
    const isLeft = kind === "closed" && !missed && agoMs(row) >= 0 && agoMs(row) < LEFT_WITHIN_MS;
    if (isLeft && stop !== undefined) left.add(stop);
  }
  return [...left];
}

/** Stops that may be over although a list shows them: their cancel left, or they or their position were reported as over. */
export function stopsEnding(reader: JournalReader, nowMs: number): ReadonlyMap<string, number> {
  const ending = new Map<string, number>();
  for (const row of reader.rows({ kinds: ["position", "protection", "wire-out"], sinceMs: nowMs - READS_LAG_MS })) {
    if (row.kind === "wire-out") {
      const write = readWireOut(row);
      const id = write.action === "algo.cancel" ? textParam(write, "algoOrderId") : null;
      if (id !== null) ending.set(id, row.atMs);
    } else if (row.kind === "protection") {
      const protection = readProtection(row);
      if ("over" in protection) ending.set(protection.algoOrderId, row.atMs);
    } else {
      const { kind, missed, stop } = readPosition(row);
      if (kind === "closed" && !missed && stop !== undefined) ending.set(stop, row.atMs);
    }
  }
  return ending;
}

const closedBy = (side: string | null): "LONG" | "SHORT" | null =>
  side === null ? null : side === "SELL" ? "LONG" : "SHORT";

/** The newest request for each position: if the position is flat by now, lists may lack the stop for most of a minute. */
export function requestedStops(reader: JournalReader, nowMs: number): readonly RequestedStop[] {
  const newest = new Map<string, RequestedStop>();
  for (const write of stopRows(reader, nowMs - ASKED_LATELY_MS)) {
    const [symbol, id] = [textParam(write, "symbol"), textParam(write, "clientOrderId")];
    const side = textParam(write, "positionSide") ?? closedBy(textParam(write, "side"));
    if (symbol === null || id === null || (side !== "LONG" && side !== "SHORT")) continue;
    const positionKey = positionKeyOf(symbol, side);
    newest.set(positionKey, { positionKey, clientOrderId: id });
  }
  return [...newest.values()];
}
