/** What the newest rows of earlier runs say of positions, their stops and their fills. */
import type { PastFact } from "../agent/positions/past-fact.ts";
import type { HeldPosition } from "../agent/positions/positions.ts";
import { recall } from "../agent/positions/recall.ts";
import type { JournalReader } from "../journal/reader.ts";
import { peek } from "../rows/row.ts";
import { inSequence, newestRows } from "./newest-rows.ts";
import { unshownRows } from "./past-openings.ts";
import { positionFacts } from "./position-facts.ts";
import { rowTimes } from "./row-times.ts";

const ROWS_READ = 10_000;

const KINDS = ["position", "protection", "fill"] as const;

/** The newest 10,000 rows of each kind, and the orders whose fills no position includes; oldest first. `nowMs` is epoch ms. */
export function positionFactsOf(reader: JournalReader, nowMs: number): readonly PastFact[] {
  const rows = newestRows(reader, [...KINDS, "wire-out"], ROWS_READ);
  const facts = positionFacts(inSequence([...rows, ...unshownRows(reader)]), rowTimes(reader, nowMs));
  return reader.opened.state === "ok" ? facts : [...facts, { kind: "tail-lost", heardMs: nowMs }];
}

/** Positions by their key. */
export type HeldByKey = ReadonlyMap<string, HeldPosition>;

/** What is held by these facts until a report of a run says otherwise. */
export const heldBy = (facts: readonly PastFact[], nowMs: number): HeldByKey => recall(facts, nowMs).held;

/**
 * The positions as they are shown, without what only a run must know. Of those that were last reported as closed only the rows
 * are read that such an order needs. Writes are not, and the end of the journal is not checked, since neither
 * changes what is shown.
 */
export function openPositionsOf(reader: JournalReader, nowMs: number): HeldByKey {
  const rows = newestRows(reader, KINDS, ROWS_READ);
  const orders = unshownRows(reader);
  const sinceMs = orders[0]?.atMs ?? Infinity;
  const closed = new Map<unknown, boolean>();
  for (const row of rows) {
    const key = peek(row, "leg");
    if (row.kind === "position" && typeof key === "string") closed.set(key, peek(row, "kind") === "closed");
  }
  const read = rows.filter((row) => row.atMs >= sinceMs || !closed.get(peek(row, "leg")));
  return heldBy(positionFacts(inSequence([...read, ...orders]), rowTimes(reader, nowMs)), nowMs);
}
