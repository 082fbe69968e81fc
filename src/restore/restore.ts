/** What the journal of earlier runs tells a new one: promises without an end, legs with their theses, anchors, beats. */
import { dec } from "../core/decimal.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../core/time.ts";
import { type DayAnchors, withFill } from "../agent/books/day-anchors.ts";
import type { RestoredFills } from "../agent/books/fill-watch.ts";
import type { Restored } from "../agent/state/restored.ts";
import { countBeat, noBeats, type UptimeCount } from "../agent/books/uptime.ts";
import type { JournalReader } from "../journal/reader.ts";
import { lostCloses, ownCloses } from "./restore-closes.ts";
import { costsOf } from "./restore-costs.ts";
import { filledUntold } from "./restore-filled.ts";
import { promisesOf } from "./restore-intents.ts";
import { legsOf } from "./restore-legs.ts";
import { restoreMind } from "./restore-mind.ts";
import type { FloorState } from "../risk/view.ts";
import { changesAskedMs, stopsAsked, stopsAskedMs, stopsLeft } from "./restore-stops.ts";
import { pastFill, tradesOf } from "./restore-trades.ts";
import { text } from "./restore-fields.ts";

const OURS_FOR_MS = 8 * DAY_MS;
const FILLS_KNOWN = 5_000;
/** Rows about protection that the spans of earlier runs are read from. */
const SPANS_READ = 1_000;
const CONFIGS_READ = 50;
const BEATS_FOR_MS = 14 * DAY_MS;
/** More beats than an hour has; one of them carries the whole count. */
const BEATS_WITH_A_TALLY = 400;

/** Read once at a start, and by `ballast status` where no agent runs; `nowMs` is epoch ms. */
export function restore(reader: JournalReader, nowMs: number): Restored {
  const told = legsOf(reader);
  const filled = filledUntold(reader, nowMs);
  const legs = new Map([...filled, ...told.legs]);
  const { sent, unsent } = promisesOf(reader, nowMs);
  return {
    openIntents: sent,
    unsentIntents: unsent,
    ourClientIds: ourClientIds(reader, nowMs),
    ownCloseIds: ownCloses(reader),
    lostCloses: lostCloses(reader, nowMs),
    legs,
    closedLegs: told.closed,
    filledMs: Math.max(-Infinity, ...[...filled.values()].map(({ toldMs }) => toldMs)),
    trades: tradesOf(reader, legs),
    fills: fillsOf(reader),
    openingsMs: openingsMs(reader, nowMs),
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
    mind: restoreMind(reader, nowMs),
  };
}

/** What counts for the hour's limit, so that no restart gives it anew. */
const openingsMs = (reader: JournalReader, nowMs: number): readonly number[] =>
  reader.rows({ kinds: ["intent"], sinceMs: nowMs - HOUR_MS }).flatMap(({ body, atMs }) => {
    const { event, opening } = body as { readonly event?: unknown; readonly opening?: unknown };
    return event === "open" && opening === true ? [atMs] : [];
  });

function ourClientIds(reader: JournalReader, nowMs: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const row of reader.rows({ kinds: ["intent"], sinceMs: nowMs - OURS_FOR_MS })) {
    const id = text((row.body as { clientOrderId?: unknown }).clientOrderId);
    if (id) ids.add(id);
  }
  return ids;
}

/** How long positions stood without a stop, oldest first. */
const unprotectedMs = (reader: JournalReader): readonly number[] =>
  reader
    .rows({ kinds: ["protection"], limit: SPANS_READ, newest: true })
    .map((row) => (row.body as { unprotectedMs?: unknown }).unprotectedMs)
    .filter((ms): ms is number => typeof ms === "number" && ms >= 0);

