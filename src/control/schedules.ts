/**
 * What happens by the wall clock, in UTC: the model gateway's own figure is read, the day is summed up, strategies take
 * over, the closed trades are reviewed. The only file that knows node-cron. Practice clocks that run faster do not change
 * the wall.
 */
import { createTask, type ScheduledTask, schedule, validateDetailed } from "node-cron";
import type { Log } from "../core/log.ts";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";

/** A rejected `run` is logged and tried again at its next time. */
export interface Job {
  /** For the log. */
  readonly name: string;
  /** Minute, hour, day, month, weekday; UTC. */
  readonly cron: string;
  readonly run: () => Promise<void>;
  /**
   * A time that passed while the process stood still, or that the machine's clock jumped over, is made up for: only the newest, as
   * after a restart. Otherwise it is left out.
   */
  readonly late?: boolean;
}

/** Starts the jobs; the returned function ends them. A job that fails is reported and tried again at its next time. */
export function startSchedules(jobs: readonly Job[], log: Log): () => void {
  const tasks = jobs.map((job): ScheduledTask => {
    const run = async (): Promise<void> => {
      try {
        await job.run();
      } catch (cause) {
        log.event("warn", "schedule.failed", `${job.name}: ${cause instanceof Error ? cause.message : String(cause)}`);
      }
    };
    return schedule(job.cron, run, {
      timezone: "Etc/UTC",
      noOverlap: true,
      name: job.name,
      suppressMissedWarning: true,
      ...(job.late ? { missedExecutionTolerance: Infinity } : {}),
    });
  });
  return () => {
    for (const task of tasks) void task.destroy();
  };
}

/** What is wrong with a cron text, or null. */
export function cronProblem(cron: string): string | null {
  const { valid, errors } = validateDetailed(cron);
  return valid
    ? null
    : `${JSON.stringify(cron)}: ${errors.map(({ field, message }) => `${field}: ${message}`).join("; ")}`;
}

/** A week and a day, so that every weekly time falls within it. */
const LOOK_BACK_MS = 8 * DAY_MS;

/** `atMs` is the minute at which the entry was due, epoch ms. */
export interface Due<T> {
  readonly entry: T;
  readonly atMs: number;
}

/** The entry that was due last before `nowMs`, within eight days; null when none was. Ties go to the later entry. */
export function lastDue<T extends { readonly cron: string }>(entries: readonly T[], nowMs: number): Due<T> | null {
  let newest: Due<T> | null = null;
  for (const entry of entries) {
    const task = createTask(entry.cron, () => undefined, { timezone: "Etc/UTC" });
    const oldestMs = Math.max(nowMs - LOOK_BACK_MS, newest?.atMs ?? -Infinity);
    for (let atMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS; atMs >= oldestMs; atMs -= MINUTE_MS) {
      if (!task.match(new Date(atMs))) continue;
      newest = { entry, atMs };
      break;
    }
    void task.destroy();
  }
  return newest;
}
