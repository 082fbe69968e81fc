import { BEAT_EVERY_MS, cutOffWithin } from "../alive.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { isRec, recs, timeIn } from "../fields.ts";
import { journalView } from "../journal-view.ts";
import { NEEDS } from "../service.ts";
import { factsOf } from "../venue-view.ts";

/** Two heartbeats that are closer were written after a stall. */
const CLOSEST_MS = 5_000;
/** A longer gap between heartbeats is downtime. */
const SILENCE_MS = 30_000;
const DIFFERENCE_MAX = 0.001;
/** Of an absence the prober knows the calls around it, and the journal the beats: both edges are as far apart as this. */
const EDGE_MS = BEAT_EVERY_MS + 5_000;
/** The prober reports no shorter silence of calls, so it can deny no outage that is this short beside its edges. */
const RESOLUTION_MS = SILENCE_MS + 2 * EDGE_MS;

/** I29: heartbeats by their monotonic time, and the uptime they report against that of an outside prober. */
export const i29: Invariant = {
  id: "I29",
  title: "Uptime honesty",
  rule: "Beats come at their own rhythm of 10 s and are never made up after a silence; the share of time without deaths (from the last durable beat to the first of the next run) and without silences longer than 30 s differs from what an outside prober saw by at most 0.1 %.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => [...crowded(history), ...dishonest(history), ...against(history)],
};

function crowded(history: History): readonly Finding[] {
  const beats = journalView(history).kinds("beat");
  return beats.flatMap((beat, index) => {
    const before = beats[index - 1];
    if (!before || before.runId !== beat.runId) return [];
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

interface Watch extends Gap {
  readonly gaps: readonly Gap[];
}

/**
 * The spans that the prober watched: a venue with its own prober watches from the first call until it stops, and each
 * of its runs records that once.
 */
function watched(history: History, beats: Gap): readonly Watch[] {
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

const overlap = (one: Gap, other: Gap): Gap => ({
  fromMs: Math.max(one.fromMs, other.fromMs),
  toMs: Math.min(one.toMs, other.toMs),
});
const lengthOf = ({ fromMs, toMs }: Gap): number => Math.max(0, toMs - fromMs);
const total = (gaps: readonly Gap[]): number => gaps.reduce((sum, gap) => sum + lengthOf(gap), 0);

/** Outages as the beats have them, oldest first: a death lasts from the last durable beat to the first of the next run. */
function outagesOf(history: History): readonly Gap[] {
  const beats = journalView(history).kinds("beat");
  return beats.flatMap((beat, index): Gap[] => {
    const before = beats[index - 1];
    if (!before || (before.runId === beat.runId && beat.atMs - before.atMs <= SILENCE_MS)) return [];
    return [{ fromMs: before.atMs, toMs: beat.atMs }];
  });
}

/** An absence that the prober saw, with each edge at the beat where the journal has one within the rhythm. */
function seenAtBeats(gap: Gap, outages: readonly Gap[]): Gap {
  const beside = outages.filter((outage) => lengthOf(overlap(outage, gap)) > 0);
  const near = (atMs: number, edges: readonly number[]): number =>
    edges.find((edgeMs) => Math.abs(edgeMs - atMs) <= EDGE_MS) ?? atMs;
  return {
    fromMs: near(
      gap.fromMs,
      beside.map(({ fromMs }) => fromMs),
    ),
    toMs: near(
      gap.toMs,
      beside.map(({ toMs }) => toMs),
    ),
  };
}

function against(history: History): readonly Finding[] {
  const beats = journalView(history).kinds("beat");
  const [first, last] = [beats[0]?.atMs, beats.at(-1)?.atMs];
  if (first === undefined || last === undefined || last <= first) return [];
  const all = outagesOf(history);
  const spans = watched(history, { fromMs: first, toMs: last });
  const watchedMs = total(spans);
  if (watchedMs === 0) return [];
  let [own, outside] = [0, 0];
  for (const span of spans) {
    const outages = all.map((outage) => overlap(outage, span)).filter((outage) => lengthOf(outage) > 0);
    // No call arrives at a venue that is cut off: there the prober can neither confirm an outage nor deny it.
    const blind = span.gaps.filter((gap) => cutOffWithin(history, NEEDS.call, gap));
    const absences = span.gaps
      .filter((gap) => !blind.includes(gap))
      .map((gap) => overlap(seenAtBeats(gap, all), span))
      .filter((gap) => lengthOf(gap) > 0);
    own += total(outages);
    outside += total(absences) + total(outages.filter((outage) => isUnseen(outage, absences, blind)));
  }
  const [ours, theirs] = [1 - own / watchedMs, 1 - outside / watchedMs];
  if (Math.abs(ours - theirs) <= DIFFERENCE_MAX) return [];
  return [finding(null, `the beats report an uptime of ${percent(ours)}, the outside prober saw ${percent(theirs)}`)];
}

const isUnseen = (outage: Gap, absences: readonly Gap[], blind: readonly Gap[]): boolean => {
  const meets = (gap: Gap): boolean => lengthOf(overlap(gap, outage)) > 0;
  return !absences.some(meets) && (lengthOf(outage) <= RESOLUTION_MS || blind.some(meets));
};

const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
