/** What the journal of earlier runs tells of closes: the venue names the orders that carry them out by itself. */
import type { LostClose } from "../agent/books/own-closes.ts";
import { legKey } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { text, type WriteBody } from "./restore-fields.ts";

const WRITES_LOOKED_AT = 1_000;
/** Longer than a close may be carried out after it was asked for. */
const LOST_FOR_MS = 120_000;

/** Orders that a reply named as those of our closes. */
export const ownCloses = (reader: JournalReader): readonly string[] =>
  reader.rows({ kinds: ["wire-in"], limit: WRITES_LOOKED_AT, newest: true }).flatMap((row) => {
    const { action, reply } = row.body as WriteBody;
    const id = action === "position.close" ? text(reply?.orderId) : null;
    return id === null ? [] : [id];
  });

/** Closes of the last minutes whose reply died with the process, or told nothing. In one-way mode none names its leg. */
export function lostCloses(reader: JournalReader, nowMs: number): readonly LostClose[] {
  const lost = new Map<unknown, LostClose>();
  for (const { kind, body, atMs } of reader.rows({ kinds: ["wire-out", "wire-in"], sinceMs: nowMs - LOST_FOR_MS })) {
    const { action, previewId, outcome, params } = body as WriteBody;
    if (action !== "position.close") continue;
    if (kind === "wire-in" && outcome !== "unknown") lost.delete(previewId);
    const [symbol, side] = [text(params?.["symbol"]), params?.["positionSide"]];
    if (kind !== "wire-out" || symbol === null || (side !== "LONG" && side !== "SHORT")) continue;
    lost.set(previewId, { leg: legKey(symbol, side), atMs: Math.min(atMs, nowMs) });
  }
  return [...lost.values()];
}
