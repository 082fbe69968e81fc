/**
 * The shutdown: every part is closed, in order, even if another throws, within the time that a container's stop allows.
 * A part that has not finished by then is abandoned; the next start recovers. Fault P3.
 */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { EXIT } from "../ops/exit-codes.ts";

/** `docker stop` kills after ten seconds. */
const DOWN_WITHIN_MS = 8_500;

/** It may throw and may take long, within the total time. */
export interface ShutdownStep {
  /** The part it closes, for the log. */
  readonly name: string;
  end(): void | Promise<unknown>;
}

/** The clock must be the machine's: no container waits for practice time. */
export interface ShutdownOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** True if every step finished without throwing. */
export async function shutDown(
  steps: readonly ShutdownStep[],
  { clock, log, exit }: ShutdownOptions,
): Promise<boolean> {
  let at = "";
  const giveUp = clock.after(DOWN_WITHIN_MS, () => {
    log.event("error", "agent.failed", `${at} did not stop within ${DOWN_WITHIN_MS / 1_000} s; exiting without it`, {
      exitCode: EXIT.failed,
    });
    exit(EXIT.failed);
  });
  let clean = true;
  for (const { name, end } of steps) {
    at = name;
    try {
      await end();
    } catch (cause) {
      clean = false;
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      log.event("error", "agent.failed", `${name} did not stop cleanly: ${why}`);
    }
  }
  giveUp();
  return clean;
}
