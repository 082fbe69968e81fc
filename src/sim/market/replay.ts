/**
 * Plays recorded candles as a market: trades inside each candle, a generated book around them, marks, and recorded
 * funding. It runs on the venue's clock, with a fixed offset to the tape's own time. Candles rebuilt from the trades
 * equal the source exactly. Files and their format: docs/DATA-FORMAT.md.
 */
import type { Entropy } from "../../core/entropy.ts";
import { ok, type Result } from "../../core/result.ts";
import { DAY_MS } from "../../core/time.ts";
import { KLINE_INTERVAL_MS } from "../../domain/market.ts";
import type { MarketInput } from "../exchange/contract/market-api.ts";
import { createPlayer, type Player } from "./player-state.ts";
import { dueUntil, haltWhereOver, playBook, playDue, playSlow, startPlayer } from "./player.ts";
import type { Recorded } from "./recorded.ts";
import { barsBefore } from "./recorded-past.ts";
import { GRID_MS, SUB_STEPS_MAX, type Tape } from "./tape.ts";
import type { CandleWindow } from "./windows.ts";
import { coverOf, readWindow, type RecordedWindow, type WindowSettings } from "./read-window.ts";

export { readWindow, type RecordedWindow } from "./read-window.ts";

/** Without `fromMs` the tape begins where `chooseFrom` says. */
export interface ReplaySettings extends WindowSettings {
  readonly entropy: Entropy;
  /** The interval of `step` calls; a slow market has fewer prints. */
  readonly stepMs?: number;
  /** Shows the data under other names and at other prices. */
  readonly disguise?: (recorded: Recorded) => Recorded;
}

/** A tape that knows its position. It cannot be moved: `push` always returns false. */
export interface ReplayTape extends Tape {
  readonly window: CandleWindow;
  /** Instruments that have no data in the window. */
  readonly absent: readonly string[];
  /** Venue time minus tape time; null before the start. */
  offsetMs(): number | null;
  /** First and last instant of the tape's own time that any symbol covers. */
  readonly spanMs: readonly [from: number, to: number];
  /** True once every symbol has ended; all are halted then. */
  ended(): boolean;
}

/**
 * Where to begin: as given; else where data of all symbols exist, if at least a day is left from there; else at the
 * first candle. Unless given, the tape begins at the venue's time of day, so that days and funding hours stay aligned.
 */
function chooseFrom(
  recorded: readonly Recorded[],
  askedMs: number | undefined,
  nowMs: number,
  intervalMs: number,
): number {
  if (askedMs !== undefined) return Math.floor(askedMs / intervalMs) * intervalMs;
  const covers = recorded.map(coverOf);
  const allBegun = Math.max(...covers.map(([firstMs]) => firstMs));
  const oneEnds = Math.min(...covers.map(([, lastMs]) => lastMs));
  const overlap = oneEnds - allBegun >= DAY_MS * 2;
  const earliest = overlap ? allBegun : Math.min(...covers.map(([firstMs]) => firstMs));
  const intervalNow = Math.floor(nowMs / intervalMs) * intervalMs;
  const wait = (((intervalNow - earliest) % DAY_MS) + DAY_MS) % DAY_MS;
  return earliest + wait < oneEnds ? earliest + wait : earliest;
}

/** Opens a data folder as a tape. The errors are those of `readWindow`. */
export function createReplay(settings: ReplaySettings): Result<ReplayTape, string> {
  const read = readWindow(settings);
  if (!read.ok) return read;
  const { disguise = (recorded) => recorded } = settings;
  return ok(tapeOver(settings, { ...read.value, recorded: read.value.recorded.map(disguise) }));
}

/** How far back a tape knows its past. */
const PAST_MS = 50 * DAY_MS;
const SLOW_STEP_MS = 2_500;
const SLOW_SUB_STEPS = 4;

interface Running {
  readonly input: MarketInput;
  readonly offsetMs: number;
  readonly players: readonly Player[];
  readonly startMs: number;
  nowMs: number;
}

function tapeOver(settings: ReplaySettings, { window, recorded, spanMs }: RecordedWindow): ReplayTape {
  let running: Running | null = null;
  const symbols = recorded.map((each) => each.spec);
  const played = new Set(symbols.map((spec) => spec.rules.symbol));
  return {
    window,
    spanMs,
    symbols,
    absent: settings.symbols.map((spec) => spec.rules.symbol).filter((symbol) => !played.has(symbol)),
    offsetMs: () => running?.offsetMs ?? null,
    ended: () => running !== null && running.players.every((player) => player.ended),
    start: (input, nowMs) => {
      const { intervalMs } = window;
      const fromMs = chooseFrom(recorded, settings.fromMs, nowMs, intervalMs);
      const offsetMs = Math.floor(nowMs / intervalMs) * intervalMs - fromMs;
      const players = recorded.map((each) =>
        createPlayer(each, settings.entropy, { offsetMs, stepMs: settings.stepMs ?? GRID_MS }),
      );
      running = { input, offsetMs, players, startMs: nowMs, nowMs };
      for (const player of players) startPlayer(input, player, nowMs);
    },
    step: (nowMs) => {
      if (running) stepAll(running, nowMs);
    },
    push: () => false,
    past: (symbol, interval) => {
      const one = recorded.find(({ spec }) => spec.rules.symbol === symbol);
      const stepMs = KLINE_INTERVAL_MS[interval] ?? 0;
      if (!one || !running || stepMs < one.intervalMs) return [];
      const { offsetMs, startMs } = running;
      return barsBefore(one, { fromMs: startMs - PAST_MS, untilMs: startMs, stepMs, shiftMs: offsetMs });
    },
  };
}

/** Usual steps are divided on the fine grid, long ones into quarters, so that weeks stay affordable. */
const gridOf = (stepMs: number): number =>
  Math.max(GRID_MS, Math.ceil(stepMs / (stepMs > SLOW_STEP_MS ? SLOW_SUB_STEPS : SUB_STEPS_MAX) / GRID_MS) * GRID_MS);

/** Books and marks move on the grid; trades keep their own instants and come in order of time over all symbols. */
function stepAll(running: Running, toMs: number): void {
  const { input, players } = running;
  for (const player of players) playSlow(input, player, running.nowMs);
  const grid = gridOf(toMs - running.nowMs);
  while (running.nowMs < toMs) {
    const untilMs = Math.min(toMs, (Math.floor(running.nowMs / grid) + 1) * grid);
    const due = players.flatMap((player) => dueUntil(input, player, untilMs));
    due.sort((a, b) => a.atMs - b.atMs);
    for (const each of due) playDue(input, each);
    for (const player of players) haltWhereOver(input, player, untilMs);
    if (untilMs % grid === 0) for (const player of players) playBook(input, player, untilMs);
    running.nowMs = untilMs;
  }
}
