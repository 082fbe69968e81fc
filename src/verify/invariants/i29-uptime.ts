import { BEAT_EVERY_MS } from "../alive.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { isRec, recs, timeIn } from "../fields.ts";
import { journalView } from "../journal-view.ts";
import { factsOf } from "../venue-view.ts";

/** Two heartbeats that are closer were written after a stall. */
const CLOSEST_MS = 5_000;
/** A longer gap between heartbeats is downtime. */
const SILENCE_MS = 30_000;
const DIFFERENCE_MAX = 0.001;

/** I29: heartbeats by their monotonic time, and the uptime they report against that of an outside prober. */
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

/** A heartbeat between two rows that a stalled loop wrote together claims a loop that did not run. */
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

/**
 * The spans that the prober watched: a venue with its own prober watches from the first call until it stops, and each
 * of its runs records that once.
 */
function watched(history: History, beats: Gap): readonly (Gap & { readonly gaps: readonly Gap[] })[] {
  return factsOf(history, "uptime").flatMap(({ atMs, doors }) => {
    const report = doors["rest"];
    if (!isRec(report)) return [];
    const gaps = recs(report, "gaps").map((gap) => ({
      fromMs: timeIn(gap, "fromMs") ?? 0,
      toMs: timeIn(gap, "toMs") ?? 0,
    }));
    const fromMs = Math.max(beats.fromMs, timeIn(report, "firstSeenMs") ?? 0);
    const toMs = Math.min(beats.toMs, atMs);
    return toMs > fromMs ? [{ fromMs, toMs, gaps }] : [];
  });
}

/** The parts of gaps within a span. */
const within = (gaps: readonly Gap[], span: Gap): readonly number[] =>
  gaps.map(({ fromMs, toMs }) => Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)));

const total = (spans: readonly number[]): number => spans.reduce((sum, ms) => sum + ms, 0);

function against(history: History): readonly Finding[] {
  const beats = journalView(history).kinds("beat");
  const [first, last] = [beats[0]?.atMs, beats.at(-1)?.atMs];
  if (first === undefined || last === undefined || last <= first) return [];
  const silences = beats.flatMap((beat, index): Gap[] => {
    const before = beats[index - 1];
    return before && beat.atMs - before.atMs > SILENCE_MS ? [{ fromMs: before.atMs, toMs: beat.atMs }] : [];
  });
  const spans = watched(history, { fromMs: first, toMs: last });
  const watchedMs = total(spans.map(({ fromMs, toMs }) => toMs - fromMs));
  if (watchedMs === 0) return [];
  // Of a gap that began before the watch, only the rest can be compared.
  const own = total(spans.flatMap((span) => within(silences, span).filter((ms) => ms > SILENCE_MS)));
  const outside = total(spans.flatMap((span) => within(span.gaps, span)));
  const [ours, theirs] = [1 - own / watchedMs, 1 - outside / watchedMs];
  if (Math.abs(ours - theirs) <= DIFFERENCE_MAX) return [];
  return [finding(null, `the beats report an uptime of ${percent(ours)}, the outside prober saw ${percent(theirs)}`)];
}

const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
