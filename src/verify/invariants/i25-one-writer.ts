import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { type Boot, journalView } from "../journal-view.ts";
import { text } from "../fields.ts";
import { matchedFrames } from "../wire-match.ts";

/** A frame may still be on its way when its process ends. */
const IN_FLIGHT_MS = 2_000;

export const i25: Invariant = {
  id: "I25",
  title: "One writer",
  rule: "The rows of one boot stand together and its own time never goes back; each boot begins once; every write at the venue falls between the first and last row of the boot that announced it (2 s for what was on its way).",
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
  const boots = new Map<string, Boot>(journalView(history).boots.map((boot) => [boot.boot, boot]));
  return matchedFrames(history).flatMap(({ frame, write, again }) => {
    const boot = write && boots.get(write.row.boot);
    if (!boot || again) return [];
    const { skewMs } = history;
    const early = frame.atMs < boot.first.atMs - skewMs;
    const late = frame.atMs > boot.last.atMs + IN_FLIGHT_MS + skewMs;
    if (!early && !late) return [];
    return [
      finding(
        write.row.seq,
        `frame ${frame.seq} (${frame.atMs}) is outside boot ${boot.boot}, ${boot.first.atMs} to ${boot.last.atMs}`,
      ),
    ];
  });
}
