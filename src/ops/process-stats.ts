/** What the machine says of this process: memory, open files, the delay of its event loop, the size of its journal. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

/** Bytes, counts and real milliseconds. What the machine does not reveal is null. */
export interface ProcessStats {
  readonly heapUsed: number;
  /** The largest the heap may grow before the process is ended. */
  readonly heapLimit: number;
  readonly rss: number;
  /** Timers, sockets and other resources that keep the loop alive. */
  readonly handles: number;
  /** Open file descriptors; null where the machine does not list them. */
  readonly files: number | null;
  /** How late timers came since the last reading. */
  readonly loopP50Ms: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  readonly walBytes: number;
  readonly journalBytes: number;
}

const SAMPLE_MS = 20;
const NS_PER_MS = 1_000_000;

/** Starts watching the event loop. Each call of the returned function reads everything and begins the next span. */
export function watchProcess(journalFile: string): () => ProcessStats {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  // A sample holds the whole span between two timers; what is beyond their distance is the delay.
  const late = (ns: number): number => Math.max(0, Math.round((ns / NS_PER_MS - SAMPLE_MS) * 10) / 10);
  return () => {
    const { heapUsed, rss } = process.memoryUsage();
    const reported: ProcessStats = {
      heapUsed,
      heapLimit: getHeapStatistics().heap_size_limit,
      rss,
      handles: process.getActiveResourcesInfo().length,
      files: openFiles(),
      loopP50Ms: late(delay.percentile(50)),
      loopP99Ms: late(delay.percentile(99)),
      loopMaxMs: late(delay.max),
      walBytes: sizeOf(`${journalFile}-wal`),
      journalBytes: sizeOf(journalFile),
    };
    delay.reset();
    return reported;
  };
}

function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Journal, log, recording, a dozen sockets and their replacements, with room for the callers of the status endpoint. */
const OPEN_FILES_MIN = 96;

/** What is wrong with the limit of open files and sockets, with the next step; null where it suffices or the machine does not say. */
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
