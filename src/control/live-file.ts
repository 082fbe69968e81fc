/**
 * The hosts at which this folder has been live, beside the journal: a journal that is damaged or lost must not end the
 * protection of what the agent holds there. Faults D3, D4, D6.
 */
import path from "node:path";
import type { Log } from "../core/log.ts";
import { readSmall, writeSmall } from "../ops/small-file.ts";

/** A host, with its port if it is not the usual one. */
export interface LiveHosts {
  has(host: string): boolean;
  /** Never throws: a disk that takes no file must not stop what is live. */
  add(host: string): void;
}

export function liveFile(dataDir: string, log: Log): LiveHosts {
  const file = path.join(dataDir, "live.json");
  const hosts = (): readonly string[] => {
    const read = readSmall(file);
    return Array.isArray(read) ? read.filter((host) => typeof host === "string") : [];
  };
  return {
    has: (host) => hosts().includes(host),
    add: (host) => {
      if (hosts().includes(host)) return;
      try {
        writeSmall(file, [...hosts(), host], { synced: true });
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        log.event("warn", "live.unsaved", `${file} cannot be written (${why}): only the journal knows that it is live`);
      }
    },
  };
}
