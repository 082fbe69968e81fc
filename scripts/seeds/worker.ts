/** A process that lives through seeds, one after the other, as `scripts/seeds.ts` hands them out. */
import { type Job, liveSeed, type SeedLine, warmUp } from "./live.ts";

/** What it reports: the line of a seed, null when it is ready for the first, and what it has used of its processor. */
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
// Not by running out of work: the model's library keeps a real timer for each question of a life that was killed.
process.on("disconnect", () => process.exit(0));

await warmUp();
report(null);
