/**
 * What waits for one target: batched, held in quiet hours, tried again with a bound, and never more than the queue holds.
 * Adding returns at once and never throws.
 */
import { DelegateBackoff, handleType, retry } from "cockatiel";
import type { Clock, Stop } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { LEVELS, type NotificationSettings, type TargetSettings } from "./settings.ts";
import { type Notification, notificationText } from "./events.ts";
import { counted } from "../core/words.ts";

/** Thrown by a sender where a later attempt may succeed. */
export class TryAgain extends Error {
  readonly waitMs: number | null;
  constructor(message: string, waitMs: number | null = null) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** Throws where the message was not taken. */
export type Send = (events: readonly Notification[]) => Promise<void>;

/** Since the start of the process: messages sent and given up, events dropped. */
export interface TargetCounts {
  readonly name: string;
  readonly sent: number;
  readonly failed: number;
  readonly dropped: number;
}

export interface NotificationOutbox {
  add(event: Notification): void;
  counts(): TargetCounts;
  /** Sends what waits, quiet hours or not, for two seconds at most. */
  stop(): Promise<void>;
}

export interface OutboxParts {
  readonly target: TargetSettings;
  readonly settings: NotificationSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly send: Send;
  /** Wait before the second attempt, ms; it doubles. */
  readonly firstWaitMs?: number;
}

const ATTEMPTS = 4;
const WAIT_MAX_MS = 300_000;
const TOGETHER = 20;
/** What the text of one message may hold, characters; the rest of a target's limit is for the note of a loss and for escapes. */
const ROOM: Readonly<Record<TargetSettings["kind"], number>> = {
  telegram: 3_800,
  slack: 2_800,
  discord: 1_300,
  ntfy: 3_800,
  json: Infinity,
};
const QUIET_LOOK_MS = 30_000;
const STOP_WITHIN_MS = 2_000;

/** What waits, oldest first. A full queue drops the oldest and counts it. */
class Queue {
  readonly #most: number;
  #waiting: Notification[] = [];
  #lost = 0;
  /** Since the start. */
  dropped = 0;

  constructor(most: number) {
    this.#most = most;
  }
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }
  add(event: Notification): void {
    this.#waiting.push(event);
    while (this.#waiting.length > this.#most) {
      this.#waiting.shift();
      this.dropped += 1;
      this.#lost += 1;
    }
  }
  /** Takes out the first that may be sent, at most as many as one message holds whole. */
  take(maySend: (event: Notification) => boolean, room: number): Notification[] {
    let chars = 0;
    const taken = this.#waiting.filter(maySend).slice(0, TOGETHER);
    const end = taken.findIndex((event) => (chars += notificationText(event).length + 1) > room);
    // A longer one than that is cut by its sender.
    if (end >= 0) taken.length = Math.max(1, end);
    this.#waiting = this.#waiting.filter((event) => !taken.includes(event));
    return taken;
  }
  /** How many were dropped since this was last asked. */
  lostNow(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }
}

/** The target learns what it will never get. */
function lossNote(lost: number, atMs: number): readonly Notification[] {
  if (lost === 0) return [];
  const text = `${counted(lost, "older message was", "older messages were")} dropped: the queue was full`;
  return [{ event: "run", level: "warning", atMs, text }];
}

/** A target that names its own wait is obeyed; otherwise each wait is twice the one before. */
const patience = (firstWaitMs: number) =>
  retry(handleType(TryAgain), {
    maxAttempts: ATTEMPTS - 1,
    backoff: new DelegateBackoff<{ attempt: number; result: object }>(({ attempt, result }) => {
      const asked = "error" in result && result.error instanceof TryAgain ? result.error.waitMs : null;
      return Math.min(WAIT_MAX_MS, asked ?? firstWaitMs * 2 ** (attempt - 1));
    }),
  });

export function createOutbox({
  target,
  settings,
  clock,
  log,
  send,
  firstWaitMs = 2_000,
}: OutboxParts): NotificationOutbox {
  const { name } = target;
  const count = { sent: 0, failed: 0 };
  const queue = new Queue(settings.queue);
  let timer: Stop | null = null;
  let sending: Promise<void> | null = null;
  let stopping = false;
  const policy = patience(firstWaitMs);
  const abort = new AbortController();

  const due = (): Notification[] => {
    const quiet = !stopping && isQuiet(settings.quietHours, clock.nowMs());
    return queue.take(({ level }) => !quiet || level === "alarm", ROOM[target.kind]);
  };
  const schedule = (ms: number): void => {
    timer?.();
    timer = clock.after(ms, () => {
      timer = null;
      flush();
    });
  };
  const flush = (): void => {
    if (sending) return;
    const events = due();
    if (events.length === 0) {
      if (!queue.isEmpty && !stopping) schedule(QUIET_LOOK_MS);
      return;
    }
    const all = [...lossNote(queue.lostNow(), events[0]?.atMs ?? 0), ...events];
    sending = policy
      .execute(() => send(all), abort.signal)
      .then(
        () => void (count.sent += 1),
        (cause: unknown) => {
          count.failed += 1;
          const why = cause instanceof Error ? cause.message : String(cause);
          log.event("warn", "notify.failed", `${name} did not take ${counted(events.length, "event")}: ${why}`, {
            target: name,
          });
        },
      )
      .finally(() => {
        sending = null;
        if (!queue.isEmpty) flush();
      });
  };

  return {
    add: (event) => {
      if (LEVELS.indexOf(event.level) < LEVELS.indexOf(target.level)) return;
      queue.add(event);
      if (event.level === "alarm") schedule(0);
      else if (!timer) schedule(settings.batch);
    },
    counts: () => ({ name, ...count, dropped: queue.dropped }),
    stop: async () => {
      stopping = true;
      timer?.();
      flush();
      let isLate = false;
      const late = clock.sleep(STOP_WITHIN_MS).then(() => void (isLate = true));
      // Each message that is through begins the next.
      const under = (): Promise<void> | null => sending;
      for (let one = under(); one !== null && !isLate; one = under()) await Promise.race([late, one]);
      abort.abort();
    },
  };
}

/** The span may go over midnight. */
export function isQuiet(hours: NotificationSettings["quietHours"], nowMs: number): boolean {
  if (!hours) return false;
  const now = new Date(nowMs).toISOString().slice(11, 16);
  const { from, to } = hours;
  return from <= to ? from <= now && now < to : now >= from || now < to;
}
