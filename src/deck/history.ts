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

export interface HistoryReader {
  /** What is known by now; reads what has come since. */
  now(): DeckHistory;
  stop(): void;
}

/** Equity over time, a point for each span at first and for longer ones as the line grows. */
class EquityLine {
  readonly atMs: number[] = [];
  readonly usdt: number[] = [];
  #widthMs = MINUTE_MS;

  add(at: number, equity: number): void {
    const last = this.atMs.length - 1;
    if (last >= 0 && Math.floor((this.atMs[last] ?? 0) / this.#widthMs) === Math.floor(at / this.#widthMs)) {
      this.atMs[last] = at;
      this.usdt[last] = equity;
      return;
    }
    this.atMs.push(at);
    this.usdt.push(equity);
    if (this.atMs.length <= POINTS_KEPT) return;
    this.#widthMs *= 2;
    thin(this.atMs, this.usdt, this.#widthMs);
  }
}

/** What is held long and short after each change of a position, at its entry price. */
class ExposureLine {
  readonly atMs: number[] = [];
  readonly long: number[] = [];
  readonly short: number[] = [];
  readonly #held = new Map<string, { readonly long: boolean; readonly usdt: number }>();
  readonly #contractSize: (symbol: string) => number;

  constructor(contractSize: (symbol: string) => number) {
    this.#contractSize = contractSize;
  }
  add(row: JournalRow): void {
    const { leg, symbol, side, qty, avgPrice } = readPosition(row);
    const usdt = qty.mul(avgPrice).toNumber() * this.#contractSize(symbol);
    if (usdt > 0) this.#held.set(leg, { long: side === "LONG", usdt });
    else this.#held.delete(leg);
    this.atMs.push(row.atMs);
    this.long.push(this.#sum(true));
    this.short.push(this.#sum(false));
    if (this.atMs.length > 2 * POINTS_KEPT)
      for (const column of [this.atMs, this.long, this.short]) column.splice(0, POINTS_KEPT);
  }
  #sum(long: boolean): number {
    return [...this.#held.values()].reduce((all, one) => (one.long === long ? all + one.usdt : all), 0);
  }
}

/** Begins to read with the first question. */
export function createHistory(
  reader: Pick<JournalReader, "rows">,
  { clock, contractSize }: { readonly clock: Pick<Clock, "every">; readonly contractSize: (symbol: string) => number },
): HistoryReader {
  const equity = new EquityLine();
  const exposure = new ExposureLine(contractSize);
  /** The newest booking of each call counts: an earlier one is corrected by it. */
  const booked = new Map<string, { readonly day: string; readonly usd: number }>();
  let seq = 0;
  let whole = false;
  let stopReading: (() => void) | null = null;
  const take = (row: JournalRow): void => {
    if (row.kind === "equity") return equity.add(row.atMs, readEquity(row).equityUsdt.toNumber());
    if (row.kind === "position") return exposure.add(row);
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
      const { atMs, usdt } = equity;
      const { atMs: changedMs, long, short } = exposure;
      return {
        equity: { atMs, usdt },
        exposure: { atMs: changedMs, long, short },
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
