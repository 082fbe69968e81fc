/** What outlives a process of one lane: its windows by wall time, because the next process has another monotonic clock. */
import { fieldOf, isRecord } from "../core/record.ts";
import { forget, type Lane } from "./lane.ts";
import { type Learned, spacingAt } from "./learned-spacing.ts";

/** All times are wall times. */
export interface LaneState {
  /** The requests that still count. */
  readonly at: readonly number[];
  readonly pausedUntilMs: number;
  /** Remainder of the pause at the snapshot; after a restore the pause lasts no longer than this. */
  readonly pausedForMs?: number;
  readonly learned?: Learned;
}

const finite = (value: unknown): boolean => Number.isFinite(value);

function isLaneState(value: unknown): boolean {
  const [at, left, learned] = [fieldOf(value, "at"), fieldOf(value, "pausedForMs"), fieldOf(value, "learned")];
  const times = Array.isArray(at) && at.every(finite) && finite(fieldOf(value, "pausedUntilMs"));
  const spacing = learned === undefined || (finite(fieldOf(learned, "spacingMs")) && finite(fieldOf(learned, "atMs")));
  return times && spacing && (left === undefined || finite(left));
}

/** Whether a stored value is the state of lanes, by key. */
export const areLaneStates = (value: unknown): value is Readonly<Record<string, LaneState>> =>
  isRecord(value) && Object.values(value).every(isLaneState);

/** Null for a lane that holds nothing back. */
export function keptOf(lane: Lane, now: number, wall: (monotonicMs: number) => number): LaneState | null {
  forget(lane, now);
  const paused = lane.pausedUntil > now;
  const { learned } = lane;
  const kept = learned && spacingAt(learned, lane.limit, now) > 0 ? { ...learned, atMs: wall(learned.atMs) } : null;
  if (lane.at.length === 0 && !paused && !kept) return null;
  const at = lane.at.map((entry) => Math.ceil(wall(entry.ms)));
  const pausedUntilMs = paused ? Math.ceil(wall(lane.pausedUntil)) : 0;
  const left = paused ? { pausedForMs: Math.ceil(lane.pausedUntil - now) } : {};
  return { at, pausedUntilMs, ...left, ...(kept && { learned: kept }) };
}

/** Adds to what the lane has learned since its own start. Times in the future count as now. */
export function restoreLane(lane: Lane, saved: LaneState, now: number, mono: (wallMs: number) => number): void {
  lane.at = [...saved.at.map((wallMs) => ({ ms: Math.min(now, mono(wallMs)) })), ...lane.at];
  if (saved.learned) lane.learned = { ...saved.learned, atMs: Math.min(now, mono(saved.learned.atMs)) };
  const latest = now + (saved.pausedForMs ?? Infinity);
  if (saved.pausedUntilMs > 0)
    lane.pausedUntil = Math.max(lane.pausedUntil, Math.min(latest, mono(saved.pausedUntilMs)));
}
