/** Where the program's own texts lie, found from this module, so that it runs from any folder. */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The package root: two folders up from the sources, three from `dist/`. */
function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 6; up++) {
    if (existsSync(path.join(folder, "prompts")) && existsSync(path.join(folder, "package.json"))) return folder;
    folder = path.dirname(folder);
  }
  return process.cwd();
}

/** The nearest folder above that holds prompts/ and package.json; the working folder where none does. */
export const PACKAGE_ROOT = packageRoot();
/** The texts as installed; the boot row has their hashes. */
export const PROMPTS_DIR = path.join(PACKAGE_ROOT, "prompts");

/**
 * The owner's own files, beside the program's: `strategies/*.ts`, `sources/*.ts`, `prompts/*.md`. BALLAST_OWN_DIR names the folder; else it
 * is `own` in the folder where the program is started. It need not exist.
 */
export const OWN_DIR = path.resolve(process.env["BALLAST_OWN_DIR"] || "own");
export const OWN_STRATEGIES_DIR = path.join(OWN_DIR, "strategies");
export const OWN_SOURCES_DIR = path.join(OWN_DIR, "sources");
export const OWN_PROMPTS_DIR = path.join(OWN_DIR, "prompts");

/** Each venue has its own folder: the past of one market says nothing about another. */
export const recordingDir = (dataDir: string, restUrl: string | null): string =>
  path.join(
    dataDir,
    "recording",
    restUrl === null ? "practice" : new URL(restUrl).host.replace(/[^A-Za-z0-9.-]/g, "_"),
  );
