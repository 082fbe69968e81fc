/**
 * A worker with the agent, the service and the strategies, bundled into a few files once for all workers: each of them
 * would spend four seconds on reading and compiling a thousand sources.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { BUNDLE } from "../bundle.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
/** Below the libraries, which the bundle does not contain in full; the tests keep theirs here too. */
const PARENT = path.join(ROOT, "node_modules/.ballast");

export interface WorkerBundle {
  readonly worker: string;
  remove(): void;
}

/** `source`: its file below the root. `traced`: errors name lines of the sources. Remove it when no worker runs any more. */
export async function bundleWorker(source: string, traced: boolean): Promise<WorkerBundle> {
  mkdirSync(PARENT, { recursive: true });
  const folder = mkdtempSync(path.join(PARENT, "seeds-"));
  const strategies = readdirSync(path.join(ROOT, "strategies")).filter((file) => file.endsWith(".ts"));
  await build({
    ...BUNDLE,
    absWorkingDir: ROOT,
    outdir: folder,
    // Strategies are found two folders above any part of the program.
    entryPoints: [
      { in: source, out: "src/seeds/worker" },
      ...strategies.map((file) => ({ in: `strategies/${file}`, out: `strategies/${file.slice(0, -3)}` })),
    ],
    chunkNames: "src/seeds/part-[hash]",
    sourcemap: traced ? "inline" : false,
  });
  return {
    worker: path.join(folder, "src/seeds/worker.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
