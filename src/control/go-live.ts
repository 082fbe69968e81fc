/**
 * Whether this agent may write to an account of the real service. The first time, three things must come together: a
 * configuration of `venue.kind: service`, a consent for that host in the owner's own words, and `--live` (or
 * `session.live: true`). The data folder remembers it once the venue has shown that the account is the folder's own: a
 * restart needs no flag, and what the agent holds stays protected even if the consent ends.
 */
import type { Config } from "../config/config.ts";
import type { Log } from "../core/log.ts";
import type { Journal } from "../journal/journal.ts";
import { pinned } from "./account-pin.ts";
import { consentGap, type ConsentVenue } from "./consent-gap.ts";
import type { LiveHosts } from "./live-file.ts";
import { configRow, readConfig } from "../rows/config.ts";

/** Asked by the desk before every write. */
export interface LivePermit {
  /** Why nothing may be written at the venue, with the next step; null where writes are allowed. */
  problem(): string | null;
  /** What the owner still has to do; null once `--live` or its setting has been given. */
  missing(): string | null;
  /** The venue has shown the account that this folder belongs to: a word given with another team's key ends here. */
  accountKnown(): void;
  /** A saved configuration may carry what was missing. */
  change(session: Config["session"]): void;
}

/** Whether this folder was live at this host. Older folders have no such row: one that has sent orders there was live. */
export function wasLive(journal: Pick<Journal, "rows">, host: string): boolean {
  const rows = journal.rows({ kinds: ["config"] }).map(readConfig);
  if (rows.some((row) => "event" in row && row.event === "live" && row.host === host)) return true;
  const sameHost = pinned(journal)?.host === host.replace(/:\d+$/, "");
  return sameHost && journal.rows({ kinds: ["wire-out"], limit: 1 }).length > 0;
}

/** `flag` is `--live` on the command line; `hosts` are those at which this folder has been live. */
export function livePermit(
  journal: Pick<Journal, "rows" | "append">,
  venue: ConsentVenue,
  given: { readonly session: Config["session"]; readonly flag: boolean; readonly log: Log; readonly hosts: LiveHosts },
): LivePermit {
  let { session } = given;
  let known = false;
  const before = venue.kind === "embedded" || wasLive(journal, venue.host);
  let live = before || given.hosts.has(venue.host);
  if (before && venue.kind !== "embedded") given.hosts.add(venue.host);
  const missing = (): string | null => {
    if (live) return null;
    const gap = consentGap(session, venue);
    const step = "start it once with --live, or write session.live: true";
    const worded = given.flag || session.live;
    if (gap !== null) return `${gap}; then ${step}`;
    return worded ? null : `this agent has never traded on ${venue.host}, so it sends nothing there: ${step}`;
  };
  const goLive = (): void => {
    if (live || !known || missing() !== null) return;
    const by = given.flag ? "--live" : "session.live";
    journal.append(configRow({ event: "live", host: venue.host, by }));
    given.hosts.add(venue.host);
    live = true;
    given.log.event("warn", "account.live", `orders go to the real service at ${venue.host} from now on (${by})`, {
      host: venue.host,
    });
  };
  return {
    problem: () => missing() ?? (live ? null : `the account at ${venue.host} has not been read yet`),
    missing,
    accountKnown: () => {
      known = true;
      goLive();
    },
    change: (saved) => {
      session = saved;
      goLive();
    },
  };
}
