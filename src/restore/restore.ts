/** What a new run takes from the journal: intents without an end, positions with their theses, anchors, heartbeats. */
import { openingsOfDay, type RecentOpening } from "../risk/view.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../core/time.ts";
import { positionKeyOf } from "../domain/position.ts";
import { type DayAnchors, withFill } from "../agent/books/day-anchors.ts";
import type { RestoredFills } from "../agent/books/fill-watch.ts";
import { READS_LAG_MS } from "../agent/books/read-lag.ts";
import type { Restored } from "../agent/state/restored.ts";
import type { JournalReader } from "../journal/reader.ts";
import { rememberingReader } from "../journal/remembered-rows.ts";
import { pastCloses } from "./restore-closes.ts";
import { costsOf } from "./restore-costs.ts";
import { endedIntents, hedgeModesOf, promisesOf } from "./restore-intents.ts";
import { heldBy, positionFactsOf } from "./restore-positions.ts";
import { restoreDeciding } from "./restore-deciding.ts";
import { equityRows, floorOf, hourlyOf, uptimeOf } from "./restore-figures.ts";
import { stopsOf } from "./restore-stops.ts";
import { surplusOf } from "./restore-surplus.ts";
import { tradesOf } from "./restore-trades.ts";
import { lastRows, rowsSince, rowTimes, type TimeOf } from "./row-times.ts";
import { readConfig } from "../rows/config.ts";
import { readEquity } from "../rows/equity.ts";
import { readFill } from "../rows/fill.ts";
import { readIntent } from "../rows/intent.ts";
import { readProtection } from "../rows/protection.ts";
import { readReconcile } from "../rows/reconcile.ts";

const OURS_FOR_MS = 8 * DAY_MS;
const FILLS_KNOWN = 5_000;
/** How many protection rows are read to find the unprotected spans of earlier runs. */
const SPANS_READ = 1_000;
const CONFIGS_READ = 50;

/** Read once at a start; `nowMs` is epoch ms. Throws RowError for a row that it takes something from and that does not fit. */
export function restore(journal: JournalReader, nowMs: number): Restored {
  const reader = rememberingReader(journal);
  const facts = positionFactsOf(reader, nowMs);
  const { sent, unsent } = promisesOf(reader, nowMs);
  const timeOf = rowTimes(reader, nowMs);
  return {
    openIntents: sent,
    endedIntents: endedIntents(reader),
    unsentIntents: unsent,
    ourClientIds: ourClientIds(reader, nowMs),
    externalOrders: externalOrders(reader, nowMs, timeOf),
    ...pastCloses(reader, nowMs),
    positionFacts: facts,
    trades: tradesOf(reader, heldBy(facts, nowMs), timeOf),
    fills: fillsOf(reader),
    recentOpenings: recentOpenings(reader, nowMs, timeOf),
    entriesMs: entriesMs(reader, nowMs, timeOf),
    surplus: surplusOf(reader, nowMs),
    ...stopsOf(reader, nowMs),
    unprotectedMs: unprotectedMs(reader),
    costs: costsOf(reader, nowMs),
    hedgeModes: hedgeModesOf(reader),
    ...floorOf(reader),
    ...phaseOf(reader),
    anchors: anchorsOf(reader),
    uptime: uptimeOf(reader, nowMs),
    hourly: hourlyOf(equityRows(reader, nowMs)),
    deciding: restoreDeciding(reader, nowMs),
  };
}

/** Openings count for limits, so that a restart does not grant them again. */
function recentOpenings(reader: JournalReader, nowMs: number, timeOf: TimeOf): readonly RecentOpening[] {
  const openings = rowsSince(reader, ["intent"], nowMs - DAY_MS, timeOf).flatMap((row) => {
    const intent = readIntent(row);
    if (intent.event !== "open" || !intent.opening) return [];
    return [{ symbol: intent.symbol, side: intent.leg, atMs: timeOf(row) }];
  });
  return openingsOfDay(openings, nowMs);
}

/** Only openings that begin a position; where a build before did not say which do, the first of each decision and position. */
function entriesMs(reader: JournalReader, nowMs: number, timeOf: TimeOf): readonly number[] {
  const begun = new Map<string, number>();
  for (const row of rowsSince(reader, ["intent"], nowMs - HOUR_MS, timeOf)) {
    const intent = readIntent(row);
    if (intent.event !== "open" || !intent.opening || intent.begins === false) continue;
    const entry = `${intent.decisionId}|${positionKeyOf(intent.symbol, intent.leg)}`;
    if (!begun.has(entry)) begun.set(entry, timeOf(row));
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

/** Lists that lag may not show them yet: a restart is no more than a long silence. Fault R9. */
function externalOrders(reader: JournalReader, nowMs: number, timeOf: TimeOf): NonNullable<Restored["externalOrders"]> {
  return lastRows(reader, ["reconcile"], READS_LAG_MS, timeOf).flatMap(({ row, agoMs }) => {
    const read = readReconcile(row);
    return read.event === "external-order" ? [{ symbol: read.symbol, seenMs: nowMs - agoMs }] : [];
  });
}

/** How long positions had no stop, oldest first. */
const unprotectedMs = (reader: JournalReader): readonly number[] =>
  reader.rows({ kinds: ["protection"], limit: SPANS_READ, newest: true }).flatMap((row) => {
    const protection = readProtection(row);
    return "unprotectedMs" in protection && protection.unprotectedMs > 0 ? [protection.unprotectedMs] : [];
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
  // A run that ended before it had read the list was the first of its journal.
  const sinceMs = read ? read.sinceMs : reader.rows({ limit: 1 })[0]?.atMs;
  return { ids, throughMs: read?.throughMs ?? null, ...(typeof sinceMs === "number" ? { sinceMs } : {}) };
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

/**
 * As last written, plus the executions that came after that: they are known and will not be counted again. Where the rows do not
 * say from when the day counts, those of its date count.
 */
function anchorsOf(reader: JournalReader): DayAnchors | null {
  const row = reader.latest("equity");
  const anchors = row && readEquity(row).anchors;
  if (!anchors) return null;
  return reader
    .rows({ kinds: ["fill"], sinceSeq: row.seq })
    .map(readFill)
    .filter(({ beforeDay, atMs }) => !beforeDay && (anchors.fromMs !== undefined || utcDay(atMs) >= anchors.day))
    .reduce<DayAnchors>(withFill, anchors);
}
