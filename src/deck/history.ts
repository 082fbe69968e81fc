/**
 * Equity and model money since the journal began. A long journal is read piece by piece, so that no reading holds up trading
 * for longer than a look at the market takes.
 */
import type { Clock } from "../core/clock.ts";
import { MINUTE_MS, utcDay } from "../core/time.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readEquity } from "../rows/equity.ts";
import { readPosition } from "../rows/position.ts";
import { readModelSettle } from "../rows/model-settle.ts";
import type { JournalRow } from "../rows/row.ts";
import type { DeckHistory } from "./shapes.ts";

const ROWS_AT_ONCE = 500;
const PAUSE_MS = 20;
/** Enough for a line; a month of minutes is thinned to it. */
const POINTS_KEPT = 3_000;

export interface History {
  /** What is known by now; reads what has come since. */
  now(): DeckHistory;
  stop(): void;
}

/** Begins to read with the first question. */
export function createHistory(
  reader: Pick<JournalReader, "rows">,
  { clock, contractSize }: { readonly clock: Pick<Clock, "every">; readonly contractSize: (symbol: string) => number },
): History {
  const atMs: number[] = [];
  const usdt: number[] = [];
  /** The newest booking of each call counts: an earlier one is corrected by it. */
  const booked = new Map<string, { readonly day: string; readonly usd: number }>();
  const held = new Map<string, { readonly long: boolean; readonly usdt: number }>();
  const exposure = { atMs: [] as number[], long: [] as number[], short: [] as number[] };
  let widthMs = MINUTE_MS;
  let seq = 0;
  let whole = false;
  let stopReading: (() => void) | null = null;
  const point = (at: number, equity: number): void => {
    const last = atMs.length - 1;
    if (last >= 0 && Math.floor((atMs[last] ?? 0) / widthMs) === Math.floor(at / widthMs)) {
      atMs[last] = at;
      usdt[last] = equity;
      return;
    }
    atMs.push(at);
    usdt.push(equity);
    if (atMs.length <= POINTS_KEPT) return;
    widthMs *= 2;
    thin(atMs, usdt, widthMs);
  };
  const change = (row: JournalRow): void => {
    const { leg, symbol, side, qty, avgPrice } = readPosition(row);
    const usdt = qty.mul(avgPrice).toNumber() * contractSize(symbol);
    if (usdt > 0) held.set(leg, { long: side === "LONG", usdt });
    else held.delete(leg);
    const sum = (long: boolean): number =>
      [...held.values()].reduce((all, one) => (one.long === long ? all + one.usdt : all), 0);
    exposure.atMs.push(row.atMs);
    exposure.long.push(sum(true));
    exposure.short.push(sum(false));
    if (exposure.atMs.length > 2 * POINTS_KEPT)
      for (const column of [exposure.atMs, exposure.long, exposure.short]) column.splice(0, POINTS_KEPT);
  };
  const take = (row: JournalRow): void => {
    if (row.kind === "equity") return point(row.atMs, readEquity(row).equityUsdt.toNumber());
    if (row.kind === "position") return change(row);
    const { attemptId, atMs: bookedMs, costUsd } = readModelSettle(row);
    booked.set(attemptId, { day: utcDay(bookedMs), usd: costUsd.toNumber() });
  };
  const readSome = (): boolean => {
    const rows = reader.rows({ kinds: ["equity", "position", "model-settle"], sinceSeq: seq, limit: ROWS_AT_ONCE });
    rows.forEach(take);
    seq = rows.at(-1)?.seq ?? seq;
    return rows.length < ROWS_AT_ONCE;
  };
  const readOn = (): void => {
    if (!readSome()) return;
    whole = true;
    stopReading?.();
    stopReading = null;
  };
  return {
    now: () => {
      if (whole) readSome();
      else if (stopReading === null) {
        readOn();
        if (!whole) stopReading = clock.every(PAUSE_MS, readOn);
      }
      return {
        equity: { atMs, usdt },
        exposure,
        spend: byDay([...booked.values()]),
        whole,
      };
    },
    stop: () => stopReading?.(),
  };
}

function byDay(booked: readonly { readonly day: string; readonly usd: number }[]): DeckHistory["spend"] {
  const days = new Map<string, number>();
  for (const { day, usd } of booked) days.set(day, (days.get(day) ?? 0) + usd);
  return [...days].map(([day, usd]) => ({ day, usd }));
}

/** Of each span the last point stays. */
function thin(atMs: number[], usdt: number[], widthMs: number): void {
  let kept = 0;
  for (let at = 0; at < atMs.length; at++) {
    const span = (index: number): number => Math.floor((atMs[index] ?? 0) / widthMs);
    if (at + 1 < atMs.length && span(at) === span(at + 1)) continue;
    atMs[kept] = atMs[at] ?? 0;
    usdt[kept] = usdt[at] ?? 0;
    kept++;
  }
  atMs.length = kept;
  usdt.length = kept;
}
