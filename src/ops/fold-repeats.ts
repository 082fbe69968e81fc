/**
 * The same refusal again and again is one line with a count: the first is written at once, the others are counted and
 * written when a span is over. The span doubles from a minute to an hour; after an hour without a repeat the refusal is
 * forgotten, and the next one counts as the first. The journal has every one of them.
 */
import type { LogEvent } from "../core/log-events.ts";
import type { LogFields, LogLevel } from "../core/log.ts";
import { HOUR_MS, isoTime, MINUTE_MS } from "../core/time.ts";
import { counted } from "../core/words.ts";

/** What may be refused or fail in the same way again and again: repeats of these warnings are one line with a count. */
const REPEATING: ReadonlySet<LogEvent> = new Set<LogEvent>([
  "budget.reconciled",
  "budget.refused",
  "decision.failed",
  "frame.refused",
  "equity.doubted",
  "limit.fired",
  "model.failed",
  "news.caught-up",
  "order.rejected",
  "preview.blocked",
  "promise.failed",
  "reconcile.failed",
  "recorder.failed",
  "schedule.failed",
  "session.refused",
  "stop.refused",
  "stream.stale",
  "venue.limited",
  "venue.retry",
]);

/** A limit that denies is doing its work, which deserves no warning. */
const DENYING: ReadonlySet<LogEvent> = new Set<LogEvent>(["order.dropped", "review.verdict"]);

/** An approval is an event of its own each time. */
const isRefusal = ({ level, evt, fields }: Line): boolean =>
  DENYING.has(evt) ? fields["verdict"] !== "approved" : REPEATING.has(evt) && (level === "warn" || level === "error");

export interface Line {
  /** Epoch ms. */
  readonly atMs: number;
  readonly level: LogLevel;
  readonly evt: LogEvent;
  readonly msg: string;
  readonly fields: LogFields;
}

interface Repeated {
  readonly spanMs: number;
  readonly sinceMs: number;
  readonly repeats: number;
  readonly last: Line;
}

/** How many different refusals are counted at a time. For a newer one, the oldest is written and forgotten. */
const KINDS_MAX = 200;

export interface RepeatFolder {
  /** What is to be written now: counts that are due, then the line itself unless it is a repeat. */
  pass(line: Line): readonly Line[];
  /** All counts, at the end of the process. */
  rest(nowMs: number): readonly Line[];
}

/** Refusals are the same when they differ only in figures and ids. */
const kindOf = ({ evt, msg, fields }: Line): string =>
  [evt, fields["symbol"] ?? fields["leg"] ?? "", msg.replace(/\S*\d\S*/g, "#")].join("|");

/** Spans are in the clock's own milliseconds, `scale` of which make a real one. */
export function foldRepeats(scale = 1): RepeatFolder {
  const known = new Map<string, Repeated>();
  let nextMs = Infinity;
  const longestMs = HOUR_MS * scale;
  const due = (nowMs: number): readonly Line[] => {
    if (nowMs < nextMs) return [];
    const reported: Line[] = [];
    for (const [kind, repeated] of known) {
      const { last, repeats, sinceMs, spanMs } = repeated;
      if (nowMs < sinceMs + spanMs) continue;
      if (repeats > 0) reported.push(folded(repeated, nowMs));
      if (repeats === 0 && spanMs >= longestMs) known.delete(kind);
      else known.set(kind, { spanMs: Math.min(2 * spanMs, longestMs), sinceMs: nowMs, repeats: 0, last });
    }
    nextMs = Math.min(...[...known.values()].map(({ sinceMs, spanMs }) => sinceMs + spanMs));
    return reported;
  };
  return {
    pass: (line) => {
      const reported = due(line.atMs);
      if (!isRefusal(line)) return [...reported, line];
      const kind = kindOf(line);
      const before = known.get(kind);
      if (before) {
        known.set(kind, { ...before, repeats: before.repeats + 1, last: line });
        return reported;
      }
      const spanMs = MINUTE_MS * scale;
      known.set(kind, { spanMs, sinceMs: line.atMs, repeats: 0, last: line });
      nextMs = Math.min(nextMs, line.atMs + spanMs);
      return [...reported, ...forgetOldest(known, line.atMs), line];
    },
    rest: (nowMs) => {
      const open = [...known.values()].filter(({ repeats }) => repeats > 0);
      known.clear();
      return open.map((repeated) => folded(repeated, nowMs));
    },
  };
}

function forgetOldest(known: Map<string, Repeated>, nowMs: number): readonly Line[] {
  const [oldest] = known;
  if (known.size <= KINDS_MAX || !oldest) return [];
  known.delete(oldest[0]);
  return oldest[1].repeats === 0 ? [] : [folded(oldest[1], nowMs)];
}

function folded({ last, repeats, sinceMs }: Repeated, nowMs: number): Line {
  const since = `${isoTime(sinceMs).slice(11, 19)}Z`;
  return {
    ...last,
    atMs: nowMs,
    msg: `${last.msg} (${counted(repeats, "more time")} since ${since})`,
    fields: { ...last.fields, repeats, since: isoTime(sinceMs) },
  };
}
