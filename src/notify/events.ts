/** Which journal rows become notifications: one table from row kind to event. Pure. */
import { rowText } from "../rows/all-rows.ts";
import { readBoot } from "../rows/boot.ts";
import { readFloor } from "../rows/floor.ts";
import { readPosition } from "../rows/position.ts";
import { readProtection } from "../rows/protection.ts";
import { readTrade } from "../rows/trade.ts";
import { readSwitch } from "../rows/switch.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import type { EventName, NotificationLevel } from "./settings.ts";

export interface Notification {
  readonly event: EventName;
  readonly level: NotificationLevel;
  readonly atMs: number;
  readonly text: string;
}

type Seen = Pick<Notification, "event" | "level"> | null;

const FLOOR_LEVELS: Readonly<Record<string, NotificationLevel>> = {
  NORMAL: "notice",
  WARN: "warning",
  HOLD: "warning",
};

function ofProtection(row: JournalRow): Seen {
  const read = readProtection(row);
  if ("moving" in read) return { event: "stop-moved", level: "notice" };
  return "supervised" in read ? { event: "stop-missing", level: "alarm" } : null;
}

function ofPosition(row: JournalRow): Seen {
  return readPosition(row).kind === "opened" ? { event: "position-opened", level: "notice" } : null;
}

const TABLE: Partial<Record<RowKind, (row: JournalRow) => Seen>> = {
  boot: (row) => ("ready" in readBoot(row) ? { event: "run", level: "notice" } : { event: "run", level: "warning" }),
  stop: () => ({ event: "run", level: "warning" }),
  position: ofPosition,
  // With its result, which the row of the position does not have.
  trade: (row) => (readTrade(row).event === "closed" ? { event: "position-closed", level: "notice" } : null),
  protection: ofProtection,
  floor: (row) => ({ event: "floor", level: FLOOR_LEVELS[readFloor(row).to] ?? "alarm" }),
  operator: () => ({ event: "command", level: "warning" }),
  switch: (row) => ("command" in readSwitch(row) ? null : { event: "strategy", level: "warning" }),
};

const TITLES: Readonly<Record<EventName, string>> = {
  run: "Run",
  // Its sentence says by itself that it was opened.
  "position-opened": "Position",
  "position-closed": "Closed",
  "stop-moved": "Stop moved",
  "stop-missing": "Stop missing",
  floor: "Floor",
  command: "Command",
  strategy: "Strategy",
  cause: "Trouble",
  uptime: "Uptime",
  spend: "Model spend",
  day: "Day",
};

export const NOTIFIED_KINDS = Object.keys(TABLE) as readonly RowKind[];
const TEXT_MAX = 400;

/** The sentence is the row's own, as `explain` has it. A row that this build cannot read is left out. */
export function eventOf(row: JournalRow): Notification | null {
  try {
    const seen = TABLE[row.kind]?.(row) ?? null;
    return seen && { ...seen, atMs: row.atMs, text: rowText(row).slice(0, TEXT_MAX) };
  } catch {
    return null;
  }
}

/** `Position: LONG ... opened: ...`, with the level where it is more than a notice. */
export const notificationText = ({ event, level, text }: Notification): string =>
  `${level === "notice" ? "" : `${level.toUpperCase()} `}${TITLES[event]}: ${text}`;
