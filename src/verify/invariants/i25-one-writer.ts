import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { text } from "../fields.ts";
import { IN_FLIGHT_MS, matchedFrames } from "../wire-match.ts";

/** I25: runs follow each other and never overlap, by rows, by their monotonic time and by arriving frames. */
export const i25: Invariant = {
  id: "I25",
  title: "One writer",
  rule: "The rows of one boot stand together and its own time never goes back; each boot begins once; every write at the venue falls between the first row of the boot that announced it and the first of the next (2 s for what was on its way).",
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
  for (const { boot, seq, kind, body } of history.rows) {
    if (kind === "boot" && body["ready"] !== true) {
      const first = begun.get(boot);
      if (first !== undefined) found.push(finding(seq, `boot ${boot} began a second time, first in row ${first}`));
      begun.set(boot, first ?? seq);
      const named = text(body, "boot");
      if (named !== null && named !== boot) found.push(finding(seq, `boot ${named} began in a row of boot ${boot}`));
    }
    if (boot === current) continue;
    if (over.has(boot)) found.push(finding(seq, `boot ${boot} writes again after boot ${current ?? ""} had begun`));
    if (current !== null) over.add(current);
    current = boot;
  }
  return found;
}

function backwards(history: History): readonly Finding[] {
  const last = new Map<string, number>();
  return history.rows.flatMap(({ boot, seq, monoMs }) => {
    const before = last.get(boot);
    last.set(boot, monoMs);
    if (before === undefined || monoMs >= before) return [];
    return [finding(seq, `the time of boot ${boot} goes back by ${before - monoMs} ms`)];
  });
}

function strayFrames(history: History): readonly Finding[] {
  const { boots: all } = journalView(history);
  // No row records the death of a process: the next run begins after it.
  const boots = new Map(all.map((boot, at) => [boot.boot, { boot, endMs: all[at + 1]?.first.atMs ?? boot.last.atMs }]));
  return matchedFrames(history).flatMap(({ frame, write, again }) => {
    const found = write && boots.get(write.row.boot);
    if (!found || again) return [];
    const { boot, endMs } = found;
    const { skewMs } = history;
    const early = frame.atMs < boot.first.atMs - skewMs;
    const late = frame.atMs > endMs + IN_FLIGHT_MS + skewMs;
    if (!early && !late) return [];
    return [
      finding(
        write.row.seq,
        `frame ${frame.seq} (${frame.atMs}) is outside boot ${boot.boot}, ${boot.first.atMs} to ${endMs}`,
      ),
    ];
  });
}
