/**
 * What a process on a real machine can report about itself for the verifier: see `beat-facts.ts`. Nothing here is
 * secret.
 */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type NetEnv, networkOf } from "../net/network.ts";
import type { StatusRequests } from "../faces/status/request-counts.ts";
import type { BeatSources } from "./beat-facts.ts";
import { notePeers } from "../ops/peers.ts";
import { openedFiles } from "./opened-files.ts";
import type { VenueAccess } from "./venue-access.ts";
import { watchProcess } from "../ops/process-stats.ts";
import type { BootFacts } from "../rows/boot.ts";

/** `sources` are for the heartbeats. */
export interface ProcessTelemetry {
  /** The environment whose network use is observed. */
  readonly env: NetEnv;
  readonly sources: Omit<BeatSources, "gauges">;
  /** For the boot row. */
  readonly bootFacts: BootFacts;
}

/** Addresses that this run may contact. */
type Addresses = Pick<VenueAccess, "restUrl" | "marketWsUrl" | "userWsUrl" | "feedsWsUrl" | "aiUrl">;

export interface TelemetryParts {
  readonly env: NetEnv;
  readonly access: Addresses;
  readonly dataDir: string;
  readonly journalFile: string;
  readonly promptsDir: string;
  readonly requests: StatusRequests;
  /** Real time of the process start, epoch ms. */
  readonly sinceMs: number;
}

/** Sees only the traffic of the environment that it returns. */
export function telemetryOf(parts: TelemetryParts): ProcessTelemetry {
  const { env, access, dataDir, journalFile, promptsDir, requests, sinceMs } = parts;
  const peers = notePeers();
  return {
    env: { ...env, network: peers.over(networkOf(env)) },
    sources: {
      processStats: watchProcess(journalFile),
      changing: {
        met: peers.reported,
        wrote: () => writtenSince(dataDir, sinceMs),
        visits: requests.reported,
      },
    },
    bootFacts: { files: openedFiles(promptsDir), hosts: hostsOf(access) },
  };
}

/** The hosts of these addresses, as `host:port`. */
function hostsOf({ restUrl, marketWsUrl, userWsUrl, feedsWsUrl, aiUrl }: Addresses): readonly string[] {
  const urls = [restUrl, marketWsUrl, userWsUrl, feedsWsUrl, aiUrl].filter((url) => URL.canParse(url));
  return [...new Set(urls.map((url) => new URL(url).host))].sort();
}

/** Files and folders directly in the data folder that changed since an instant. */
function writtenSince(dataDir: string, sinceMs: number): readonly string[] {
  return readdirSync(dataDir)
    .filter((name) => (statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs)
    .sort();
}
