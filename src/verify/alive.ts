/** When the agent could act: ready, running, and with a venue that answers what it needs. Deadlines count only such time. */
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import { answersWithin, firstAnswer, type Needs, type Span, unserved } from "./service.ts";
import { factsOf } from "./venue-view.ts";

const kept = new WeakMap<History, Map<Needs, readonly Span[]>>();

/** Spans in which the agent was ready, and the venue could have served what it needs, oldest first. */
export function aliveSpans(history: History, needs: Needs): readonly Span[] {
  const known = kept.get(history) ?? new Map<Needs, readonly Span[]>();
  kept.set(history, known);
  const made = known.get(needs) ?? without(readySpans(history), unservedOf(history, needs));
  known.set(needs, made);
  return made;
}

/** Spans in which the agent was ready and its process ran, with or without a venue that answers. */
export function readySpans(history: History): readonly Span[] {
  const running = journalView(history).runs.flatMap(({ ready, last }) =>
    ready ? [{ fromMs: ready.atMs, toMs: last.atMs }] : [],
  );
  return without(running, silences(history));
}

/** A running agent writes a heartbeat at least this often. */
export const BEAT_EVERY_MS = 10_000;
/** A heartbeat that was due while the loop wrote rows or waited for the disk comes so much later. */
const BEAT_LATE_MS = 2_000;

/**
 * A gap without any row, not even a heartbeat: the process did not run, because it was frozen or got no processor
 * time. The exact start is unknown. Faults P5, P6.
 */
const silences = ({ rows }: History): readonly Span[] =>
  rows.slice(1).flatMap(({ atMs }, at) => {
    const beforeMs = rows[at]?.atMs ?? atMs;
    return atMs - beforeMs > BEAT_EVERY_MS + BEAT_LATE_MS ? [{ fromMs: beforeMs, toMs: atMs }] : [];
  });

const unservedOf = (history: History, needs: Needs): readonly Span[] =>
  needs.flatMap((need) => unserved(history, need));

/** Whether there was any time in the span in which the venue could not have served what is needed. */
export const cutOffWithin = (history: History, needs: Needs, { fromMs, toMs }: Span): boolean =>
  unservedOf(history, needs).some((span) => span.fromMs < toMs && span.toMs > fromMs);

/** A rate-limit refusal names the time of the next request, and the venue answers nothing before. Fault R6. */
const RETRY_AFTER_MS = 20_000;
const REFUSES = "rate-limit-burst";

/** The end of the time that refusals before `atMs` named, where no record of calls has it; -Infinity without a refusal. */
function unnamedRefusal(history: History, atMs: number): number {
  let refusedMs = -Infinity;
  let on = false;
  for (const fact of factsOf(history, "faults")) {
    if (fact.atMs > atMs) break;
    if (on) refusedMs = fact.atMs;
    on = fact.barred === null && fact.on.includes(REFUSES);
  }
  return (on ? atMs : refusedMs) + RETRY_AFTER_MS;
}

/** How much of the span had a venue that answered: neither failing calls nor late answers count. */
export function answeredMs(history: History, needs: Needs, span: Span): number {
  const silent = [
    ...unservedOf(history, needs),
    ...needs.flatMap((need) => answersWithin(history, need)),
    { fromMs: -Infinity, toMs: unnamedRefusal(history, span.toMs) },
  ];
  return lengthOf(without([span], silent));
}

export const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

export const without = (spans: readonly Span[], gaps: readonly Span[]): readonly Span[] =>
  gaps.reduce<readonly Span[]>(
    (rest, gap) =>
      rest.flatMap(({ fromMs, toMs }) =>
        [
          { fromMs, toMs: Math.min(toMs, gap.fromMs) },
          { fromMs: Math.max(fromMs, gap.toMs), toMs },
        ].filter((part) => part.fromMs < part.toMs),
      ),
    spans,
  );

/** The instant at which the agent has been alive for `spanMs` since `fromMs`; null if the journal ends before. */
export function dueAt(
  history: History,
  needs: Needs,
  { fromMs, spanMs }: { readonly fromMs: number; readonly spanMs: number },
): number | null {
  let leftMs = spanMs;
  const late = needs.flatMap((need) => firstAnswer(history, need, fromMs));
  for (const span of without(aliveSpans(history, needs), late)) {
    const beginMs = Math.max(span.fromMs, fromMs);
    if (beginMs >= span.toMs) continue;
    if (beginMs + leftMs <= span.toMs) return beginMs + leftMs;
    leftMs -= span.toMs - beginMs;
  }
  return null;
}

/** The first instant from `atMs` on at which the agent is alive; Infinity if there is none. */
export function aliveFrom(history: History, needs: Needs, atMs: number): number {
  const span = aliveSpans(history, needs).find(({ toMs }) => toMs > atMs);
  return span ? Math.max(span.fromMs, atMs) : Infinity;
}
