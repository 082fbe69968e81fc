/**
 * Uptime as the organiser would see it: the share of time covered by heartbeats of the decision loop. A gap longer than a
 * heartbeat's life is an outage, whether the process was dead, frozen or its loop stalled. Since the start, by UTC day, and
 * for the competition's window, with what is left before each line is crossed. Spec: 3 §8 (90 % and 95 %).
 *
 * Heartbeats carry wall time, because only that outlives a process; the gap between two heartbeats of one process is measured by its
 * monotonic clock as well. The longer of the two counts: a machine whose wall clock jumped ahead may have slept. One that
 * stepped back undoes nothing, so what was counted before moves back with it. Fault C2.
 */
import { DAY_MS, HOUR_MS, utcDay, utcDayStartMs } from "../../core/time.ts";
import { UPTIME_DISQUALIFIED_BELOW, UPTIME_PENALTY_BELOW } from "../../domain/competition.ts";

/** The rhythm of heartbeats, by the monotonic clock. An outage counts from this long after the last heartbeat. */
export const BEAT_EVERY_MS = 10_000;
/** A heartbeat vouches for this long after it; two missed heartbeats are an outage. */
const BEAT_COVERS_MS = 25_000;
/** Beyond this many the two oldest outages are merged into one of their combined length. */
export const OUTAGES_CAP = 500;
/** Less than this between wall and monotonic time is drift and slewing. */
const STEP_MIN_MS = 1_000;
const DAYS_SHOWN = 14;

/** Wall time, ms: from when a heartbeat was missing to the heartbeat that came. Older ones may be several in one. */
export interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Never changed in place. Journalled whole once an hour; a start rebuilds it from there. */
export interface UptimeCount {
  readonly firstBeatMs: number | null;
  readonly lastBeatMs: number | null;
  /** Oldest first, without overlap. */
  readonly outages: readonly Outage[];
  /** From the last heartbeat of one process to the first of the next; absent before the first restart. */
  readonly restart?: Outage;
}

/** The span that is judged. Without a start it begins with the first heartbeat. */
export interface UptimeWindow {
  readonly startMs: number | null;
  readonly lengthMs: number;
}

/** The span that uptime is measured over if no competition is configured. */
export const DEFAULT_WINDOW: UptimeWindow = { startMs: null, lengthMs: 7 * DAY_MS };

/** `ratio` is 0 to 1, of the part of that UTC day that lies between the first heartbeat and now. */
export interface DayUptime {
  readonly day: string;
  readonly ratio: number;
  readonly downMs: number;
}

/** The span that is judged. Ratios are 0 to 1; `left..` is never below zero. */
export interface WindowUptime {
  readonly startMs: number;
  readonly endMs: number;
  /** Of the part that has passed; time before our first heartbeat counts as down. */
  readonly ratio: number;
  readonly downMs: number;
  /** Outage still affordable until the window's end before each line is crossed. */
  readonly leftBefore95Ms: number;
  readonly leftBefore90Ms: number;
  /** The ratio at the window's end if the last 24 hours are typical of the rest, and if there is no further outage. */
  readonly forecast: number;
  readonly best: number;
  /** When each line is crossed for good at that rate; null where the window ends before. */
  readonly crosses95AtMs: number | null;
  readonly crosses90AtMs: number | null;
}

/** How long the last restart took, and how much of it counts: an estimate of the cost of the next one. */
export interface RestartCost {
  readonly atMs: number;
  /** From heartbeat to heartbeat. */
  readonly awayMs: number;
  readonly countedMs: number;
}

/** For the status. Ratios are 0 to 1; `ratio` is 1 before the first heartbeat. */
export interface UptimeView {
  /** The first heartbeat known; null while there is none. */
  readonly sinceMs: number | null;
  /** Since the first heartbeat. */
  readonly ratio: number;
  readonly downMs: number;
  /** The last days, oldest first; the first and the last may be partial. */
  readonly days: readonly DayUptime[];
  readonly window: WindowUptime;
  readonly restart: RestartCost | null;
}

/** Where the journal holds no heartbeat. */
export const noBeats: UptimeCount = { firstBeatMs: null, lastBeatMs: null, outages: [] };

const lengthOf = ({ fromMs, toMs }: Outage): number => toMs - fromMs;

function bounded(outages: readonly Outage[]): readonly Outage[] {
  const [first, second, ...rest] = outages;
  if (outages.length <= OUTAGES_CAP || !first || !second) return outages;
  return [{ fromMs: second.toMs - lengthOf(first) - lengthOf(second), toMs: second.toMs }, ...rest];
}

/** The same past, as dated by a clock that shows `byMs` less. */
function movedBack({ firstBeatMs, lastBeatMs, outages, restart }: UptimeCount, byMs: number): UptimeCount {
  const back = ({ fromMs, toMs }: Outage): Outage => ({ fromMs: fromMs - byMs, toMs: toMs - byMs });
  return {
    firstBeatMs: firstBeatMs === null ? null : firstBeatMs - byMs,
    lastBeatMs: lastBeatMs === null ? null : lastBeatMs - byMs,
    outages: outages.map(back),
    ...(restart ? { restart: back(restart) } : {}),
  };
}

/**
 * Counts one heartbeat at a wall time. `sinceMs` is what has passed since the last one by the monotonic clock; null for the
 * first heartbeat of a process, which cannot know.
 */
