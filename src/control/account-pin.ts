/**
 * Which account a data folder belongs to: written down before the first write to the venue, compared at every start, and
 * read back from the venue itself. A live key on a practice journal, or another team's key, is refused. Spec: fault O1.
 */
import { hashOf, sha256 } from "../core/hash.ts";
import type { Log } from "../core/log.ts";
import type { Outcome } from "../core/outcome.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { ExchangeAccount } from "../domain/position.ts";
import type { Journal } from "../journal/journal.ts";
import type { ServiceAccess } from "./environment.ts";
import type { VenueKind } from "../config/config.ts";
import { configRow, readConfig } from "../rows/config.ts";

/** What distinguishes accounts. It reveals no part of a key. */
export interface AccountPin {
  /** As `venue.kind` names it; a folder may belong to a kind that this build does not know. */
  readonly venue: string;
  /** Host name of the service; the embedded venue has none. */
  readonly host: string | null;
  readonly key: string | null;
  /** The venue's own names for our portfolios; null until they are read back, and where the venue gives none. */
  readonly portfolios: string | null;
}

/** The account by its credentials, before the venue is asked. A practice account has none: the folder holds it. */
export function pinOf(kind: VenueKind, access: Pick<ServiceAccess, "restUrl" | "accessKey">): AccountPin {
  if (kind === "embedded") return { venue: kind, host: null, key: null, portfolios: null };
  const key = sha256(`ballast account ${access.accessKey.reveal()}`).slice(0, 16);
  return { venue: kind, host: new URL(access.restUrl).hostname, key, portfolios: null };
}

/** The pin of this folder; null when its journal has none yet. */
export function pinned(journal: Pick<Journal, "rows">): AccountPin | null {
  const rows = journal.rows({ kinds: ["config"] }).map(readConfig);
  const last = rows.findLast((row) => "pin" in row);
  return last?.pin ?? null;
}

const nameOf = ({ venue, host }: AccountPin): string =>
  venue === "embedded" ? "the embedded practice venue" : `an account at ${host}`;

/** Why `found` is not the account that was pinned; null when it is, or may be until the venue has been read. */
export function pinProblem(before: AccountPin, found: AccountPin): string | null {
  const advice = "Give each account its own data folder (--data-dir or BALLAST_DATA_DIR); this one stays as it is.";
  if (before.venue !== found.venue)
    return `this data folder belongs to ${nameOf(before)}, and the credentials to ${nameOf(found)}. ${advice}`;
  if (before.portfolios !== null && found.portfolios !== null)
    return before.portfolios === found.portfolios
      ? null
      : `this data folder belongs to another account at ${found.host} than the one these credentials open. ${advice}`;
  const same = before.host === found.host && before.key === found.key;
  // A key may have been renewed. Only the venue knows, and it is asked before anything is written there.
  if (same || before.portfolios !== null) return null;
  return `this data folder belongs to ${nameOf(before)} under another key than the one given. ${advice}`;
}

/** Checks every account reading of a run until the first that is ours; later readings pass unchecked. */
export interface PinnedAccount {
  /** Checks an account from the venue and returns it only when it is ours. */
  check(read: Outcome<readonly ExchangeAccount[]>): Outcome<readonly ExchangeAccount[]>;
}

/**
 * Compares the credentials with the folder's pin at once, and returns the guard for every account reading of this
 * run. The agent writes nothing to the venue before it has read the account, so a refused reading refuses all writes.
 */
export function pinAccount(
  journal: Journal,
  given: AccountPin,
  on: { readonly log: Log; readonly refused: (reason: string) => void; readonly known: () => void },
): Result<PinnedAccount, string> {
  const before = pinned(journal);
  const problem = before && pinProblem(before, given);
  if (problem) return err(problem);
  let verified = false;
  const keep = (pin: AccountPin): void => {
    const known = pinned(journal);
    if (known && hashOf(known) === hashOf(pin)) return;
    journal.append(configRow({ event: "account", pin }));
    on.log.event("info", "account.pinned", `this data folder belongs to ${nameOf(pin)}`, {});
  };
  return ok({
    check: (read) => {
      if (verified || read.kind !== "done") return read;
      const found = given.venue === "embedded" ? given : { ...given, portfolios: portfoliosOf(read.value) };
      const wrong = before && pinProblem(before, found);
      if (wrong) {
        on.log.event("error", "account.changed", wrong, {});
        on.refused(wrong);
        return { kind: "rejected", reason: "other", code: "account", message: wrong };
      }
      keep(found);
      verified = true;
      on.known();
      return read;
    },
  });
}

function portfoliosOf(accounts: readonly ExchangeAccount[]): string | null {
  const ids = accounts.flatMap(({ portfolioId }) => (portfolioId ? [portfolioId] : []));
  return ids.length === 0 ? null : [...new Set(ids)].sort().join(",");
}
