/**
 * The way down: every part is ended, in order, whatever another one throws, and all of it within a time that a container's
 * stop allows. What does not come to an end by then is left where it is; the next start recovers from there. Fault P3.
 */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { EXIT } from "../ops/exit-codes.ts";

/** `docker stop` kills after ten seconds. */
const DOWN_WITHIN_MS = 8_500;

/** It may throw and it may take its time, within the time of the whole. */
export interface Step {
  /** What it ends, for the log. */
  readonly name: string;
  end(): void | Promise<unknown>;
}

/** The clock must be the machine's: no container waits in practice time. */
export interface WayDown {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** True when every step came to its end without a throw. */
export async function comeDown(steps: readonly Step[], { clock, log, exit }: WayDown): Promise<boolean> {
  let at = "";
  const giveUp = clock.after(DOWN_WITHIN_MS, () => {
    log.event(
      "error",
      "agent.failed",
      `${at} did not end within ${DOWN_WITHIN_MS / 1_000} s; the process ends without it`,
      {
        exitCode: EXIT.failed,
      },
    );
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
      log.event("error", "agent.failed", `${name} did not end as it should: ${why}`);
    }
  }
  giveUp();
  return clean;
}