export function countBeat(known: UptimeCount, atMs: number, sinceMs: number | null = null): UptimeCount {
  const steppedMs = (known.lastBeatMs ?? atMs) + (sinceMs ?? 0) - atMs;
  // A millisecond of drift between the two clocks is not a step, and must not move outages of days ago.
  const count = steppedMs > STEP_MIN_MS ? movedBack(known, steppedMs) : known;
  const { firstBeatMs, lastBeatMs, outages } = count;
  if (firstBeatMs === null || lastBeatMs === null) return { firstBeatMs: atMs, lastBeatMs: atMs, outages: [] };
  if (atMs < lastBeatMs) return count;
  const next = {
    ...count,
    lastBeatMs: atMs,
    ...(sinceMs === null ? { restart: { fromMs: lastBeatMs, toMs: atMs } } : {}),
  };
  // How long a process ran after its last durable heartbeat is unknown, so all of the time counts.
  if (sinceMs === null) return { ...next, outages: bounded([...outages, { fromMs: lastBeatMs, toMs: atMs }]) };
  if (atMs - lastBeatMs <= BEAT_COVERS_MS) return next;
  return { ...next, outages: bounded([...outages, { fromMs: lastBeatMs + BEAT_EVERY_MS, toMs: atMs }]) };
}

/** Counts all time until then as covered: a host that leaves out ticks has run all the same. */
export const coverUntil = (known: UptimeCount, atMs: number): UptimeCount => ({
  ...known,
  firstBeatMs: known.firstBeatMs ?? atMs,
  lastBeatMs: Math.max(known.lastBeatMs ?? atMs, atMs),
});

/** True once an hour: then the `beat` row carries the whole count, so that a restart need not read every heartbeat. */
export const tallyDue = (before: UptimeCount, after: UptimeCount): boolean =>
  Math.floor((before.lastBeatMs ?? -1) / HOUR_MS) !== Math.floor((after.lastBeatMs ?? -1) / HOUR_MS);

const downBetween = (outages: readonly Outage[], fromMs: number, toMs: number): number =>
  outages.reduce((sum, outage) => sum + Math.max(0, Math.min(outage.toMs, toMs) - Math.max(outage.fromMs, fromMs)), 0);

const share = (downMs: number, spanMs: number): number => (spanMs <= 0 ? 1 : Math.max(0, 1 - downMs / spanMs));

function daysOf(outages: readonly Outage[], firstMs: number, nowMs: number): readonly DayUptime[] {
  const days: DayUptime[] = [];
  const oldest = Math.max(utcDayStartMs(firstMs), utcDayStartMs(nowMs) - (DAYS_SHOWN - 1) * DAY_MS);
  for (let dayMs = oldest; dayMs <= nowMs; dayMs += DAY_MS) {
    const fromMs = Math.max(dayMs, firstMs);
    const toMs = Math.min(dayMs + DAY_MS, nowMs);
    const downMs = downBetween(outages, fromMs, toMs);
    days.push({ day: utcDay(dayMs), ratio: share(downMs, toMs - fromMs), downMs });
  }
  return days;
}

function windowOf(count: UptimeCount, nowMs: number, window: UptimeWindow): WindowUptime {
  const firstMs = count.firstBeatMs ?? nowMs;
  const startMs = window.startMs ?? firstMs;
  const endMs = startMs + window.lengthMs;
  const reachedMs = Math.min(Math.max(nowMs, startMs), endMs);
  // An agent that starts late in the window counts as down until then.
  const lateMs = Math.max(0, Math.min(firstMs, reachedMs) - startMs);
  const downMs = lateMs + downBetween(count.outages, Math.max(startMs, firstMs), reachedMs);
  const sinceMs = Math.max(firstMs, nowMs - DAY_MS);
  const recent = share(downBetween(count.outages, sinceMs, nowMs), nowMs - sinceMs);
  const left = (line: number): number => Math.max(0, Math.round(window.lengthMs * (1 - line) - downMs));
  const crosses = (line: number): number | null => {
    const atMs = reachedMs + left(line) / (1 - recent);
    return recent < 1 && atMs < endMs ? Math.round(atMs) : null;
  };
  return {
    startMs,
    endMs,
    ratio: share(downMs, reachedMs - startMs),
    downMs,
    leftBefore95Ms: left(UPTIME_PENALTY_BELOW),
    leftBefore90Ms: left(UPTIME_DISQUALIFIED_BELOW),
    forecast: share(downMs + (endMs - reachedMs) * (1 - recent), window.lengthMs),
    best: share(downMs, window.lengthMs),
    crosses95AtMs: crosses(UPTIME_PENALTY_BELOW),
    crosses90AtMs: crosses(UPTIME_DISQUALIFIED_BELOW),
  };
}

/** The figures at an instant; an outage that has not ended counts up to it. */
export function uptimeAt(count: UptimeCount, nowMs: number, window: UptimeWindow): UptimeView {
  if (count.firstBeatMs === null)
    return { sinceMs: null, ratio: 1, downMs: 0, days: [], window: windowOf(count, nowMs, window), restart: null };
  // Before the next heartbeat a clock that was set back says nothing new.
  const counted = countBeat(count, Math.max(nowMs, count.lastBeatMs ?? nowMs), 0);
  const downMs = downBetween(counted.outages, count.firstBeatMs, nowMs);
  return {
    sinceMs: count.firstBeatMs,
    ratio: share(downMs, nowMs - count.firstBeatMs),
    downMs,
    days: daysOf(counted.outages, count.firstBeatMs, nowMs),
    window: windowOf(counted, nowMs, window),
    restart: restartCost(count.restart),
  };
}

const restartCost = (restart: Outage | undefined): RestartCost | null =>
  restart
    ? {
        atMs: restart.toMs,
        awayMs: lengthOf(restart),
        countedMs: lengthOf(restart),
      }
    : null;
