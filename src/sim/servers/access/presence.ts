/**
 * Uptime of each account as seen from outside: spans without a user socket, without a market socket, and without REST
 * calls. The competition's figure is computed in the same way. It does not use the agent's heartbeats.
 */
import { BoundedList } from "../../../core/bounded.ts";

/** Sockets are watched from opening to closing, REST by the time between calls. */
export type ConnectionKind = "user" | "market" | "rest";

/** An absence that has ended, epoch ms of the service. A current absence is not among the gaps. */
export interface Absence {
  readonly fromMs: number;
  readonly toMs: number;
}

/** `open` is the number of open sockets, for REST the number of calls. `gaps` are the latest 500. */
export interface ConnectionReport {
  readonly firstSeenMs: number | null;
  readonly open: number;
  readonly upMs: number;
  /** Share of the time since first seen, 0..1; null before. */
  readonly upShare: number | null;
  readonly gaps: readonly Absence[];
}

/** A REST caller that is silent for longer counts as away. */
export const REST_SILENCE_MS = 30_000;

interface Watch {
  firstSeenMs: number | null;
  open: number;
  upMs: number;
  sinceMs: number;
  lastMs: number;
  readonly gaps: BoundedList<Absence>;
}

/** Fed by the streams and the trading REST calls; read for the scoreboard and the venue log. */
export class Presence {
  readonly #watches = new Map<string, Watch>();
  readonly #nowMs: () => number;
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A socket of the account has opened. The returned function reports that it has closed. */
  entered(accountId: string, door: "user" | "market"): () => void {
    const watch = this.#watch(accountId, door);
    const nowMs = this.#nowMs();
    if (watch.firstSeenMs === null) watch.firstSeenMs = nowMs;
    else if (watch.open === 0) watch.gaps.push({ fromMs: watch.lastMs, toMs: nowMs });
    if (watch.open++ === 0) watch.sinceMs = nowMs;
    let gone = false;
    return () => {
      if (gone) return;
      gone = true;
      watch.lastMs = this.#nowMs();
      if (--watch.open === 0) watch.upMs += watch.lastMs - watch.sinceMs;
    };
  }

  /** The account made a REST call with an accepted key. */
  called(accountId: string): void {
    const watch = this.#watch(accountId, "rest");
    const nowMs = this.#nowMs();
    if (watch.firstSeenMs === null) watch.firstSeenMs = nowMs;
    else if (nowMs - watch.lastMs > REST_SILENCE_MS) watch.gaps.push({ fromMs: watch.lastMs, toMs: nowMs });
    else watch.upMs += nowMs - watch.lastMs;
    watch.lastMs = nowMs;
    watch.open++;
  }

  report(accountId: string, door: ConnectionKind): ConnectionReport {
    const { firstSeenMs, open, upMs, sinceMs, gaps } = this.#watch(accountId, door);
    const nowMs = this.#nowMs();
    const total = upMs + (door !== "rest" && open > 0 ? nowMs - sinceMs : 0);
    const span = firstSeenMs === null ? 0 : nowMs - firstSeenMs;
    return { firstSeenMs, open, upMs: total, upShare: span > 0 ? total / span : null, gaps: gaps.items() };
  }

  #watch(accountId: string, door: ConnectionKind): Watch {
    const name = `${accountId}|${door}`;
    const known = this.#watches.get(name);
    if (known) return known;
    const made = { firstSeenMs: null, open: 0, upMs: 0, sinceMs: 0, lastMs: 0, gaps: new BoundedList<Absence>(500) };
    this.#watches.set(name, made);
    return made;
  }
}
