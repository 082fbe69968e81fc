import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { text } from "../fields.ts";
import { IN_FLIGHT_MS, matchedFrames } from "../wire-match.ts";

/** I25: runs follow each other and never overlap, by rows, by their monotonic time and by arriving frames. */
export const i25: Invariant = {
  id: "I25",
  title: "One writer",
  rule: "The rows of one run stand together and its own time never goes back; each run begins once; every write at the venue falls between the first row of the run that announced it and the first of the next (2 s for what was on its way).",
  needs: [],
  more: ["wire log"],
  unseen: "",
  judge: (history) => [...mixed(history), ...backwards(history), ...strayFrames(history)],
};

function mixed(history: History): readonly Finding[] {
  const over = new Set<string>();
  const begun = new Map<string, number>();
  const found: Finding[] = [];
  let current: string | null = null;
  for (const { runId, seq, kind, body } of history.rows) {
    if (kind === "boot" && body["ready"] !== true) {
      const first = begun.get(runId);
      if (first !== undefined) found.push(finding(seq, `run ${runId} began a second time, first in row ${first}`));
      begun.set(runId, first ?? seq);
      const named = text(body, "boot");
      if (named !== null && named !== runId) found.push(finding(seq, `run ${named} began in a row of run ${runId}`));
    }
    if (runId === current) continue;
    if (over.has(runId)) found.push(finding(seq, `run ${runId} writes again after run ${current ?? ""} had begun`));
    if (current !== null) over.add(current);
    current = runId;
  }
  return found;
}

function backwards(history: History): readonly Finding[] {
  const last = new Map<string, number>();
  return history.rows.flatMap(({ runId, seq, monoMs }) => {
    const before = last.get(runId);
    last.set(runId, monoMs);
    if (before === undefined || monoMs >= before) return [];
    return [finding(seq, `the time of run ${runId} goes back by ${before - monoMs} ms`)];
  });
}

function strayFrames(history: History): readonly Finding[] {
  const { runs: all } = journalView(history);
  // No row records the death of a process: the next run begins after it.
  const runs = new Map(all.map((run, at) => [run.runId, { run, endMs: all[at + 1]?.first.atMs ?? run.last.atMs }]));
  return matchedFrames(history).flatMap(({ frame, write, again }) => {
    const found = write && runs.get(write.row.runId);
    if (!found || again) return [];
    const { run, endMs } = found;
    const { skewMs } = history;
    const early = frame.atMs < run.first.atMs - skewMs;
    const late = frame.atMs > endMs + IN_FLIGHT_MS + skewMs;
    if (!early && !late) return [];
    return [
      finding(
        write.row.seq,
        `frame ${frame.seq} (${frame.atMs}) is outside run ${run.runId}, ${run.first.atMs} to ${endMs}`,
      ),
    ];
  });
}
