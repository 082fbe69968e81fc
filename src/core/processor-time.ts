/**
 * Processor time of the calling thread. Unlike wall time it excludes waiting, so on a busy, throttled or suspended machine it
 * is far less.
 */
import { openSync, readSync } from "node:fs";

/** Linux: nanoseconds on a processor, nanoseconds waiting for one, time slices. The kernel excludes stolen time. */
const SCHEDULER_FILE = "/proc/thread-self/schedstat";
const LINE_BYTES_MAX = 128;
const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;

/** From Node 23.9 on, on every system. */
const newer = process as { threadCpuUsage?: () => NodeJS.CpuUsage };

const inMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / US_PER_MS;

/**
 * Null on a kernel without these figures: it has no such file, or writes zeros though loading this module has used some.
 * The file stays open as long as the thread, so that a reading opens nothing.
 */
function openScheduler(): (() => number) | null {
  try {
    const file = openSync(SCHEDULER_FILE, "r");
    const line = Buffer.alloc(LINE_BYTES_MAX);
    const read = (): number =>
      Number(line.toString("latin1", 0, readSync(file, line, 0, line.length, 0)).split(" ", 1)[0]);
    return read() > 0 ? () => read() / NS_PER_MS : null;
  } catch {
    return null;
  }
}

function choose(): () => number {
  const { threadCpuUsage } = newer;
  if (threadCpuUsage) return () => inMs(threadCpuUsage.call(process));
  // Sums all threads, which is too much, but on a machine short of processor time it is small as well.
  return openScheduler() ?? (() => inMs(process.cpuUsage()));
}

/** Milliseconds since the thread began; only differences mean anything. */
export const processorMs: () => number = choose();
