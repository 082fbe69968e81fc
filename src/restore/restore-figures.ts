/** Figures of the account as an earlier run left them, which a start and `ballast status` take: floor, equity, uptime. */
import { countBeat, noBeats, type UptimeCount } from "../agent/books/uptime.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import { createHourlyEquity, type HourlyEquity, HOURS_KEPT } from "../domain/hourly-equity.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { FloorState } from "../risk/view.ts";
import { type BeatRow, readBeat } from "../rows/beat.ts";
import { readEquity } from "../rows/equity.ts";
import { readFloor } from "../rows/floor.ts";
import { readOperator } from "../rows/operator.ts";
import type { JournalRow } from "../rows/row.ts";
import { newestRows } from "./newest-rows.ts";

const SCORED_FOR_MS = HOURS_KEPT * HOUR_MS;
const BEATS_FOR_MS = 14 * DAY_MS;
/** More heartbeats than an hour has; one of them carries the complete count. */
const BEATS_WITH_A_TALLY = 400;

export function floorOf(reader: JournalReader): { readonly floor: FloorState; readonly floorReason: string } {
  const rows = newestRows(reader, ["floor", "operator"], 50);
  const moves = rows.flatMap((row) => {
    if (row.kind === "floor") {
      const { to, reason } = readFloor(row);
      return [{ floor: to, floorReason: reason }];
    }
    const moved = readOperator(row);
    return "to" in moved ? [{ floor: moved.to, floorReason: `the operator said ${moved.command}` }] : [];
  });
  const last = moves.at(-1);
  return last && last.floor !== "NORMAL" ? last : { floor: "NORMAL", floorReason: "" };
}

/** The rows with readings of the weeks that a score may cover. */
export const equityRows = (reader: JournalReader, nowMs: number): readonly JournalRow[] =>
  reader.rows({ kinds: ["equity"], sinceMs: nowMs - SCORED_FOR_MS });

export function hourlyOf(rows: readonly JournalRow[]): HourlyEquity {
  const hourly = createHourlyEquity();
  for (const row of rows) hourly.note(row.atMs, readEquity(row).equityUsdt.toNumber());
  return hourly;
}

/** What a heartbeat says of uptime. */
type CountIn = (row: JournalRow) => BeatRow["uptime"];

/** From the newest heartbeat that carries the complete count; if none does, from every heartbeat of the last weeks. */
export function uptimeOf(
  reader: JournalReader,
  nowMs: number,
  countIn: CountIn = (row) => readBeat(row).uptime,
): UptimeCount {
  const recent = reader.rows({ kinds: ["beat"], limit: BEATS_WITH_A_TALLY, newest: true });
  const at = recent.findLastIndex((row) => tally(countIn(row)) !== null);
  const before = recent[at];
  const start = before ? tally(countIn(before)) : null;
  const beats = start ? recent.slice(at + 1) : reader.rows({ kinds: ["beat"], sinceMs: nowMs - BEATS_FOR_MS });
  return beats.reduce((count, row, index) => {
    // Those after the newest count were read in search of it.
    if (!start) countIn(row);
    const last = index === 0 ? before : beats[index - 1];
    return countBeat(count, row.atMs, last?.runId === row.runId ? row.monoMs - last.monoMs : null);
  }, start ?? noBeats);
}

function tally(uptime: BeatRow["uptime"]): UptimeCount | null {
  if (!uptime || uptime.firstBeatMs === null || uptime.lastBeatMs === null) return null;
  const { restart, ...count } = uptime;
  return restart ? { ...count, restart } : count;
}
