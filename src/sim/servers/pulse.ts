/**
 * The heart of the service: a few times a second the tape moves the market and the exchange does what has fallen due.
 * What falls due in between is not left waiting for the next beat.
 */
import type { Clock, Stop } from "../../core/clock.ts";
import type { Exchange } from "../exchange/api.ts";
import type { Tape } from "../market/tape.ts";

/** The usual beat, in milliseconds of the service's clock. */
export const BEAT_MS = 100;
/** Beats come no faster than this in real time, however fast the clock runs. */
const REAL_BEAT_MS = 20;

/** The three that beat together; the tape must not have been started. */
export interface PulseGiven {
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly tape: Tape;
  /** Milliseconds between beats; `BEAT_MS` when absent. */
  readonly beatMs?: number;
}

/** Starts the tape at once. The returned stop ends beat and timers, and leaves exchange and tape as they are. */
export function startPulse({ clock, exchange, tape, beatMs = BEAT_MS }: PulseGiven): Stop {
  const now = (): number => Math.floor(clock.nowMs());
  let stopDue: Stop | null = null;
  let dueMs: number | null = null;
  const schedule = (): void => {
    const next = exchange.nextDueMs();
    if (next === null || next - now() > beatMs || (dueMs !== null && dueMs <= next)) return;
    stopDue?.();
    dueMs = next;
    stopDue = clock.after(Math.max(0, next - now()), () => {
      dueMs = null;
      exchange.advance(Math.max(next, now()));
      schedule();
    });
  };
  tape.start(exchange.market, now());
  const stopBeat = clock.every(Math.max(beatMs, REAL_BEAT_MS * clock.scale), () => {
    tape.step(now());
    exchange.advance(now());
    schedule();
  });
  const stopPlanned = exchange.onPlanned(schedule);
  return () => {
    stopBeat();
    stopPlanned();
    stopDue?.();
  };
}
