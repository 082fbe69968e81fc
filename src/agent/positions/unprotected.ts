/**
 * How long positions were without a stop at the venue: the last spans, their longest and median, against the deadline.
 */
import { BoundedList, filling, type Gauge } from "../../core/bounded.ts";

const SPANS_KEPT = 200;

/** For the status. A span ends when a stop is seen live, or with its position; the median is the lower middle one. */
export interface UnprotectedView {
  /** A position without a stop for this long is closed. */
  readonly deadlineMs: number;
  /** Finished spans, the last 200, including those of earlier runs. */
  readonly spans: number;
  readonly medianMs: number | null;
  readonly longestMs: number | null;
  /** How many of them exceeded the deadline. */
  readonly overdue: number;
  /** The longest span still running; null when every position is protected. */
  readonly nowMs: number | null;
}

/** Finished spans, the last 200, in ms; `lasting` holds the lengths of running ones. */
export interface UnprotectedSpans {
  ended(ms: number): void;
  gauge(): Gauge;
  view(deadlineMs: number, lasting: readonly number[]): UnprotectedView;
}

/** `restored`: finished spans of earlier runs, ms, oldest first. */
export function createUnprotectedSpans(restored: readonly number[]): UnprotectedSpans {
  const kept = new BoundedList<number>(SPANS_KEPT);
  for (const ms of restored) kept.push(ms);
  return {
    ended: (ms) => kept.push(ms),
    gauge: () => filling("agent.unprotectedSpans", kept.size, kept.cap),
    view: (deadlineMs, lasting) => {
      const sorted = [...kept.items()].sort((a, b) => a - b);
      return {
        deadlineMs,
        spans: sorted.length,
        medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? null,
        longestMs: sorted.at(-1) ?? null,
        overdue: sorted.filter((ms) => ms > deadlineMs).length,
        nowMs: lasting.length === 0 ? null : Math.max(...lasting),
      };
    },
  };
}
