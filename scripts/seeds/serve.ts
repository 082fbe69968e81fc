/** A process that does one job after the other, as `hand-out.ts` sends them. */

/** Its report: what came of a job (null when ready for the first), and the processor time used. */
export interface Reported<Result> {
  readonly result: Result | null;
  readonly cpuSeconds: number;
}

function report<Result>(result: Result | null): void {
  const { user, system } = process.cpuUsage();
  process.send?.({ result, cpuSeconds: (user + system) / 1_000_000 } satisfies Reported<Result>);
}

/** Until its parent disconnects. A job that throws ends the process. */
export function serve<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on("message", (job: Job) => {
    work(job).then(report, (error: unknown) => {
      console.error(`${JSON.stringify(job)}:`, error);
      process.exit(2);
    });
  });
  // Exits explicitly: the model's library keeps a real timer for each question of a killed run.
  process.on("disconnect", () => process.exit(0));
  report(null);
}
