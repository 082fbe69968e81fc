/** The data folder is its owner's alone: others may not read it, and none of its files may link elsewhere. */
import { accessSync, chmodSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../core/result.ts";

const OTHERS = 0o077;

/**
 * Takes the rights of others away; true where it did. Refused where that is not possible, where nothing can be written, and where a file of the folder is
 * a symbolic link: whoever made it could have the journal, a lock or a state file written somewhere else. A linked folder,
 * such as a recording on another disk, may stay.
 */
export function makePrivate(dir: string): Result<{ readonly tightened: boolean }, string> {
  const linked = readdirSync(dir).find((name) => isLinkedFile(path.join(dir, name)));
  if (linked !== undefined)
    return err(`${path.join(dir, linked)} is a symbolic link: replace it with the file itself, or remove the link`);
  try {
    accessSync(dir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = codeOf(cause);
    return err(
      `nothing can be written to ${dir} (${code}): make it writable for the user that runs this, or name another folder`,
    );
  }
  const { mode } = statSync(dir);
  if (process.platform === "win32" || (mode & OTHERS) === 0) return ok({ tightened: false });
  try {
    chmodSync(dir, mode & ~OTHERS & 0o7777);
    return ok({ tightened: true });
  } catch (cause) {
    return err(
      `other users may read ${dir}, and its permissions cannot be changed (${codeOf(cause)}): run chmod 700 on it, or name another folder`,
    );
  }
}

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause);

function isLinkedFile(file: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  return !(statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
