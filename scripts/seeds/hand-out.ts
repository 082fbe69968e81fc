/** Shares seeds among processes: a process that has finished one gets the next, so that none waits. */
import { type ChildProcess, fork } from "node:child_process";
import { bundleWorker } from "./bundle.ts";
import type { Job, SeedLine } from "./live.ts";
import type { Reported } from "./worker.ts";

export interface HandOut {
  readonly jobs: readonly Job[];
  readonly workers: number;
  /** Whether errors name lines of the sources, which costs a fiftieth. */
  readonly traced: boolean;
  /** Once false, no new seed starts. `cpuSeconds`: used by all workers together. */
  readonly mayBegin: (cpuSeconds: number) => boolean;
  readonly report: (line: SeedLine) => void;
}

/**
 * A seed runs much code only a few times, so compiling it simply at once costs less than interpreting it, and only code
 * used unusually often is worth optimising; its objects are short-lived, so a larger young generation helps, and code
 * that rested for a while is needed again. Together a fifth over seventy seeds. The engine of Node 22 no longer has the
 * budget, and refuses to start with it.
 */
const FLAGS = [
  ...["--always-sparkplug", ...(Number.parseInt(process.versions.v8) < 12 ? ["--interrupt-budget=400000"] : [])],
  ...["--min-semi-space-size=64", "--max-semi-space-size=64", "--no-flush-bytecode"],
];

/** Resolves when all started seeds have ended. Rejects when a worker dies. */
export async function handOut(given: HandOut): Promise<void> {
  const bundle = await bundleWorker(given.traced);
  try {
    await handOutTo(bundle.worker, given);
  } finally {
    bundle.remove();
  }
}

async function handOutTo(file: string, { jobs, workers, traced, mayBegin, report }: HandOut): Promise<void> {
  const left = jobs[Symbol.iterator]();
  const used = new Map<ChildProcess, number>();
  const next = (worker: ChildProcess): void => {
    const cpuSeconds = [...used.values()].reduce((sum, seconds) => sum + seconds, 0);
    const job = mayBegin(cpuSeconds) ? left.next() : null;
    if (job && !job.done) worker.send(job.value);
    else worker.disconnect();
  };
  const working = Array.from({ length: Math.min(workers, jobs.length) }, () => {
    const worker = fork(file, { execArgv: [...(traced ? ["--enable-source-maps"] : []), ...FLAGS] });
    worker.on("message", ({ line, cpuSeconds }: Reported) => {
      used.set(worker, cpuSeconds);
      if (line) report(line);
      next(worker);
    });
    return new Promise<void>((resolve, reject) => {
      worker.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    });
  });
  await Promise.all(working);
}
