import { answeredMs } from "../alive.ts";
import { eq, isNil, NIL, type Num, show } from "../decimal.ts";
import { decimal, recs, text, timeIn } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { type Run, journalView } from "../journal-view.ts";
import { NEEDS } from "../service.ts";
import { faultWithin, positionChanges, STATED_LAG_MS } from "../venue-view.ts";
import type { Row } from "../rows.ts";

const WITHIN_MS = 10_000;
/** Longest lag that a fault gives to lists. */
const READS_LAG_MS = 15_000;

/** I26: a run opens nothing before it is ready, and is ready only once it knows the venue's positions. */
export const i26: Invariant = {
  id: "I26",
  title: "Convergence",
  rule: "A run opens nothing before it is ready, is ready only after a complete reconciliation of its own that took no more than 10 s of a venue that answers, and then knows the venue's positions (what changed in the 10 s before may still be on its way, and what ended in the 20 s before its lists may still be held).",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => journalView(history).runs.flatMap((run) => runProblems(history, run)),
};

function runProblems(history: History, run: Run): readonly Finding[] {
  const { kinds, writes } = journalView(history);
  const readySeq = run.ready?.seq ?? Infinity;
  const early = writes
    .filter((write) => write.opening && write.row.runId === run.runId && write.row.seq < readySeq)
    .map((write) =>
      finding(write.row.seq, `${write.clientOrderId ?? "an order"} left before run ${run.runId} was ready`),
    );
  if (!run.ready) return early;
  const whole = kinds("reconcile").findLast(
    (row) => row.runId === run.runId && row.seq < readySeq && row.body["event"] === "complete",
  );
  if (!whole) return [...early, finding(run.ready.seq, `run ${run.runId} was ready without a complete reconciliation`)];
  const startedMs = timeIn(whole.body, "startedAtMs") ?? whole.atMs;
  const tookMs = answeredMs(history, NEEDS.reconcile, { fromMs: startedMs, toMs: whole.atMs });
  const slow =
    tookMs > WITHIN_MS
      ? [finding(whole.seq, `the reconciliation took ${Math.round(tookMs)} ms, allowed ${WITHIN_MS}`)]
      : [];
  return [...early, ...slow, ...differences(history, whole)];
}

function differences(history: History, whole: Row): readonly Finding[] {
  if (!history.venue) return [];
  const ours = new Map(
    recs(whole.body, "positions").map((held) => [text(held, "leg") ?? "", decimal(held, "qty") ?? NIL]),
  );
  const { positions, changedMs } = venuePositionsAt(history, whole.atMs);
  return [...new Set([...ours.keys(), ...positions.keys()])].flatMap((key) => {
    const [mine, real] = [ours.get(key) ?? NIL, positions.get(key) ?? NIL];
    const knownMs = toldUntil(history, whole, isNil(real));
    if (eq(mine, real) || (changedMs.get(key) ?? -Infinity) > knownMs) return [];
    return [finding(whole.seq, `reconciled with ${key} at ${show(mine)}, the venue had ${show(real)}`)];
  });
}

/**
 * Later changes may be in flight, or missing from lists that lag or did so a lag ago. Fault R9. What is over may be held until
 * its absence proves that.
 */
function toldUntil(history: History, whole: Row, over: boolean): number {
  const startedMs = timeIn(whole.body, "startedAtMs") ?? whole.atMs;
  const lags = faultWithin(history, "read-lag", { fromMs: startedMs - READS_LAG_MS, toMs: whole.atMs });
  const listsMs = over ? startedMs - STATED_LAG_MS : lags ? startedMs - READS_LAG_MS : Infinity;
  return Math.min(whole.atMs - WITHIN_MS, listsMs);
}

function venuePositionsAt(
  history: History,
  atMs: number,
): { positions: Map<string, Num>; changedMs: Map<string, number> } {
  const positions = new Map<string, Num>();
  const changedMs = new Map<string, number>();
  for (const change of positionChanges(history)) {
    if (change.atMs > atMs + WITHIN_MS) break;
    if (change.atMs <= atMs) positions.set(change.key, change.qty);
    changedMs.set(change.key, change.atMs);
  }
  return { positions, changedMs };
}
