/**
 * When the account and the terms of trading are read without an event that asks for it. A contradiction makes the next read of
 * the account due at once; the venue's own rates limit how soon it leaves. Times are ours, ms.
 */
import type { ReadPace } from "../contract/settings.ts";

/** A read of the account that was not answered by then is asked for again. */
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
  /** The read of the account that is to be asked for now, with the list of stops or without; null while none is. */
  account(nowMs: number, rhythm: AccountRhythm): { readonly withAlgos: boolean } | null;
  /** It has been answered, or has failed. */
  accountCame(): void;
}

export function createReads({ sweepGapMs }: ReadPace): Reads {
  const askedMs = new Map<Periodic, number>();
  let [accountMs, stopsMs, stopsByMs] = [-Infinity, -Infinity, Infinity];
  let [isWanted, isInFlight] = [false, false];
  return {
    due: (what, nowMs, everyMs) => {
      if (nowMs - (askedMs.get(what) ?? -Infinity) < everyMs) return false;
      askedMs.set(what, nowMs);
      return true;
    },
    wantAccount: () => {
      isWanted = true;
    },
    wantStops: (byMs) => {
      stopsByMs = Math.min(stopsByMs, byMs);
    },
    account: (nowMs, { everyMs, stopsEveryMs }) => {
      const sinceMs = nowMs - accountMs;
      // A request for another one waits for this one: side by side they only take each other's slots at the venue.
      if (sinceMs < sweepGapMs || (isInFlight && sinceMs < GIVEN_UP_MS)) return null;
      const stopsDue = nowMs >= stopsByMs && nowMs - stopsMs >= sweepGapMs;
      if (!isWanted && !stopsDue && sinceMs < everyMs) return null;
      const withAlgos = stopsDue || nowMs - stopsMs >= stopsEveryMs;
      [accountMs, isWanted, isInFlight] = [nowMs, false, true];
      if (withAlgos) [stopsMs, stopsByMs] = [nowMs, Infinity];
      return { withAlgos };
    },
    accountCame: () => {
      isInFlight = false;
    },
  };
}
