/**
 * Watches one connection: sends heartbeats, and notices silence and freezes. After a freeze of the process the
 * connection cannot be trusted. Faults P5, P6.
 */
import type { Clock, Stop } from "../core/clock.ts";

const FROZEN_MS = 30_000;
const CHECK_MS = 1_000;

/** `stepMs` is the step of a simulated network, 0 for a real one: silence is not measured more finely. */
export interface WatchPace {
  readonly silenceMs: number;
  readonly pingEveryMs: number;
  readonly stepMs: number;
}

export interface WatchEvents {
  /** Monotonic time of the last message. */
  lastHeardMs(): number;
  ping(): void;
  /** The process or its clock jumped by this much. */
  jumped(ms: number): void;
  silent(silentMs: number): void;
}

/** Watches until it is stopped. */
export function watchConnection(clock: Clock, { silenceMs, pingEveryMs, stepMs }: WatchPace, on: WatchEvents): Stop {
  let before = { wall: clock.nowMs(), mono: clock.monotonicMs() };
  const stopCheck = clock.every(Math.min(Math.max(CHECK_MS, stepMs), silenceMs / 4), () => {
    const now = { wall: clock.nowMs(), mono: clock.monotonicMs() };
    const sinceMs = Math.max(Math.abs(now.wall - before.wall), now.mono - before.mono);
    const silentMs = Math.round(now.mono - on.lastHeardMs());
    if (sinceMs > FROZEN_MS * clock.scale) on.jumped(Math.round(sinceMs));
    else if (silentMs > silenceMs) on.silent(silentMs);
    before = now;
  });
  const stopPing = clock.every(pingEveryMs, () => on.ping());
  return () => {
    stopCheck();
    stopPing();
  };
}
