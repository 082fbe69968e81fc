import { BEAT_EVERY_MS } from "../alive.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { isRec, recs, timeIn } from "../fields.ts";
import { journalView } from "../journal-view.ts";
import { factsOf } from "../venue-view.ts";

/** Two beats that are closer were made up after a stall. */
const CLOSEST_MS = 5_000;
/** A longer silence of the beats is downtime. */
const SILENCE_MS = 30_000;
const DIFFERENCE_MAX = 0.001;

/** I29: beats by their monotonic time, and the uptime that they tell against that of an outside prober. */
export const i29: Invariant = {
  id: "I29",
  title: "Uptime honesty",
  rule: "Beats come at their own rhythm of 10 s and are never made up after a silence; the share of time without silences longer than 30 s differs from what an outside prober saw by at most 0.1 %.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => [...crowded(history), ...dishonest(history), ...against(history)],
};

function crowded(history: History): readonly Finding[] {
  const beats = journalView(history).kinds("beat");
  return beats.flatMap((beat, index) => {
    const before = beats[index - 1];
    if (!before || before.boot !== beat.boot) return [];
    const apartMs = beat.monoMs - before.monoMs;
    return apartMs < CLOSEST_MS
      ? [finding(beat.seq, `two beats ${Math.round(apartMs)} ms apart, the rhythm is ${BEAT_EVERY_MS}`)]
      : [];
  });
}

/** A beat between two rows that a stalled loop would have written together tells of a loop that did not run. */
function dishonest(history: History): readonly Finding[] {
  return journalView(history)
    .kinds("beat")
    .flatMap(({ seq, body }) => {
      const tickMs = timeIn(body, "sinceTickMs");
      return tickMs !== null && tickMs > 5_000 ? [finding(seq, `a beat ${tickMs} ms after the loop last ticked`)] : [];
    });
}

interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

function against(history: History): readonly Finding[] {
  const beats = journalView(history).kinds("beat");
  const [first, last] = [beats[0]?.atMs, beats.at(-1)?.atMs];
  const report = factsOf(history, "uptime").at(-1)?.doors["rest"];
  if (first === undefined || last === undefined || last <= first || !isRec(report)) return [];
  const own = beats.flatMap((beat, index): Gap[] => {
    const before = beats[index - 1];
    return before && beat.atMs - before.atMs > SILENCE_MS ? [{ fromMs: before.atMs, toMs: beat.atMs }] : [];
  });
  const outside = recs(report, "gaps").map((gap) => ({
    fromMs: timeIn(gap, "fromMs") ?? 0,
    toMs: timeIn(gap, "toMs") ?? 0,
  }));
  const share = (gaps: readonly Gap[]): number =>
    1 -
    gaps.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, last) - Math.max(fromMs, first)), 0) /
      (last - first);
  const [ours, theirs] = [share(own), share(outside)];
  if (Math.abs(ours - theirs) <= DIFFERENCE_MAX) return [];
  return [finding(null, `the beats tell an uptime of ${percent(ours)}, the outside prober saw ${percent(theirs)}`)];
}

const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
