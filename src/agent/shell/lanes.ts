/** Each kind of write waits in its own lane, because each has its own limit: a waiting stop holds up no exit. */
import PQueue from "p-queue";
import { filling, type Gauge } from "../../core/bounded.ts";
import type { Link, Untimed } from "./parts.ts";

/** How many of a lane may be on their way at once. */
const WIDTHS = {
  opening: 1,
  reducing: 4,
  closing: 4,
  replacing: 1,
  cancelling: 1,
  protecting: 1,
  amending: 1,
  clearing: 1,
  setting: 4,
  reading: 4,
} as const;
/** One for each kind of write; `reading` takes all reads. */
export type LaneName = keyof typeof WIDTHS;

/**
 * More should never wait, but nothing is dropped beyond it: a reply to a dropped request would be awaited in vain. Each
 * order, position and list has one read or write in flight at a time, so lanes are bounded by what the agent holds.
 */
const LANE_CAP = 200;

export interface Lanes {
  /** The work when its turn has come, higher priorities first; its result is fed to the loop. */
  run(name: LaneName, priority: number, work: () => Promise<Untimed | null>): void;
  gauges(): readonly Gauge[];
  /**
   * Resolves once no write waits or is in flight, including writes that replies to others caused. Reads change nothing
   * at the venue, and the next start repeats them.
   */
  idle(): Promise<void>;
  clear(): void;
}

/** Once `closed`, waiting work is not begun and no event is fed. Exceptions go to `onFatal`. */
export function createLanes({ feed, closed }: Link, onFatal: (cause: unknown) => void): Lanes {
  const lanes = new Map(Object.entries(WIDTHS).map(([name, concurrency]) => [name, new PQueue({ concurrency })]));
  const writes = new Set<Promise<void>>();
  return {
    run: (name, priority, work) => {
      const reported = lanes
        .get(name)
        ?.add(async () => (closed() ? null : work()), { priority })
        .then((event) => (event && !closed() ? feed(event) : undefined))
        .catch(onFatal);
      if (!reported || name === "reading") return;
      writes.add(reported);
      void reported.finally(() => writes.delete(reported));
    },
    gauges: () => [...lanes].map(([name, lane]) => filling(`loop.${name}`, lane.size, LANE_CAP)),
    idle: async () => {
      while (writes.size > 0) await Promise.all(writes);
    },
    clear: () => {
      for (const lane of lanes.values()) lane.clear();
    },
  };
}
