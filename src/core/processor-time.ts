/**
 * Processor time of the thread that asks. Wall time says how long something took; this says how much of it the machine
 * was really working on it, which on a busy, throttled or suspended machine is far less.
 */
import { readFileSync } from "node:fs";

/** Linux: nanoseconds on a processor, nanoseconds waiting for one, turns. The kernel leaves out what a host has stolen. */
const SCHEDULER_FILE = "/proc/thread-self/schedstat";
const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;

/** From Node 23.9 on, on every system. */
const newer = process as { threadCpuUsage?: () => NodeJS.CpuUsage };

const inMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / US_PER_MS;

function fromScheduler(): number {
  return Number(readFileSync(SCHEDULER_FILE, "utf8").split(" ", 1)[0]) / NS_PER_MS;
}

/** A kernel without these figures has no such file or writes zeros into it, though loading this module has used some. */
function schedulerCounts(): boolean {
  try {
    return fromScheduler() > 0;
  } catch {
    return false;
  }
}

function choose(): () => number {
  const { threadCpuUsage } = newer;
  if (threadCpuUsage) return () => inMs(threadCpuUsage.call(process));
  // All threads together: too much, but on a machine that withholds its processors that is little as well.
  return schedulerCounts() ? fromScheduler : () => inMs(process.cpuUsage());
}

/** Milliseconds since the thread began; only differences mean anything. */
export const processorMs: () => number = choose();
