/** Shares jobs among processes: a process that has finished one gets the next, so that none waits. */
import { type ChildProcess, fork } from "node:child_process";
import { bundleWorker } from "./bundle.ts";
import type { Reported } from "./serve.ts";

export interface HandOut<Job, Result> {
  /** The source of a worker, below the root: it calls `serve`. */
  readonly worker: string;
  readonly jobs: Iterable<Job>;
  readonly workers: number;
  /** Whether errors name lines of the sources, which costs a fiftieth. */
  readonly traced: boolean;
  /** Of the engine. */
  readonly flags: readonly string[];
  /** Once false, no new job starts; default always true. `cpuSeconds`: used by all workers together. */
  readonly mayBegin?: (cpuSeconds: number) => boolean;
  readonly report: (result: Result) => void;
}

/** Resolves when all started jobs have ended. Rejects when a worker dies. */
export async function handOut<Job extends object, Result>(given: HandOut<Job, Result>): Promise<void> {
  const bundle = await bundleWorker(given.worker, given.traced);
  try {
    await handOutTo(bundle.worker, given);
  } finally {
    bundle.remove();
  }
}

async function handOutTo<Job extends object, Result>(file: string, given: HandOut<Job, Result>): Promise<void> {
  const { jobs, workers, traced, flags, mayBegin = () => true, report } = given;
  const left = jobs[Symbol.iterator]();
  const used = new Map<ChildProcess, number>();
  const next = (worker: ChildProcess): void => {
    const cpuSeconds = [...used.values()].reduce((sum, seconds) => sum + seconds, 0);
    const job = mayBegin(cpuSeconds) ? left.next() : null;
    if (job && !job.done) worker.send(job.value);
    else worker.disconnect();
  };
  const working = Array.from({ length: workers }, () => {
    const worker = fork(file, { execArgv: [...(traced ? ["--enable-source-maps"] : []), ...flags] });
    worker.on("message", ({ result, cpuSeconds }: Reported<Result>) => {
      used.set(worker, cpuSeconds);
      if (result !== null) report(result);
      next(worker);
    });
    return new Promise<void>((resolve, reject) => {
      worker.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    });
  });
  await Promise.all(working);
}
