/**
 * When the account and the terms of trading are read regularly. A contradiction makes the next read of the account due
 * at once; the venue's rates limit how soon it is sent. Times are ours, ms.
 */
import type { ReadPace } from "../contract/settings.ts";

/** A list that was not answered by then is asked for again. */
const GIVEN_UP_MS = 20_000;

/** Read at a fixed rhythm: no event makes one of them due earlier. */
export type Periodic = "rules" | "leverage" | "funding" | "ranking";

/** How often the account is read, and the list of stops with it. */
export interface AccountRhythm {
  readonly everyMs: number;
  readonly stopsEveryMs: number;
}

export interface Reads {
  /** Whether it was last asked for so long ago; if so it counts as asked for now. */
  due(what: Periodic, nowMs: number, everyMs: number): boolean;
  /** Something contradicts the account's lists: they are read as soon as the venue's rate allows. */
  wantAccount(): void;
  /** Something contradicts what is known of the stops: their list is read by then. */
  wantStops(byMs: number): void;
  /** The read of the account that is due now, with or without the list of stops; null if none is. */
  account(nowMs: number, rhythm: AccountRhythm): { readonly withAlgos: boolean } | null;
  /** It has been answered, or has failed. */
  accountCame(): void;
  /** Whether the list of executions is to be asked for now; if so it counts as asked for. */
  executions(nowMs: number, everyMs: number): boolean;
  executionsCame(): void;
}

/** A list of the venue: due by its interval or because it is wanted, and never requested twice at once. */
interface Turn {
  askedMs: number;
  isWanted: boolean;
  isInFlight: boolean;
}

const neverAsked = (): Turn => ({ askedMs: -Infinity, isWanted: false, isInFlight: false });

/**
 * A request for another one waits for this one: at the same time they would only take each other's slots at the venue.
 */
const mayAsk = ({ askedMs, isInFlight }: Turn, nowMs: number, gapMs: number): boolean =>
  nowMs - askedMs >= (isInFlight ? Math.max(gapMs, GIVEN_UP_MS) : gapMs);

const ask = (turn: Turn, nowMs: number): void =>
  void Object.assign(turn, { askedMs: nowMs, isWanted: false, isInFlight: true });

export function createReads({ sweepGapMs, fillsSoonMs }: ReadPace): Reads {
  const askedMs = new Map<Periodic, number>();
  const [account, executions] = [neverAsked(), neverAsked()];
  let [stopsMs, stopsByMs] = [-Infinity, Infinity];
  return {
    due: (what, nowMs, everyMs) => {
      if (nowMs - (askedMs.get(what) ?? -Infinity) < everyMs) return false;
      askedMs.set(what, nowMs);
      return true;
    },
    wantAccount: () => {
      account.isWanted = true;
    },
    wantStops: (byMs) => {
      stopsByMs = Math.min(stopsByMs, byMs);
    },
    account: (nowMs, { everyMs, stopsEveryMs }) => {
      if (!mayAsk(account, nowMs, sweepGapMs)) return null;
      const stopsDue = nowMs >= stopsByMs && nowMs - stopsMs >= sweepGapMs;
      if (!account.isWanted && !stopsDue && nowMs - account.askedMs < everyMs) return null;
      const withAlgos = stopsDue || nowMs - stopsMs >= stopsEveryMs;
      ask(account, nowMs);
      if (withAlgos) [stopsMs, stopsByMs] = [nowMs, Infinity];
      return { withAlgos };
    },
    accountCame: () => {
      account.isInFlight = false;
    },
    executions: (nowMs, everyMs) => {
      if (!mayAsk(executions, nowMs, fillsSoonMs) || nowMs - executions.askedMs < everyMs) return false;
      ask(executions, nowMs);
      return true;
    },
    executionsCame: () => {
      executions.isInFlight = false;
    },
  };
}
