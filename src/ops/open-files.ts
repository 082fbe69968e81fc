/** How many files and sockets the machine lets this process have open. */
import { readFileSync } from "node:fs";

/** Journal, log, recording, a dozen sockets and their replacements, with room for the callers of the status endpoint. */
const OPEN_FILES_MIN = 96;

/** What is wrong with the limit, with the next step; null where it suffices or the machine does not say. */
export function openFilesProblem(limits: string | null = readLimits()): string | null {
  const soft = /^Max open files\s+(\d+)/m.exec(limits ?? "")?.[1];
  if (soft === undefined || Number(soft) >= OPEN_FILES_MIN) return null;
  return `this process may open ${soft} files and sockets, and needs ${OPEN_FILES_MIN}: raise the limit (ulimit -n 1024) and start again`;
}

function readLimits(): string | null {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return null;
  }
}
