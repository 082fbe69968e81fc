/**
 * What happens by the wall clock, in UTC: the model gateway's own figure is read every five minutes, and the day is summed
 * up at its end. The only file that knows node-cron. Practice clocks that run faster do not change the wall.
 */
import { type ScheduledTask, schedule } from "node-cron";
import type { Log } from "../core/log.ts";

export interface Job {
  /** For the log. */
  readonly name: string;
  /** Minute, hour, day, month, weekday; UTC. */
  readonly cron: string;
  readonly run: () => Promise<void>;
}

/** Starts the jobs; the returned function ends them. A job that fails is told and tried again at its next time. */
export function startSchedules(jobs: readonly Job[], log: Log): () => void {
  const tasks = jobs.map((job): ScheduledTask => {
    const run = async (): Promise<void> => {
      try {
        await job.run();
      } catch (cause) {
        log.event("warn", "schedule.failed", `${job.name}: ${cause instanceof Error ? cause.message : String(cause)}`);
      }
    };
    return schedule(job.cron, run, { timezone: "Etc/UTC", noOverlap: true, name: job.name });
  });
  return () => {
    for (const task of tasks) void task.destroy();
  };
}
