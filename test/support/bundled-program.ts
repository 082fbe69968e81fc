/**
 * The programs as tests start them: bundled once for the whole run, because compiling a thousand sources at every start
 * takes two seconds of processor time, and tests start hundreds of processes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { bundlePrograms } from "../../scripts/bundle.mjs";
import { buildWeb } from "../../scripts/web.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
const VARIABLE = "BALLAST_TEST_BUNDLE";

/** Vitest calls it before the first worker starts; what it returns is called after the last has ended. */
export default async function bundleForTests(): Promise<() => void> {
  // `.ci/run` hands over what it has built a moment ago.
  if (process.env[VARIABLE] !== undefined) return () => undefined;
  const folder = path.join(ROOT, "node_modules/.ballast", String(process.pid));
  mkdirSync(folder, { recursive: true });
  await bundlePrograms(ROOT, folder);
  // Compiled ahead as by the build: a command then starts in three quarters of its processor time.
  spawnSync(process.execPath, [path.join(ROOT, "scripts/warm.mjs"), path.join(folder, "src/main")]);
  // The pages as they are now, where the program looks for them.
  await buildWeb(path.join(ROOT, "dist/web"));
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Arguments for node that start the program. */
export function programArgs(name: "ballast" | "svc"): readonly string[] {
  const folder = process.env[VARIABLE];
  if (folder === undefined)
    throw new Error(`${VARIABLE} is not set: run the tests with vitest, which bundles the programs`);
  return [path.join(folder, `src/main/${name}.cjs`)];
}
