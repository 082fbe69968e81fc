// Notices saved files by looking at their folders: events of the file system miss files that are renamed into place, new
// folders, and mounts that send none.
import { readdirSync, statSync } from "node:fs";
import path from "node:path";

/** What differs between two saved states of a file, by its path. Folders that do not exist have no files. */
function statesOf(folders) {
  const states = new Map();
  const note = (folder) => {
    for (const entry of entriesOf(folder)) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) note(file);
      else states.set(file, stateOf(file));
    }
  };
  folders.forEach(note);
  return states;
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function stateOf(file) {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return "";
  }
}

const changedBetween = (before, after) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

/**
 * Calls `saved` with the paths of changed, new and removed files, once two looks in a row have found them alike, so that no
 * file is read while it is being written.
 */
export function onSave(folders, everyMs, saved) {
  let known = statesOf(folders);
  let last = known;
  setInterval(() => {
    const found = statesOf(folders);
    const settled = changedBetween(last, found).length === 0;
    last = found;
    const changed = settled ? changedBetween(known, found) : [];
    if (changed.length === 0) return;
    known = found;
    saved(changed);
  }, everyMs);
}
