/** Tells the targets what new journal rows and standing conditions are worth telling. Nothing here throws or blocks. */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { eventOf, TOLD_KINDS, type Told } from "./events.ts";
import { createOutbox, type Send, type TargetCounts } from "./outbox.ts";
import type { NotificationSettings, TargetSettings } from "./settings.ts";

/** Since the start of the process. */
export interface NotifyCounts {
  readonly targets: readonly TargetCounts[];
  /** Telegram messages from chats that are not on the list. */
  readonly strangers: number;
}

export interface ReadyTarget {
  readonly settings: TargetSettings;
  readonly send: Send;
}

/** A condition that is told once when it begins; `key` tells it from others whatever figures its text holds. */
export type Standing = Pick<Told, "event" | "level" | "text"> & { readonly key: string };

export interface NotifierParts {
  readonly settings: NotificationSettings;
  readonly targets: readonly ReadyTarget[];
  readonly rows: (filter: { kinds: readonly RowKind[]; sinceSeq: number; limit: number }) => readonly JournalRow[];
  /** The last row that is not told. */
  readonly afterSeq: number;
  readonly standing: () => readonly Standing[];
  /** The machine's, at which the targets live. */
  readonly clock: Clock;
  readonly log: Log;
  readonly firstWaitMs?: number;
}

export interface Notifier {
  tell(event: Told): void;
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
  let told: ReadonlySet<string> = new Set();
  const tell = (event: Told): void => {
    const level = settings.levels[event.event] ?? event.level;
    if (level !== "off") for (const outbox of outboxes) outbox.add({ ...event, level });
  };
  const look = (): void => {
    try {
      for (const row of parts.rows({ kinds: TOLD_KINDS, sinceSeq: seq, limit: ROWS_AT_ONCE })) {
        seq = row.seq;
        const event = eventOf(row);
        if (event) tell(event);
      }
      const standing = parts.standing();
      // What is gone at the next look was a blip.
      for (const { key, ...one } of standing)
        if (seen.has(key) && !told.has(key)) {
          told = new Set([...told, key]);
          tell({ ...one, atMs: clock.nowMs() });
        }
      seen = new Set(standing.map(({ key }) => key));
      told = new Set([...told].filter((key) => seen.has(key)));
    } catch (cause) {
      log.event(
        "warn",
        "notify.failed",
        `nothing could be told: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  };
  const stopLooking = clock.every(LOOK_MS, look);
  return {
    tell,
    counts: () => outboxes.map((outbox) => outbox.counts()),
    stop: async () => {
      stopLooking();
      look();
      await Promise.all(outboxes.map((outbox) => outbox.stop()));
    },
  };
}
