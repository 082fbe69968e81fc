/** What a process on a real machine can say of itself for the verifier: see `beat-facts.ts`. Nothing here is secret. */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type NetEnv, networkOf } from "../net/network.ts";
import type { StatusVisits } from "../faces/status/visits.ts";
import type { BeatSources } from "./beat-facts.ts";
import { noteContacts } from "../ops/contacts.ts";
import { openedFiles } from "./opened-files.ts";
import type { VenueAccess } from "./venue-access.ts";
import { watchVitals } from "../ops/vitals.ts";
import type { BootFacts } from "../rows/boot.ts";

/** `sources` go into the beats. */
export interface Witness {
  /** The environment whose network is listened to. */
  readonly env: NetEnv;
  readonly sources: Omit<BeatSources, "gauges">;
  /** For the boot row. */
  readonly boot: BootFacts;
}

/** Addresses that this run may ask. */
type Addresses = Pick<VenueAccess, "restUrl" | "marketWsUrl" | "userWsUrl" | "feedsWsUrl" | "aiUrl">;

export interface WitnessParts {
  readonly env: NetEnv;
  readonly access: Addresses;
  readonly dataDir: string;
  readonly journalFile: string;
  readonly promptsDir: string;
  readonly visits: StatusVisits;
  /** Real time at which the process began, epoch ms. */
  readonly sinceMs: number;
}

/** Only what goes over the network that it answers is seen. */
export function witnessOf(parts: WitnessParts): Witness {
  const { env, access, dataDir, journalFile, promptsDir, visits, sinceMs } = parts;
  const contacts = noteContacts();
  return {
    env: { ...env, network: contacts.over(networkOf(env)) },
    sources: {
      vitals: watchVitals(journalFile),
      changing: {
        met: contacts.told,
        wrote: () => writtenSince(dataDir, sinceMs),
        visits: visits.told,
      },
    },
    boot: { files: openedFiles(promptsDir), hosts: hostsOf(access) },
  };
}

/** The hosts that the environment names, as `host:port`. */
function hostsOf({ restUrl, marketWsUrl, userWsUrl, feedsWsUrl, aiUrl }: Addresses): readonly string[] {
  const urls = [restUrl, marketWsUrl, userWsUrl, feedsWsUrl, aiUrl].filter((url) => URL.canParse(url));
  return [...new Set(urls.map((url) => new URL(url).host))].sort();
}

/** Files and folders directly below the data folder that have changed since an instant. */
function writtenSince(dataDir: string, sinceMs: number): readonly string[] {
  return readdirSync(dataDir)
    .filter((name) => (statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs)
    .sort();
}
