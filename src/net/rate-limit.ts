/**
 * Sliding-window limits with priorities. A free slot goes to the most urgent waiting request, not to the oldest.
 * Windows run on the monotonic clock, so a step of the machine's time neither blocks nor frees anything (the limiter
 * libraries we looked at read the wall clock; see fault C2). Sends nothing.
 */
import type { Clock, Stop } from "../core/clock.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  type Slot,
  forget,
  type Lane,
  newLane,
  type QueuePosition,
  slotAt,
  UNKNOWN_LIMIT,
  type Waiter,
} from "./lane.ts";
import { keptOf, type LaneState, restoreLane } from "./lane-state.ts";
import { type Learned, learnt, type RateLimit, spacingAt } from "./learned-spacing.ts";

export type { Slot } from "./lane.ts";
export type { RateLimit } from "./learned-spacing.ts";

/** Most urgent first. */
export const PRIORITIES = ["protect", "close", "cancel", "replace", "open", "read"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Priority of a request, and how long it may wait (milliseconds of the clock). */
export interface SlotRequest {
  readonly priority: Priority;
  readonly patienceMs: number;
}

/** No slot within the patience. Nothing was sent. */
export interface NoSlot {
  /** Wall time at which a slot of this priority is expected. */
  readonly retryAtMs: number;
  readonly message: string;
}

/** By key. Plain data: journal it, so that a restart keeps its windows. */
export type LimiterState = Readonly<Record<string, LaneState>>;

/** A lane in which the service was stricter than documented, for display. */
export interface Tightened {
  readonly key: string;
  /** Current spacing between requests. */
  readonly spacingMs: number;
  /** Wall time of the last refusal that increased it. */
  readonly sinceMs: number;
}

/** Slots by key: one key per endpoint or action, each with its own window. */
export interface RateLimiter {
  /** Waits for a slot, at most `patienceMs`; refuses at once if the wait is known to be longer. */
  take(key: string, limit: RateLimit, request: SlotRequest): Promise<Result<Slot, NoSlot>>;
  /** Resolves when a slot would be free, at the latest after `patienceMs`. Takes none. */
  ready(key: string, limit: RateLimit, request: SlotRequest): Promise<void>;
  /** Blocks this key until the given wall time, because the service asked for it. */
  pause(key: string, untilMs: number): void;
  /**
   * Records a rate-limit refusal although the window was free: a pause and, after a replacement or an opening, a
   * spacing for such requests from then on. Returns the lane if the spacing changed.
   */
  refused(key: string, untilMs: number): Tightened | null;
  tightened(): readonly Tightened[];
  snapshot(): LimiterState;
  /** Restores the windows of an earlier process. Times in the future count as now. */
  restore(state: LimiterState): void;
}

/** Cap on the requests waiting under one key; further ones are refused. */
const WAITING_MAX = 64;
const PATIENCE_MAX_MS = 3_600_000;

interface Waiting {
  readonly rank: number;
  readonly patienceMs: number;
  readonly refuse: () => Result<Slot, NoSlot>;
  readonly resolve: (slot: Result<Slot, NoSlot>) => void;
}

/**
 * Requests that add or change exposure keep the learned spacing. Protecting, closing, cancelling and reading follow
 * only the documented window: at worst the service refuses them, and caution must never delay them.
 */
const isSpaced = (rank: number): boolean =>
  rank === PRIORITIES.indexOf("replace") || rank === PRIORITIES.indexOf("open");

const placeOf = (lane: Lane, rank: number): QueuePosition => ({
  ahead: lane.waiters.filter((waiter) => waiter.rank <= rank).length,
  spaced: isSpaced(rank),
});

/** A limiter with its windows in this process. Share one among all clients of a key. */
export const createRateLimiter = (clock: Clock): RateLimiter => new Limiter(clock);

class Limiter implements RateLimiter {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();
  #seq = 0;
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(key: string, limit: RateLimit, request: SlotRequest): Promise<Result<Slot, NoSlot>> {
    const lane = this.#lane(key);
    lane.limit = limit;
    const now = this.#clock.monotonicMs();
    forget(lane, now);
    const rank = PRIORITIES.indexOf(request.priority);
    const slotMs = slotAt(lane, now, placeOf(lane, rank));
    const refuse = (): Result<Slot, NoSlot> => {
      const retryAtMs = this.#wall(Math.max(slotMs, this.#clock.monotonicMs()));
      return err({ retryAtMs, message: `our limit for ${key}: ${limit.requests} per ${limit.perMs} ms` });
    };
    if (slotMs - now > request.patienceMs || lane.waiters.length >= WAITING_MAX) return Promise.resolve(refuse());
    return new Promise((resolve) => this.#wait(lane, { rank, patienceMs: request.patienceMs, refuse, resolve }));
  }

  async ready(key: string, limit: RateLimit, { priority, patienceMs }: SlotRequest): Promise<void> {
    const lane = this.#lane(key);
    lane.limit = limit;
    const rank = PRIORITIES.indexOf(priority);
    const untilMs = this.#clock.monotonicMs() + Math.min(patienceMs, PATIENCE_MAX_MS);
    for (;;) {
      const now = this.#clock.monotonicMs();
      forget(lane, now);
      const slotMs = slotAt(lane, now, placeOf(lane, rank));
      if (slotMs <= now || now >= untilMs) return;
      await this.#clock.sleep(Math.min(slotMs, untilMs) - now);
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
    // A more urgent request may still take the promised slot.
    stopPatience = this.#clock.after(Math.min(patienceMs, PATIENCE_MAX_MS) + 1, () => {
      lane.waiters = lane.waiters.filter((other) => other !== waiter);
      resolve(refuse());
    });
  }

  /** Grants what may go now and sets the timer for the next request. */
  #serve(lane: Lane): void {
    lane.stopTimer?.();
    lane.stopTimer = null;
    while (lane.waiters.length > 0) {
      const now = this.#clock.monotonicMs();
      forget(lane, now);
      const slotMs = slotAt(lane, now, { ahead: 0, spaced: isSpaced(lane.waiters[0]?.rank ?? 0) });
      if (slotMs > now) {
        lane.stopTimer = this.#clock.after(slotMs - now, () => this.#serve(lane));
        return;
      }
      const next = lane.waiters.shift();
      next?.grant(this.#slot(lane, next.rank));
    }
  }

  #slot(lane: Lane, rank: number): Slot {
    const grantedMs = this.#clock.monotonicMs();
    const entry = { ms: grantedMs };
    lane.at.push(entry);
    lane.granted = [grantedMs, lane.granted[0]];
    lane.spaced = isSpaced(rank);
    // If the next request has already left, an answer later than the window proves nothing about it. If none has, a
    // request that a busy machine sent late counts as late.
    const latestMs = grantedMs + lane.limit.perMs;
    return {
      arrived: () => {
        const nowMs = this.#clock.monotonicMs();
        const isNewest = lane.granted[0] === grantedMs;
        entry.ms = isNewest ? nowMs : Math.min(nowMs, latestMs);
        if (isNewest && !lane.at.includes(entry)) lane.at.push(entry);
      },
    };
  }

  pause(key: string, untilMs: number): void {
    const lane = this.#lane(key);
    lane.pausedUntil = Math.max(lane.pausedUntil, this.#mono(untilMs));
    this.#serve(lane);
  }

  refused(key: string, untilMs: number): Tightened | null {
    this.pause(key, untilMs);
    const lane = this.#lane(key);
    const [newest, before] = lane.granted;
    // Several requests in flight are refused together; count them as one lesson.
    if (!lane.spaced || (lane.learned && newest <= lane.learned.atMs)) return null;
    const nowMs = this.#clock.monotonicMs();
    const next = learnt(lane.learned, { limit: lane.limit, sinceMs: newest - before, nowMs });
    if (!next) return null;
    lane.learned = next;
    this.#serve(lane);
    return this.#viewOf(key, lane, next);
  }

  tightened(): readonly Tightened[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#lanes].flatMap(([key, lane]) =>
      lane.learned && spacingAt(lane.learned, lane.limit, nowMs) > 0 ? [this.#viewOf(key, lane, lane.learned)] : [],
    );
  }

  #viewOf(key: string, lane: Lane, learned: Learned): Tightened {
    const spacingMs = Math.round(spacingAt(learned, lane.limit, this.#clock.monotonicMs()));
    return { key, spacingMs, sinceMs: Math.round(this.#wall(learned.atMs)) };
  }

  snapshot(): LimiterState {
    const now = this.#clock.monotonicMs();
    const state: Record<string, LaneState> = {};
    for (const [key, lane] of this.#lanes) {
      const kept = keptOf(lane, now, (ms) => this.#wall(ms));
      if (kept) state[key] = kept;
    }
    return state;
  }

  restore(state: LimiterState): void {
    const now = this.#clock.monotonicMs();
    for (const [key, saved] of Object.entries(state)) restoreLane(this.#lane(key), saved, now, (ms) => this.#mono(ms));
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
