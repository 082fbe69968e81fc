/** Small JSON files in the data folder that a crash leaves whole: the old content or the new one, never a part. */
import {
  closeSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
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

/** Null unless root writes: what any other user makes is their own already. */
const ownerAs = (folder: string): { readonly uid: number; readonly gid: number } | null =>
  process.geteuid?.() === 0 ? statSync(folder) : null;

/**
 * Leaves a file for whoever owns the folder, whole or not at all. What root leaves belongs to that user too, who could neither
 * read nor replace it otherwise. A link in the place of the draft is not followed. Throws as the disk does.
 */
export function leaveSmall(file: string, content: unknown): void {
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, JSON.stringify(content));
    const owner = ownerAs(path.dirname(file));
    if (owner) fchownSync(handle, owner.uid, owner.gid);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}

/** The folder in which such files are left; it belongs to the owner of the folder above it. */
export function leaveFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return;
  const owner = ownerAs(path.dirname(folder));
  if (owner) lchownSync(folder, owner.uid, owner.gid);
}
