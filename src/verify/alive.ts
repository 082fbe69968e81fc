/** When the agent could act: ready, running, and with a venue that answers. Deadlines count only such time. */
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import { factsOf } from "./venue-view.ts";

/** Faults under which the venue cannot be reached or read correctly. */
const CUT_OFF: ReadonlySet<string> = new Set([
  "maintenance",
  "freeze",
  "half-open",
  "key-revoked",
  "server-error",
  "stalled-body",
  "html-body",
  "cut-json",
  "schema-drift",
  "drop-before-apply",
  "drop-after-apply",
  "rest-delay",
  "rate-limit-burst",
  "read-lag",
  "clock-skew",
]);

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const kept = new WeakMap<History, readonly Span[]>();

/** Spans in which the agent was ready and nothing cut it off, oldest first. */
export function aliveSpans(history: History): readonly Span[] {
  const known = kept.get(history);
  if (known) return known;
  const running = journalView(history).boots.flatMap(({ ready, last }) =>
    ready ? [{ fromMs: ready.atMs, toMs: last.atMs }] : [],
  );
  const made = without(without(running, silences(history)), outages(history));
  kept.set(history, made);
  return made;
}

/** A running agent writes a heartbeat at least this often. */
export const BEAT_EVERY_MS = 10_000;
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

function outages(history: History): readonly Span[] {
  const spans: Span[] = [];
  let sinceMs: number | null = null;
  for (const { atMs, on } of factsOf(history, "faults")) {
    const cut = on.some((name) => CUT_OFF.has(name));
    if (cut) sinceMs ??= atMs;
    else if (sinceMs !== null) {
      spans.push({ fromMs: sinceMs, toMs: atMs });
      sinceMs = null;
    }
  }
  return sinceMs === null ? spans : [...spans, { fromMs: sinceMs, toMs: Infinity }];
}

/** Whether the venue was cut off at any time of the span. */
export const cutOffWithin = (history: History, fromMs: number, toMs: number): boolean =>
  outages(history).some((span) => span.fromMs < toMs && span.toMs > fromMs);

/** A rate-limit refusal names the time of the next request, and the venue answers nothing before. Fault R6. */
const RETRY_AFTER_MS = 20_000;
const REFUSES = "rate-limit-burst";

/** The time from which the venue must answer an agent that it refused before `atMs`; -Infinity without a refusal. */
export function answersFrom(history: History, atMs: number): number {
  let refusedMs = -Infinity;
  let on = false;
  for (const fact of factsOf(history, "faults")) {
    if (fact.atMs > atMs) break;
    if (on) refusedMs = fact.atMs;
    on = fact.on.includes(REFUSES);
  }
  return (on ? atMs : refusedMs) + RETRY_AFTER_MS;
}

const without = (spans: readonly Span[], gaps: readonly Span[]): readonly Span[] =>
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
export function dueAt(history: History, fromMs: number, spanMs: number): number | null {
  let leftMs = spanMs;
  for (const span of aliveSpans(history)) {
    const beginMs = Math.max(span.fromMs, fromMs);
    if (beginMs >= span.toMs) continue;
    if (beginMs + leftMs <= span.toMs) return beginMs + leftMs;
    leftMs -= span.toMs - beginMs;
  }
  return null;
}

/** The first instant from `atMs` on at which the agent is alive; Infinity if there is none. */
export function aliveFrom(history: History, atMs: number): number {
  const span = aliveSpans(history).find(({ toMs }) => toMs > atMs);
  return span ? Math.max(span.fromMs, atMs) : Infinity;
}
