/**
 * Whether this agent may write to an account of the real service. The first time, three things must come together: a
 * configuration of `venue.kind: service`, a consent for that host in the owner's own words, and `--live` (or
 * `session.live: true`). The data folder, which is bound to one account, remembers it: a restart needs no flag, and what
 * the agent holds stays protected whatever becomes of the consent.
 */
import type { Config } from "../config/config.ts";
import type { Log } from "../core/log.ts";
import type { Journal } from "../journal/journal.ts";
import { pinned } from "./account-pin.ts";
import { consentGap, type ConsentVenue } from "./consent-gap.ts";

const EVENT = "live";

/** Asked by the desk before every write. */
export interface LivePermit {
  /** Why nothing may be written at the venue, with the next step; null where writes are allowed. */
  problem(): string | null;
  /** A saved configuration may carry what was missing. */
  change(session: Config["session"]): void;
}

/** Whether this folder was allowed at this host. Folders of earlier versions have no such row; one that has sent orders there was live. */
export function wasLive(journal: Pick<Journal, "rows">, host: string): boolean {
  const events = journal.rows({ kinds: ["config"] }).map(({ body }) => (body ?? {}) as Record<string, unknown>);
  if (events.some((body) => body["event"] === EVENT && body["host"] === host)) return true;
  const sameHost = pinned(journal)?.host === host.replace(/:\d+$/, "");
  return sameHost && journal.rows({ kinds: ["wire-out"], limit: 1 }).length > 0;
}

/** `flag` is `--live` on the command line. */
export function livePermit(
  journal: Pick<Journal, "rows" | "append">,
  venue: ConsentVenue,
  given: { readonly session: Config["session"]; readonly flag: boolean; readonly log: Log },
): LivePermit {
  let { session } = given;
  let live = venue.kind === "embedded" || wasLive(journal, venue.host);
  const gap = (): string | null => consentGap(session, venue);
  const goLive = (): void => {
    if (live || !(given.flag || session.live) || gap() !== null) return;
    const by = given.flag ? "--live" : "session.live";
    journal.append("config", { event: EVENT, host: venue.host, by });
    live = true;
    given.log.event("warn", "account.live", `orders go to the real service at ${venue.host} from now on (${by})`, {
      host: venue.host,
    });
  };
  goLive();
  return {
    problem: () => {
      if (live) return null;
      const missing = gap();
      const step = "start it once with --live, or write session.live: true";
      return missing === null
        ? `this agent has never traded on ${venue.host}, so it sends nothing there: ${step}`
        : `${missing}; then ${step}`;
    },
    change: (saved) => {
      session = saved;
      goLive();
    },
  };
}
