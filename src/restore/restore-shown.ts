/**
 * What `ballast status` shows if no agent runs: the same as a start restores, from fewer rows. A row that cannot change
 * what is shown is not checked here, because a command is over sooner than thousands of checks; a start checks each.
 */
import type { Restored } from "../agent/state/restored.ts";
import { HOUR_MS } from "../core/time.ts";
import type { HourlyEquity } from "../domain/hourly-equity.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readIntent } from "../rows/intent.ts";
import { type JournalRow, peek } from "../rows/row.ts";
import { readUptimeCount } from "../rows/uptime-count.ts";
import { equityRows, floorOf, hourlyOf, uptimeOf } from "./restore-figures.ts";
import { openAmong, promisesOf } from "./restore-intents.ts";
import { type HeldByKey, openPositionsOf } from "./restore-positions.ts";

export type RestoredShown = Pick<Restored, "openIntents" | "floor" | "uptime"> & {
  readonly positions: HeldByKey;
  readonly hourly: HourlyEquity;
};

/** `nowMs` is epoch ms. */
export const restoreShown = (reader: JournalReader, nowMs: number): RestoredShown => ({
  openIntents: promisesOf(reader, nowMs, openAmong(withoutEnd(reader.rows({ kinds: ["intent"] })))).sent,
  positions: openPositionsOf(reader, nowMs),
  floor: floorOf(reader).floor,
  uptime: uptimeOf(reader, nowMs, countIn),
  hourly: hourlyOf(aroundHours(equityRows(reader, nowMs))),
});

/** The rows that began an intent which no later row ends: of a long past, almost all have ended. */
function withoutEnd(rows: readonly JournalRow[]): readonly JournalRow[] {
  const begun = new Map<unknown, JournalRow>();
  for (const row of rows) {
    const [event, intentId] = [peek(row, "event"), peek(row, "intentId")];
    if (event === "open") begun.set(intentId, row);
    else if (event === "end") begun.delete(intentId);
    else if (event !== "amend" && event !== "amend-end" && event !== "shown") readIntent(row);
  }
  return [...begun.values()];
}

/** Most heartbeats carry no count, and are not worth a check. */
const countIn = (row: JournalRow) =>
  row.body !== null && peek(row, "uptime") === undefined ? undefined : readUptimeCount(row).uptime;

/** The first and the last row of every hour: those between them say nothing of a full hour. */
function aroundHours(rows: readonly JournalRow[]): readonly JournalRow[] {
  const hourOf = (row: JournalRow | undefined): number => Math.floor((row?.atMs ?? NaN) / HOUR_MS);
  let lastMs = -Infinity;
  const later = rows.filter(({ atMs }) => {
    const isLater = atMs > lastMs;
    if (isLater) lastMs = atMs;
    return isLater;
  });
  return later.filter((row, at) => hourOf(later[at - 1]) !== hourOf(row) || hourOf(later[at + 1]) !== hourOf(row));
}
