/** Trials on worker threads. The only file that uses piscina. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { Result } from "../../core/result.ts";
import { runTrial } from "./run-trial.ts";
import type { Trial, TrialResult } from "./trial.ts";

export interface TrialPool {
  /** Resolves when a thread has run it. */
  run(trial: Trial): Promise<Result<TrialResult, string>>;
  close(): Promise<void>;
}

/**
 * The worker's file: beside this module, or where the bundle puts it. Null when run from sources, which only the main
 * thread can load.
 */
function workerFile(): string | null {
  const places = ["./worker.js", "../lab/sweep/worker.js"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? null;
}

/** When run from sources, trials run on this thread. */
export function createTrialPool(threads: number): TrialPool {
  const filename = workerFile();
  if (filename === null) return { run: oneByOne(), close: () => Promise.resolve() };
  const pool = new Piscina<Trial, Result<TrialResult, string>>({ filename, minThreads: threads, maxThreads: threads });
  return { run: (trial) => pool.run(trial), close: () => pool.destroy() };
}

function oneByOne(): TrialPool["run"] {
  let before: Promise<unknown> = Promise.resolve();
  return (trial) => {
    const ran = before.then(() => runTrial(trial));
    before = ran;
    return ran;
  };
}
