/** Notifies the targets of new journal rows and of standing conditions. Nothing here throws or blocks. */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { eventOf, NOTIFIED_KINDS, type Notification } from "./events.ts";
import { createOutbox, type Send, type TargetCounts } from "./outbox.ts";
import type { NotificationSettings, TargetSettings } from "./settings.ts";

/** Since the start of the process. */
export interface NotifyCounts {
  readonly targets: readonly TargetCounts[];
  /** Telegram messages from chats that are not on the list. */
  readonly unlisted: number;
}

export interface ReadyTarget {
  readonly settings: TargetSettings;
  readonly send: Send;
}

/** A condition, reported once when it begins. `key` identifies it; the figures in its text may change. */
export type OngoingCondition = Pick<Notification, "event" | "level" | "text"> & { readonly key: string };

export interface NotifierParts {
  readonly settings: NotificationSettings;
  readonly targets: readonly ReadyTarget[];
  readonly rows: (filter: { kinds: readonly RowKind[]; sinceSeq: number; limit: number }) => readonly JournalRow[];
  /** Rows after this one are reported. */
  readonly afterSeq: number;
  readonly standing: () => readonly OngoingCondition[];
  /** The machine's, at which the targets live. */
  readonly clock: Clock;
  readonly log: Log;
  readonly firstWaitMs?: number;
}

export interface Notifier {
  notify(event: Notification): void;
  counts(): readonly TargetCounts[];
  stop(): Promise<void>;
}

const LOOK_MS = 2_000;
const ROWS_AT_ONCE = 500;

export function createNotifier({ settings, targets, clock, log, ...parts }: NotifierParts): Notifier {
  const outboxes = targets.map(({ settings: target, send }) =>
    createOutbox({
      target,
      settings,
      clock,
      log,
      send,
      ...(parts.firstWaitMs ? { firstWaitMs: parts.firstWaitMs } : {}),
    }),
  );
  let seq = parts.afterSeq;
  let seen: ReadonlySet<string> = new Set();
  let reported: ReadonlySet<string> = new Set();
  const notify = (event: Notification): void => {
    const level = settings.levels[event.event] ?? event.level;
    if (level !== "off") for (const outbox of outboxes) outbox.add({ ...event, level });
  };
  const look = (): void => {
    try {
      for (const row of parts.rows({ kinds: NOTIFIED_KINDS, sinceSeq: seq, limit: ROWS_AT_ONCE })) {
        seq = row.seq;
        const event = eventOf(row);
        if (event) notify(event);
      }
      const standing = parts.standing();
      // What is gone at the next look was a blip.
      for (const { key, ...one } of standing)
        if (seen.has(key) && !reported.has(key)) {
          reported = new Set([...reported, key]);
          notify({ ...one, atMs: clock.nowMs() });
        }
      seen = new Set(standing.map(({ key }) => key));
      reported = new Set([...reported].filter((key) => seen.has(key)));
    } catch (cause) {
      log.event(
        "warn",
        "notify.failed",
        `no notification could be made: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  };
  const stopLooking = clock.every(LOOK_MS, look);
  return {
    notify,
    counts: () => outboxes.map((outbox) => outbox.counts()),
    stop: async () => {
      stopLooking();
      look();
      await Promise.all(outboxes.map((outbox) => outbox.stop()));
    },
  };
}
