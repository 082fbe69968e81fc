/** What one model was last heard to have trouble with, and whether that still goes on. */
import type { CallOutcome } from "./call.ts";
import type { ModelState } from "./port.ts";

/** Changed in place by `noteCall`. */
export interface LineRecord {
  failing: ModelState["failing"];
  last: ModelState["lastError"];
}

/** For a model that was not asked yet. */
export const newRecord = (): LineRecord => ({ failing: null, last: null });

/** A call that was never made says nothing of the model; an answer ends its trouble, whose words are kept. */
export function noteCall(record: LineRecord, called: CallOutcome, nowMs: number): void {
  if (called.kind === "over-budget") return;
  if (called.kind === "answered") {
    record.failing = null;
    return;
  }
  if (!called.trouble) return;
  const { sinceMs, inARow } = record.failing ?? { sinceMs: nowMs, inARow: 0 };
  record.failing = { sinceMs, inARow: inARow + 1 };
  record.last = { ...called.trouble, atMs: nowMs };
}
