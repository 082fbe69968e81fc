/** What a new run takes from the journal: intents without an end, positions with their theses, anchors, heartbeats. */
import { DAY_MS, HOUR_MS, utcDay } from "../core/time.ts";
import { type DayAnchors, withFill } from "../agent/books/day-anchors.ts";
import type { RestoredFills } from "../agent/books/fill-watch.ts";
import type { Restored } from "../agent/state/restored.ts";
import { countBeat, noBeats, type UptimeCount } from "../agent/books/uptime.ts";
import { createHourlyEquity, type HourlyEquity, HOURS_KEPT } from "../domain/hourly-equity.ts";
import type { JournalReader } from "../journal/reader.ts";
import { lostCloses, ownCloses } from "./restore-closes.ts";
import { costsOf } from "./restore-costs.ts";
import { filledUntold } from "./restore-filled.ts";
import { endedIntents, promisesOf } from "./restore-intents.ts";
import { openPositionsOf, positionsOf } from "./restore-positions.ts";
import { restoreDeciding } from "./restore-deciding.ts";
import type { FloorState } from "../risk/view.ts";
import { changesAskedMs, stopsAsked, stopsAskedMs, stopsLeft } from "./restore-stops.ts";
import { tradesOf } from "./restore-trades.ts";
import { readConfig } from "../rows/config.ts";
import { readEquity } from "../rows/equity.ts";
import { readFill } from "../rows/fill.ts";
import { readFloor } from "../rows/floor.ts";
import { readIntent } from "../rows/intent.ts";
import { readOperator } from "../rows/operator.ts";
import { readProtection } from "../rows/protection.ts";
import { readReconcile } from "../rows/reconcile.ts";
import type { JournalRow } from "../rows/row.ts";
import { readUptimeCount } from "../rows/uptime-count.ts";

const OURS_FOR_MS = 8 * DAY_MS;
const FILLS_KNOWN = 5_000;
/** How many protection rows are read to find the unprotected spans of earlier runs. */
const SPANS_READ = 1_000;
const CONFIGS_READ = 50;
const SCORED_FOR_MS = HOURS_KEPT * HOUR_MS;
const BEATS_FOR_MS = 14 * DAY_MS;
/** More heartbeats than an hour has; one of them carries the complete count. */
const BEATS_WITH_A_TALLY = 400;

/** What `ballast status` shows if no agent runs. */
export type RestoredShown = Pick<Restored, "openIntents" | "positions" | "floor" | "uptime"> & {
  readonly hourly: HourlyEquity;
};

/** The same parts as of `restore`, without reading what the others need. */
export const restoreShown = (reader: JournalReader, nowMs: number): RestoredShown => ({
  openIntents: promisesOf(reader, nowMs).sent,
  positions: new Map([...filledUntold(reader, nowMs), ...openPositionsOf(reader)]),
  floor: floorOf(reader),
  uptime: uptimeOf(reader, nowMs),
  hourly: hourlyOf(reader, nowMs),
});

/** Read once at a start; `nowMs` is epoch ms. */
export function restore(reader: JournalReader, nowMs: number): Restored {
  const reported = positionsOf(reader);
  const filled = filledUntold(reader, nowMs);
  const positions = new Map([...filled, ...reported.positions]);
  const { sent, unsent } = promisesOf(reader, nowMs);
  return {
    openIntents: sent,
    endedIntents: endedIntents(reader),
    unsentIntents: unsent,
    ourClientIds: ourClientIds(reader, nowMs),
    ownCloseIds: ownCloses(reader),
    lostCloses: lostCloses(reader, nowMs),
    positions: positions,
    closedPositions: reported.closed,
    filledMs: Math.max(-Infinity, ...[...filled.values()].map(({ reportedMs }) => reportedMs)),
    trades: tradesOf(reader, positions),
    fills: fillsOf(reader),
    openingsMs: openingsMs(reader, nowMs),
    entriesMs: entriesMs(reader, nowMs),
    protectAskedMs: stopsAskedMs(reader, nowMs),
    amendAskedMs: changesAskedMs(reader, nowMs),
    stopsAsked: stopsAsked(reader, nowMs),
    stopsLeft: stopsLeft(reader, nowMs),
    unprotectedMs: unprotectedMs(reader),
    costs: costsOf(reader, nowMs),
    floor: floorOf(reader),
    ...phaseOf(reader),
    anchors: anchorsOf(reader),
    uptime: uptimeOf(reader, nowMs),
    hourly: hourlyOf(reader, nowMs),
    deciding: restoreDeciding(reader, nowMs),
  };
}

/** Openings that count for the hourly limit, so that a restart does not grant it again. */
const openingsMs = (reader: JournalReader, nowMs: number): readonly number[] =>
  reader.rows({ kinds: ["intent"], sinceMs: nowMs - HOUR_MS }).flatMap((row) => {
    const intent = readIntent(row);
    return intent.event === "open" && intent.opening ? [row.atMs] : [];
  });