/** Fills that are told already, and how far the list of executions had been read. */
function fillsOf(reader: JournalReader): RestoredFills {
  const ids = reader
    .rows({ kinds: ["fill"], limit: FILLS_KNOWN, newest: true })
    .map((row) => String((row.body as { transactionId?: unknown }).transactionId));
  const reads = reader.rows({ kinds: ["reconcile"], limit: 200, newest: true });
  const read = reads.findLast(({ body }) => Number.isFinite((body as { throughMs?: unknown }).throughMs));
  const { throughMs, sinceMs } = (read?.body ?? {}) as { throughMs?: number; sinceMs?: unknown };
  const firstMs = reader.rows({ limit: 1 })[0]?.atMs ?? null;
  // A run that ended before it had read the list was the first of its journal.
  const since = read ? sinceMs : firstMs;
  return { ids, throughMs: throughMs ?? firstMs, ...(typeof since === "number" ? { sinceMs: since } : {}) };
}

function floorOf(reader: JournalReader): FloorState {
  const rows = reader.rows({ kinds: ["floor", "operator"], limit: 50, newest: true });
  const states = rows.map((row) => (row.body as { to?: unknown } | null)?.to).filter((to) => isFloorState(to));
  return states.at(-1) ?? "NORMAL";
}

/** From the configurations that held; the last of them says which phase. */
function phaseOf(reader: JournalReader): Pick<Restored, "phase"> {
  const told = reader.rows({ kinds: ["config"], limit: CONFIGS_READ, newest: true }).flatMap(({ body, atMs }) => {
    const phase = (body as { config?: { phase?: unknown } }).config?.phase;
    return phase === 1 || phase === 2 ? [{ phase, atMs } as const] : [];
  });
  const last = told.at(-1);
  if (!last) return {};
  const before = told.findLastIndex(({ phase }) => phase !== last.phase);
  return { phase: { phase: last.phase, sinceMs: before < 0 ? null : (told[before + 1]?.atMs ?? null) } };
}

const FLOOR_STATES: readonly FloorState[] = ["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"];
const isFloorState = (word: unknown): word is FloorState => FLOOR_STATES.some((state) => state === word);

/** As last written down, and with the fills that were told after that: they are known, and will not be told again. */
function anchorsOf(reader: JournalReader): DayAnchors | null {
  const row = reader.latest("equity");
  const anchors = (row?.body as { anchors?: Record<string, string> | null } | undefined)?.anchors;
  if (!row || !anchors) return null;
  const figure = (name: string) => dec(anchors[name] ?? "0");
  const day = anchors["day"] ?? "";
  const since = reader
    .rows({ kinds: ["fill"], sinceSeq: row.seq })
    .map(({ body, atMs }) => pastFill(body as Readonly<Record<string, unknown>>, atMs).execution)
    .filter((execution) => utcDay(execution.atMs) >= day);
  return since.reduce<DayAnchors>(withFill, {
    day,
    equityStartUsdt: figure("equityStartUsdt"),
    unrealizedStartUsdt: figure("unrealizedStartUsdt"),
    feesUsdt: figure("feesUsdt"),
    realizedUsdt: figure("realizedUsdt"),
  });
}

/** From the newest beat that carries the whole count; every beat of the last weeks where none does. */
function uptimeOf(reader: JournalReader, nowMs: number): UptimeCount {
  const recent = reader.rows({ kinds: ["beat"], limit: BEATS_WITH_A_TALLY, newest: true });
  const at = recent.findLastIndex((row) => tallyIn(row.body) !== null);
  const start = tallyIn(recent[at]?.body);
  const beats = start ? recent.slice(at + 1) : reader.rows({ kinds: ["beat"], sinceMs: nowMs - BEATS_FOR_MS });
  const before = start ? recent[at] : undefined;
  return beats.reduce((count, row, index) => {
    const last = index === 0 ? before : beats[index - 1];
    return countBeat(count, row.atMs, last?.boot === row.boot ? row.monoMs - last.monoMs : null);
  }, start ?? noBeats);
}

function tallyIn(body: unknown): UptimeCount | null {
  const tally = (body as { uptime?: Partial<UptimeCount> } | null | undefined)?.uptime;
  if (typeof tally?.firstBeatMs !== "number" || typeof tally.lastBeatMs !== "number") return null;
  return {
    firstBeatMs: tally.firstBeatMs,
    lastBeatMs: tally.lastBeatMs,
    outages: tally.outages ?? [],
    ...(tally.restart ? { restart: tally.restart } : {}),
  };
}
