/**
 * The main loop of the service: a few times a second the tape moves the market and the exchange does what is due.
 * Events due in between do not wait for the next step.
 */
import type { Clock, Stop } from "../../../core/clock.ts";
import type { Exchange } from "../../exchange/contract/api.ts";
import type { Tape } from "../../market/tape.ts";

/** The usual step, in milliseconds of the service's clock. */
export const STEP_MS = 100;
/** Steps are never faster than this in real time, however fast the clock runs. */
const REAL_STEP_MS = 20;

/** The parts that are stepped together; the tape must not have been started. */
export interface PulseOptions {
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly tape: Tape;
  /** Milliseconds between steps; default `STEP_MS`. */
  readonly stepMs?: number;
}

/** Starts the tape at once. The returned function ends steps and timers, and leaves exchange and tape unchanged. */
export function startPulse({ clock, exchange, tape, stepMs = STEP_MS }: PulseOptions): Stop {
  const now = (): number => Math.floor(clock.nowMs());
  let stopDue: Stop | null = null;
  let dueMs: number | null = null;
  const schedule = (): void => {
    const next = exchange.nextDueMs();
    if (next === null || next - now() > stepMs || (dueMs !== null && dueMs <= next)) return;
    stopDue?.();
    dueMs = next;
    stopDue = clock.after(Math.max(0, next - now()), () => {
      dueMs = null;
      exchange.advance(Math.max(next, now()));
      schedule();
    });
  };
  tape.start(exchange.market, now());
  const stopStepping = clock.every(Math.max(stepMs, REAL_STEP_MS * clock.scale), () => {
    tape.step(now());
    exchange.advance(now());
    schedule();
  });
  const stopPlanned = exchange.onPlanned(schedule);
  return () => {
    stopStepping();
    stopPlanned();
    stopDue?.();
  };
}