/** The first opening of each decision and position; children and slices of the same entry are one. */
function entriesMs(reader: JournalReader, nowMs: number): readonly number[] {
  const begun = new Map<string, number>();
  for (const row of reader.rows({ kinds: ["intent"], sinceMs: nowMs - HOUR_MS })) {
    const intent = readIntent(row);
    if (intent.event !== "open" || !intent.opening) continue;
    const entry = `${intent.decisionId}|${intent.symbol}`;
    if (!begun.has(entry)) begun.set(entry, row.atMs);
  }
  return [...begun.values()];
}

function ourClientIds(reader: JournalReader, nowMs: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const row of reader.rows({ kinds: ["intent"], sinceMs: nowMs - OURS_FOR_MS })) {
    const intent = readIntent(row);
    if (intent.event !== "end") ids.add(intent.clientOrderId);
  }
  return ids;
}

/** How long positions had no stop, oldest first. */
const unprotectedMs = (reader: JournalReader): readonly number[] =>
  reader.rows({ kinds: ["protection"], limit: SPANS_READ, newest: true }).flatMap((row) => {
    const protection = readProtection(row);
    return "unprotectedMs" in protection && protection.unprotectedMs >= 0 ? [protection.unprotectedMs] : [];
  });

/** Executions that are known already, and how far the list of executions had been read. */
function fillsOf(reader: JournalReader): RestoredFills {
  const ids = reader
    .rows({ kinds: ["fill"], limit: FILLS_KNOWN, newest: true })
    .map((row) => readFill(row).transactionId);
  const reads = reader.rows({ kinds: ["reconcile"], limit: 200, newest: true }).flatMap((row) => {
    const read = readReconcile(row);
    return read.event === "fills" && read.throughMs !== null ? [read] : [];
  });
  const read = reads.at(-1);
  const firstMs = reader.rows({ limit: 1 })[0]?.atMs ?? null;
  // A run that ended before it had read the list was the first of its journal.
  const since = read ? read.sinceMs : firstMs;
  return { ids, throughMs: read?.throughMs ?? firstMs, ...(typeof since === "number" ? { sinceMs: since } : {}) };
}

function floorOf(reader: JournalReader): FloorState {
  const rows = reader.rows({ kinds: ["floor", "operator"], limit: 50, newest: true });
  const states = rows.flatMap((row) => {
    const moved = row.kind === "floor" ? readFloor(row) : readOperator(row);
    return "to" in moved ? [moved.to] : [];
  });
  return states.at(-1) ?? "NORMAL";
}

/** From the configurations that were in force; the last one gives the phase. */
function phaseOf(reader: JournalReader): Pick<Restored, "phase"> {
  const phases = reader.rows({ kinds: ["config"], limit: CONFIGS_READ, newest: true }).flatMap((row) => {
    const read = readConfig(row);
    const phase = "config" in read ? read.config.phase : undefined;
    return phase === undefined ? [] : [{ phase, atMs: row.atMs }];
  });
  const last = phases.at(-1);
  if (!last) return {};
  const before = phases.findLastIndex(({ phase }) => phase !== last.phase);
  return { phase: { phase: last.phase, sinceMs: before < 0 ? null : (phases[before + 1]?.atMs ?? null) } };
}

/** As last written, plus the executions that came after that: they are known and will not be counted again. */
function anchorsOf(reader: JournalReader): DayAnchors | null {
  const row = reader.latest("equity");
  const anchors = row && readEquity(row).anchors;
  if (!anchors) return null;
  return reader
    .rows({ kinds: ["fill"], sinceSeq: row.seq })
    .map(readFill)
    .filter((fill) => utcDay(fill.atMs) >= anchors.day)
    .reduce<DayAnchors>(withFill, anchors);
}

/** From the readings of the weeks that a score may cover. */
function hourlyOf(reader: JournalReader, nowMs: number): HourlyEquity {
  const hourly = createHourlyEquity();
  for (const row of aroundHours(reader.rows({ kinds: ["equity"], sinceMs: nowMs - SCORED_FOR_MS })))
    hourly.note(row.atMs, readEquity(row).equityUsdt.toNumber());
  return hourly;
}

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

/** From the newest heartbeat that carries the complete count; if none does, from every heartbeat of the last weeks. */
function uptimeOf(reader: JournalReader, nowMs: number): UptimeCount {
  const recent = reader.rows({ kinds: ["beat"], limit: BEATS_WITH_A_TALLY, newest: true });
  const at = recent.findLastIndex((row) => tallyIn(row) !== null);
  const counted = recent[at];
  const start = counted ? tallyIn(counted) : null;
  const beats = start ? recent.slice(at + 1) : reader.rows({ kinds: ["beat"], sinceMs: nowMs - BEATS_FOR_MS });
  const before = start ? recent[at] : undefined;
  return beats.reduce((count, row, index) => {
    const last = index === 0 ? before : beats[index - 1];
    return countBeat(count, row.atMs, last?.runId === row.runId ? row.monoMs - last.monoMs : null);
  }, start ?? noBeats);
}

function tallyIn(row: JournalRow): UptimeCount | null {
  // Most beats carry none, and are not worth a check.
  if (row.body !== null && (row.body as { uptime?: unknown }).uptime === undefined) return null;
  const { uptime } = readUptimeCount(row);
  if (!uptime || uptime.firstBeatMs === null || uptime.lastBeatMs === null) return null;
  const { restart, ...count } = uptime;
  return restart ? { ...count, restart } : count;
}
