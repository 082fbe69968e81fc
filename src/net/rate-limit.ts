/**
 * Sliding-window limits with priorities. A slot goes to the most urgent request that waits when it becomes free, not to
 * the one that asked first. Windows run on the monotonic clock, so a step of the machine's time neither blocks nor
 * frees anything (the limiter libraries we looked at read the wall clock; see faults C2). Knows no endpoint and sends nothing.
 */
import type { Clock, Stop } from "../core/clock.ts";
import { err, ok, type Result } from "../core/result.ts";

/** At most `requests` in any window of `perMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** Most urgent first. */
export const PRIORITIES = ["protect", "close", "cancel", "replace", "open", "read"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How urgent a request is, and how long it may wait (the clock's milliseconds). */
export interface Wish {
  readonly priority: Priority;
  readonly patienceMs: number;
}

/** A granted turn. Call `arrived` when the answer is in: the service may have counted the request that late. */
export interface Slot {
  arrived(): void;
}

/** No turn within the patience. Nothing was sent. */
export interface Refused {
  /** Wall time at which a turn of this priority is expected. */
  readonly retryAtMs: number;
  readonly message: string;
}

/** Wall times of what still counts, by key. Plain data: journal it, so that a restart keeps its windows. */
export type LimiterState = Readonly<Record<string, { readonly at: readonly number[]; readonly pausedUntilMs: number }>>;

/** Turns by key: one key for each endpoint or action, each with its own window. */
export interface RateLimiter {
  /** Waits for a turn, at most `patienceMs`; refuses at once when the wait is known to be longer. */
  take(key: string, limit: RateLimit, wish: Wish): Promise<Result<Slot, Refused>>;
  /** Resolves when a turn could be had at once, at the latest after `patienceMs`. Takes none. */
  ready(key: string, limit: RateLimit, wish: Wish): Promise<void>;
  /** Nothing under this key before the given wall time: the service asked for it. */
  pause(key: string, untilMs: number): void;
  snapshot(): LimiterState;
  /** Takes over the windows of an earlier process. Times that lie in the future count as now. */
  restore(state: LimiterState): void;
}

/** Windows are held this much longer than the service says: clocks drift and packets bunch. */
const MARGIN = 1.04;
/** More than this many waiting under one key, and the newcomer is refused. */
const WAITING_MAX = 64;

interface Waiter {
  readonly rank: number;
  readonly seq: number;
  readonly grant: (slot: Slot) => void;
}

interface Waiting {
  readonly rank: number;
  readonly patienceMs: number;
  readonly refuse: () => Result<Slot, Refused>;
  readonly resolve: (turn: Result<Slot, Refused>) => void;
}

interface Lane {
  limit: RateLimit;
  /** Monotonic times of requests that still count, in order of granting. */
  at: { ms: number }[];
  pausedUntil: number;
  waiters: Waiter[];
  stopTimer: Stop | null;
}

/** For a lane whose limit is not known yet: keeps what it is told and holds nobody up. */
const UNKNOWN_LIMIT: RateLimit = { requests: 1_000_000, perMs: 600_000 };
const PATIENCE_MAX_MS = 3_600_000;

const newLane = (limit: RateLimit): Lane => ({ limit, at: [], pausedUntil: 0, waiters: [], stopTimer: null });

/** When the request after `ahead` others may go, on the monotonic clock. */
function turnAt(lane: Lane, now: number, ahead: number): number {
  const { requests, perMs } = lane.limit;
  const times = lane.at.map((entry) => entry.ms).sort((a, b) => a - b);
  let turn = now;
  for (let i = 0; i <= ahead; i++) {
    const blocking = times[times.length - requests];
    turn = Math.max(now, lane.pausedUntil, blocking === undefined ? now : blocking + perMs * MARGIN);
    times.push(turn);
  }
  return turn;
}

function forget(lane: Lane, now: number): void {
  lane.at = lane.at.filter((entry) => entry.ms + lane.limit.perMs * MARGIN > now);
}

/** A limiter whose windows live in this process. Share one among all clients of one key. */
export const createRateLimiter = (clock: Clock): RateLimiter => new Limiter(clock);

class Limiter implements RateLimiter {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();
  #seq = 0;
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(key: string, limit: RateLimit, wish: Wish): Promise<Result<Slot, Refused>> {
    const lane = this.#lane(key);
    lane.limit = limit;
    const now = this.#clock.monotonicMs();
    forget(lane, now);
    const rank = PRIORITIES.indexOf(wish.priority);
    const turn = turnAt(lane, now, lane.waiters.filter((waiter) => waiter.rank <= rank).length);
    const refuse = (): Result<Slot, Refused> => {
      const retryAtMs = this.#wall(Math.max(turn, this.#clock.monotonicMs()));
      return err({ retryAtMs, message: `our limit for ${key}: ${limit.requests} per ${limit.perMs} ms` });
    };
    if (turn - now > wish.patienceMs || lane.waiters.length >= WAITING_MAX) return Promise.resolve(refuse());
    return new Promise((resolve) => this.#wait(lane, { rank, patienceMs: wish.patienceMs, refuse, resolve }));
  }

  async ready(key: string, limit: RateLimit, { priority, patienceMs }: Wish): Promise<void> {
    const lane = this.#lane(key);
    lane.limit = limit;
    const rank = PRIORITIES.indexOf(priority);
    const untilMs = this.#clock.monotonicMs() + Math.min(patienceMs, PATIENCE_MAX_MS);
    for (;;) {
      const now = this.#clock.monotonicMs();
      forget(lane, now);
      const turn = turnAt(lane, now, lane.waiters.filter((waiter) => waiter.rank <= rank).length);
      if (turn <= now || now >= untilMs) return;
      await this.#clock.sleep(Math.min(turn, untilMs) - now);
    }
  }

  #wait(lane: Lane, { rank, patienceMs, refuse, resolve }: Waiting): void {
    let stopPatience: Stop = () => undefined;
    const grant = (slot: Slot): void => {
      stopPatience();
      resolve(ok(slot));
    };
    const waiter: Waiter = { rank, seq: this.#seq++, grant };
    lane.waiters.push(waiter);
    lane.waiters.sort((a, b) => a.rank - b.rank || a.seq - b.seq);
    this.#serve(lane);
    if (!lane.waiters.includes(waiter)) return;
    // A more urgent request may yet take the turn that was promised.
    stopPatience = this.#clock.after(Math.min(patienceMs, PATIENCE_MAX_MS) + 1, () => {
      lane.waiters = lane.waiters.filter((other) => other !== waiter);
      resolve(refuse());
    });
  }

  /** Grants what may go now and sets the timer for the next. */
  #serve(lane: Lane): void {
    lane.stopTimer?.();
    lane.stopTimer = null;
    while (lane.waiters.length > 0) {
      const now = this.#clock.monotonicMs();
      forget(lane, now);
      const turn = turnAt(lane, now, 0);
      if (turn > now) {
        lane.stopTimer = this.#clock.after(turn - now, () => this.#serve(lane));
        return;
      }
      lane.waiters.shift()?.grant(this.#slot(lane));
    }
  }

  #slot(lane: Lane): Slot {
    const grantedMs = this.#clock.monotonicMs();
    const entry = { ms: grantedMs };
    lane.at.push(entry);
    // An answer that comes later than the window says nothing about the next request, which may have gone already.
    const latestMs = grantedMs + lane.limit.perMs;
    return { arrived: () => void (entry.ms = Math.min(this.#clock.monotonicMs(), latestMs)) };
  }

  pause(key: string, untilMs: number): void {
    const lane = this.#lane(key);
    lane.pausedUntil = Math.max(lane.pausedUntil, this.#mono(untilMs));
    this.#serve(lane);
  }

  snapshot(): LimiterState {
    const now = this.#clock.monotonicMs();
    const state: Record<string, LimiterState[string]> = {};
    for (const [key, lane] of this.#lanes) {
      forget(lane, now);
      const paused = lane.pausedUntil > now;
      if (lane.at.length === 0 && !paused) continue;
      const at = lane.at.map((entry) => Math.ceil(this.#wall(entry.ms)));
      state[key] = { at, pausedUntilMs: paused ? Math.ceil(this.#wall(lane.pausedUntil)) : 0 };
    }
    return state;
  }

  restore(state: LimiterState): void {
    const now = this.#clock.monotonicMs();
    for (const [key, saved] of Object.entries(state)) {
      const lane = this.#lane(key);
      lane.at = [...saved.at.map((wallMs) => ({ ms: Math.min(now, this.#mono(wallMs)) })), ...lane.at];
      if (saved.pausedUntilMs > 0) lane.pausedUntil = Math.max(lane.pausedUntil, this.#mono(saved.pausedUntilMs));
    }
  }

  #lane(key: string): Lane {
    const lane = this.#lanes.get(key) ?? newLane(UNKNOWN_LIMIT);
    this.#lanes.set(key, lane);
    return lane;
  }
  #wall(monotonicMs: number): number {
    return this.#clock.nowMs() + monotonicMs - this.#clock.monotonicMs();
  }
  #mono(wallMs: number): number {
    return this.#clock.monotonicMs() + wallMs - this.#clock.nowMs();
  }
}
