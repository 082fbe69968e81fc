/** Folders that a command line names. */
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../core/result.ts";

/**
 * With its parents, for its owner alone; one that is there stays as it is. The error is for people. Level by level,
 * because Node's own recursion never ends where a folder that exists takes none, as /proc.
 */
export function makeFolder(dir: string): Result<void, string> {
  try {
    makeLevels(path.resolve(dir));
    return ok(undefined);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return err(`folder ${dir} cannot be created (${code}); name one in a writable place`);
  }
}

const isFolder = (dir: string): boolean => statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;

function makeLevels(dir: string): void {
  if (isFolder(dir)) return;
  makeLevels(path.dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (cause) {
    // Another process may have made it in between.
    if (!isFolder(dir)) throw cause;
  }
}
