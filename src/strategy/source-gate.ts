/**
 * Validates a source's points: malformed or too many points, and points with an impossible time, are refused and counted; only
 * plain, bounded values pass. Pure; the time is an argument.
 */
import { type FactPoint, type FactValue, POINTS_KEPT } from "../context/facts.ts";
import { oneLine } from "../core/safe-text.ts";
import { formatSpan, isoTime, MINUTE_MS } from "../core/time.ts";

const VALUES_MAX = 16;
const TEXT_CHARS_MAX = 200;
const VALUE_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/;
/** Points in one report. */
const POINTS_MAX = 10_000;
/** Reports in a minute. */
const REPORTS_MAX = 120;
/** A source's clock may be this far ahead of ours. */
const AHEAD_MS_MAX = 5_000;
/** No useful point is older; a time in seconds would be. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** Why a point or report was refused. `future`: its time has not come; `flood`: too much at once or too often. */
export type PointRefusalKind = "malformed" | "future" | "flood";

export interface PointRefusal {
  readonly kind: PointRefusalKind;
  readonly reason: string;
}

/** Counts of passed and refused points since the start. */
export type GateCounts = { readonly taken: number } & Readonly<Record<PointRefusalKind, number>>;

/** Points that passed, rising in time and newer than all before; and the first refusal of each kind in this report. */
export interface Passed {
  readonly points: readonly FactPoint[];
  readonly refusals: readonly PointRefusal[];
}

/** One gate per source. Points with a known time are skipped silently, because a text repeats old points. */
export class SourceGate {
  #newestMs = -Infinity;
  #minute = -1;
  #reports = 0;
  #counts = { taken: 0, malformed: 0, future: 0, flood: 0 };

  pass(reported: unknown, nowMs: number): Passed {
    const refusals = new Map<PointRefusalKind, string>();
    const refuse = (kind: PointRefusalKind, reason: string): void => {
      this.#counts[kind] += 1;
      if (!refusals.has(kind)) refusals.set(kind, reason);
    };
    const points = this.#sound(reported, nowMs, refuse);
    const rising = points.sort((a, b) => a.atMs - b.atMs).filter(({ atMs }, at) => atMs !== points[at - 1]?.atMs);
    const passed = rising.slice(-POINTS_KEPT);
    this.#newestMs = passed.at(-1)?.atMs ?? this.#newestMs;
    this.#counts.taken += passed.length;
    return { points: passed, refusals: [...refusals].map(([kind, reason]) => ({ kind, reason })) };
  }

  counts(): GateCounts {
    return { ...this.#counts };
  }

  #sound(reported: unknown, nowMs: number, refuse: (kind: PointRefusalKind, reason: string) => void): FactPoint[] {
    const fault = this.#tooMuch(reported, nowMs);
    if (fault) {
      refuse(fault.kind, fault.reason);
      return [];
    }
    const points: FactPoint[] = [];
    for (const each of reported as readonly unknown[]) {
      const point = pointOf(each);
      if (typeof point === "string") refuse("malformed", point);
      else if (point.atMs > nowMs + AHEAD_MS_MAX)
        refuse("future", `a point of ${isoTime(point.atMs)} lies ${formatSpan(Math.round(point.atMs - nowMs))} ahead`);
      else if (point.atMs > this.#newestMs) points.push(point);
    }
    return points;
  }

  #tooMuch(reported: unknown, nowMs: number): PointRefusal | null {
    const minute = Math.floor(nowMs / MINUTE_MS);
    this.#reports = minute === this.#minute ? this.#reports + 1 : 1;
    this.#minute = minute;
    if (this.#reports > REPORTS_MAX) return { kind: "flood", reason: `more than ${REPORTS_MAX} reports in a minute` };
    if (!Array.isArray(reported)) return { kind: "malformed", reason: "its report is not a list of points" };
    return reported.length > POINTS_MAX
      ? { kind: "flood", reason: `${reported.length} points at once, at most ${POINTS_MAX}` }
      : null;
  }
}

/** What is wrong with a point, regardless of the time; null if nothing is. */
export function pointProblem(found: unknown): string | null {
  const point = pointOf(found);
  return typeof point === "string" ? point : null;
}

/** The point as plain data, or its error. */
function pointOf(found: unknown): FactPoint | string {
  const { atMs, values } = (found ?? {}) as { readonly atMs?: unknown; readonly values?: unknown };
  if (typeof atMs !== "number" || !Number.isFinite(atMs)) return "a point without atMs, epoch milliseconds";
  if (atMs < EARLIEST_MS) return `a point of ${Math.trunc(atMs)}: atMs is epoch milliseconds, not seconds`;
  if (typeof values !== "object" || values === null || Array.isArray(values)) return "a point without values";
  const entries = Object.entries(values as Readonly<Record<string, unknown>>);
  if (entries.length === 0 || entries.length > VALUES_MAX)
    return `a point of ${entries.length} values; 1 to ${VALUES_MAX} are allowed`;
  const plain: [string, FactValue][] = [];
  for (const [name, value] of entries) {
    if (!VALUE_NAME.test(name))
      return `a value named ${JSON.stringify(oneLine(name).slice(0, 40))}: letters and digits`;
    if (typeof value === "number" && Number.isFinite(value)) plain.push([name, value]);
    else if (typeof value === "string" && value.length <= TEXT_CHARS_MAX) plain.push([name, oneLine(value)]);
    else return `${name} is neither a finite number nor a text of at most ${TEXT_CHARS_MAX} characters`;
  }
  return { atMs, values: Object.freeze(Object.fromEntries(plain)) };
}
