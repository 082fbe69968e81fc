/** Small JSON files in the data folder that a crash leaves whole: the old content or the new one, never a part. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** The content, or null when none can be read. */
export function readSmall(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** Replaces the file. `synced` also outlives a power cut; without it, it outlives the process. Throws as the disk does. */
export function writeSmall(file: string, content: unknown, { synced }: { readonly synced: boolean }): void {
  const draft = `${file}.new`;
  const handle = openSync(draft, "w", 0o600);
  try {
    writeSync(handle, JSON.stringify(content));
    if (synced) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  if (!synced) return;
  // The new name itself is safe only when the folder is.
  const folder = openSync(path.dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
