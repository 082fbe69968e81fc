/** Folders that a command line names. */
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "./result.ts";

/** What the umask leaves of it, as for a folder that the shell makes. */
export const SHARED = 0o777;
const PRIVATE = 0o700;

/**
 * With its parents, for its owner alone unless `mode` says otherwise; one that is there stays as it is. The error is for
 * people. Level by level, because Node's own recursion never ends where a folder that exists takes none, as /proc.
 */
export function makeFolder(dir: string, mode = PRIVATE): Result<void, string> {
  try {
    const inTheWay = makeLevels(path.resolve(dir), mode);
    return inTheWay === null
      ? ok(undefined)
      : err(`folder ${dir} cannot be created: ${inTheWay} is a file, not a folder; name another`);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return err(`folder ${dir} cannot be created (${code}); name one in a writable place`);
  }
}

type Found = "folder" | "file" | "nothing";

function whatIs(dir: string): Found {
  try {
    const found = statSync(dir, { throwIfNoEntry: false });
    return found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file";
  } catch (cause) {
    // One of its parents is a file: the next level says which.
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return "nothing";
    throw cause;
  }
}

/** The file where a folder should be, or null when the folder is there. */
function makeLevels(dir: string, mode: number): string | null {
  const found = whatIs(dir);
  if (found !== "nothing") return found === "file" ? dir : null;
  const inTheWay = makeLevels(path.dirname(dir), mode);
  if (inTheWay !== null) return inTheWay;
  try {
    mkdirSync(dir, { mode });
  } catch (cause) {
    // Another process may have made it in between.
    if (whatIs(dir) !== "folder") throw cause;
  }
  return null;
}
