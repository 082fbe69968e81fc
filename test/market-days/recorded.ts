/**
 * The violent windows of recorded data on the light profile: each candle walks from its open to the extreme that hurts, to
 * the other one and to its close, in steps between which the agent looks, while it is held to the worst side throughout.
 */
import { join } from "node:path";
import { err, ok, type Result } from "../../src/core/result.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { type CandleColumns, readCandleFile } from "../../src/sim/market/import.ts";
import { listWindows } from "../../src/sim/market/windows.ts";
import { begin, type Day, nudge, over, symbolOf } from "./begin.ts";
import { type DayOutcome, open, outcomeOf } from "./day.ts";
import { between } from "./walk.ts";
import { move, opened, step } from "./watch.ts";

interface Violent {
  readonly name: string;
  readonly interval: string;
  readonly window: string;
  /** Data symbol, and the instrument whose rules it is traded by here. */
  readonly symbols: readonly (readonly [data: string, base: string])[];
  readonly from: string;
  readonly hours: number;
}

const VIOLENT: readonly Violent[] = [
  {
    name: "2020-03-12, hours",
    interval: "1h",
    window: "perp-2020-02_04",
    symbols: [["BTCUSDT", "BTC"]],
    from: "2020-03-12T00:00:00Z",
    hours: 48,
  },
  {
    // The hours in which LUNA fell; its own candles are in no folder of ours.
    name: "May 2022, hours",
    interval: "1h",
    window: "perp-2022-05_07",
    symbols: [
      ["BTCUSDT", "BTC"],
      ["ETHUSDT", "ETH"],
    ],
    from: "2022-05-07T00:00:00Z",
    hours: 140,
  },
  {
    name: "2025-02-03, minutes",
    interval: "1m",
    window: "spot-2025-01_02",
    symbols: [
      ["BTCUSDT", "BTC"],
      ["ETHUSDT", "ETH"],
    ],
    from: "2025-02-02T12:00:00Z",
    hours: 24,
  },
  {
    name: "LAYER 2025-05-06, minutes",
    interval: "1m",
    window: "perp-2025-05_06",
    symbols: [["LAYERUSDT", "LAB"]],
    from: "2025-05-05T00:00:00Z",
    hours: 48,
  },
  {
    name: "DOGE 2025-10-10, five minutes",
    interval: "5m",
    window: "perp-2025-09_11",
    symbols: [["DOGEUSDT", "DOGE"]],
    from: "2025-10-10T12:00:00Z",
    hours: 24,
  },
  {
    name: "2026-02-05, minutes",
    interval: "1m",
    window: "perp-2026-01_02",
    symbols: [
      ["ZECUSDT", "ZEC"],
      ["DOGEUSDT", "DOGE"],
    ],
    from: "2026-02-05T00:00:00Z",
    hours: 24,
  },
];

interface Track {
  readonly base: string;
  readonly candles: CandleColumns;
  /** Rows of the window, first and one past the last. */
  readonly first: number;
  readonly end: number;
}

export interface Window {
  readonly name: string;
  readonly intervalMs: number;
  readonly startMs: number;
  readonly lengthMs: number;
  readonly tracks: readonly Track[];
}

/** The windows that the folder holds. The error says that it holds none of them. */
export function violentWindows(dir: string): Result<readonly Window[], string> {
  const listed = listWindows(dir);
  if (!listed.ok) return listed;
  const found = VIOLENT.flatMap((violent): Window[] => {
    const window = listed.value.find(({ interval, name }) => interval === violent.interval && name === violent.window);
    const startMs = Date.parse(violent.from);
    const lengthMs = violent.hours * HOUR_MS;
    const tracks = violent.symbols.flatMap(([data, base]): Track[] => {
      const file = window?.files.get(data);
      const read = file === undefined ? null : readCandleFile(file, window?.intervalMs ?? MINUTE_MS);
      if (!read?.ok) return [];
      const times = [...read.value.openMs];
      const first = times.findIndex((openMs) => openMs >= startMs);
      const end = times.findIndex((openMs) => openMs >= startMs + lengthMs);
      return first < 0 ? [] : [{ base, candles: read.value, first, end: end < 0 ? times.length : end }];
    });
    if (!window || tracks.length < violent.symbols.length) return [];
    return [{ name: violent.name, intervalMs: window.intervalMs, startMs, lengthMs, tracks }];
  });
  return found.length > 0 ? ok(found) : err(`none of the violent windows lies in ${join(dir, "klines-*")}`);
}

const figure = ({ candles }: Track, column: "open" | "high" | "low" | "close", row: number): number =>
  (candles[column][row] ?? NaN) / 10 ** candles.priceDecimals;

/** Between two looks no symbol walks further than this. */
const STEP_MAX = 0.004;
const STEPS_LEAST = 4;
/** Decisions are asked for every so many candles. */
const NUDGE_EVERY = 5;

/** Plays a window from its first candle to its last, the trader leaning one way throughout. */
export function playWindow(
  window: Window,
  leaning: "LONG" | "SHORT",
  report?: (atMs: number, text: string) => void,
): DayOutcome {
  const { tracks, startMs, lengthMs } = window;
  const price = (base: string): number => {
    const track = tracks.find((each) => each.base === base);
    return track ? figure(track, "open", track.first) : NaN;
  };
  const day = begin(
    {
      beyond: false,
      paired: false,
      phase: 1,
      mode: "BOTH",
      startUsdt: "1000",
      bases: tracks.map(({ base }) => base),
      depth: "thin",
      risk: "wide",
      latencyMs: 50,
      lossy: 0,
      funding: 0.0001,
      seed: `violent:${window.name}:${leaning}`,
      unrest: () => 0,
      price,
      startMs,
      lengthMs,
      report,
    },
    opened,
  );
  day.trader.lean(leaning);
  open(day);
  const rows = Math.min(...tracks.map(({ first, end }) => end - first));
  for (let row = 0; row < rows && !over(day); row++) {
    if (row % NUDGE_EVERY === 0) nudge(day);
    playCandle(day, window, { row, leaning });
  }
  return outcomeOf(day);
}

function playCandle(
  day: Day,
  { tracks, intervalMs, startMs }: Window,
  { row, leaning }: { readonly row: number; readonly leaning: "LONG" | "SHORT" },
): void {
  const order = leaning === "LONG" ? (["low", "high", "close"] as const) : (["high", "low", "close"] as const);
  const endMs = startMs + (row + 1) * intervalMs;
  order.forEach((column, at) => {
    const goals = new Map(tracks.map((track) => [symbolOf(track.base), figure(track, column, track.first + row)]));
    const from = new Map([...goals.keys()].map((symbol) => [symbol, day.venue.price(symbol)]));
    const widest = Math.max(
      ...[...goals].map(([symbol, goal]) => Math.abs(Math.log(goal / (from.get(symbol) ?? goal)))),
    );
    const steps = Math.max(Math.ceil(widest / STEP_MAX), STEPS_LEAST);
    const leftMs = (endMs - day.loop.clock.nowMs()) / (order.length - at);
    for (let each = 1; each <= steps && !over(day); each++) {
      day.loop.pass(Math.max(0, leftMs / steps));
      const part = each / steps;
      move(day, new Map([...goals].map(([symbol, goal]) => [symbol, between(from.get(symbol) ?? goal, goal, part)])));
      step(day, 0);
    }
  });
}
