/** A process that runs seeds one after the other, as `scripts/seeds.ts` hands them out. */
import { type Job, liveSeed, type SeedLine, warmUp } from "./live.ts";

/** Its report: the line of a seed (null when ready for the first), and the processor time used. */
export interface Reported {
  readonly line: SeedLine | null;
  readonly cpuSeconds: number;
}

function report(line: SeedLine | null): void {
  const { user, system } = process.cpuUsage();
  process.send?.({ line, cpuSeconds: (user + system) / 1_000_000 } satisfies Reported);
}

process.on("message", (job: Job) => {
  liveSeed(job).then(report, (error: unknown) => {
    console.error(`seed ${job.seed} (${job.kind}):`, error);
    process.exit(2);
  });
});
// Exits explicitly: the model's library keeps a real timer for each question of a killed run.
process.on("disconnect", () => process.exit(0));

await warmUp();
report(null);
