import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/time.ts";
import type { SymbolSpec } from "../../../src/sim/exchange/contract/market-api.ts";
import { candlePrints } from "../../../src/sim/market/candle-path.ts";
import { readCandleFile } from "../../../src/sim/market/import.ts";
import { fitRecorded, wholeCandle } from "../../../src/sim/market/recorded.ts";
import { createReplay, type ReplaySettings, type ReplayTape } from "../../../src/sim/market/replay.ts";
import { candleText, hasRealData, REAL_DATA, writeFolder } from "./data-folder.ts";
import { type Recorder, recorder, specFor } from "./recorder.ts";

const TAPE_MS = Date.UTC(2025, 4, 4, 15, 30);
const NOW_MS = Date.UTC(2026, 6, 20, 9, 0, 0);
const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const DOGE = "EXCHANGE_A_PERP_DOGE_USDT";

const made = (seed: number, price: number, priceDecimals: number, volume: number, volumeDecimals: number): string =>
  candleText({
    seed,
    fromMs: TAPE_MS,
    count: 120,
    intervalMs: MINUTE_MS,
    price,
    priceDecimals,
    volume,
    volumeDecimals,
  });

const BTC_TEXT = made(1, 95_000, 1, 40, 3);
const DOGE_TEXT = made(2, 0.17, 5, 30, 0);
const FUNDING = [
  "symbol,funding_time_ms,funding_rate",
  `BTCUSDT,${String(TAPE_MS + 30 * MINUTE_MS + 4)},0.0001`,
  `BTCUSDT,${String(TAPE_MS + 60 * MINUTE_MS)},-0.00005124`,
].join("\n");

const dir = writeFolder({
  "klines-1m/perp-2025-05_06/BTCUSDT.csv.gz": BTC_TEXT,
  "klines-1m/perp-2025-05_06/DOGEUSDT.csv": DOGE_TEXT,
  "klines-1h/perp-2024-01_02/BTCUSDT.csv": "open_time_ms,open,high,low,close,volume\n1704067200000,1,2,1,2,5\n",
  "funding/perp-2025.csv.gz": `${FUNDING}\n`,
});

function open(more: Partial<ReplaySettings> = {}): ReplayTape {
  const symbols = ["BTC", "DOGE", "ETH"].map((base) => specFor(base));
  const tape = createReplay({ dir, symbols, entropy: seededEntropy(1), fromMs: TAPE_MS, ...more });
  if (!tape.ok) throw new Error(tape.error);
  return tape.value;
}

function play(
  tape: ReplayTape,
  spanMs: number,
  everyMs = 250,
  into: Recorder = recorder(),
  startMs = NOW_MS,
): Recorder {
  tape.start(into, startMs);
  for (let atMs = startMs; atMs <= startMs + spanMs; atMs += everyMs) tape.step(atMs);
  return into;
}

/** Candles as a reader of the public trades would build them: text rows in the tape's own time. */
function rebuilt(into: Recorder, spec: SymbolSpec, offsetMs: number): string[] {
  const { symbol, tickSize, lotSize, contractSize } = spec.rules;
  const bars = new Map<number, { open: number; high: number; low: number; close: number; lots: number }>();
  for (const print of into.prints) {
    if (print.symbol !== symbol) continue;
    const openMs = Math.floor(print.atMs / MINUTE_MS) * MINUTE_MS - offsetMs;
    const bar = bars.get(openMs) ?? { open: print.ticks, high: 0, low: Infinity, close: 0, lots: 0 };
    bars.set(openMs, {
      open: bar.open,
      high: Math.max(bar.high, print.ticks),
      low: Math.min(bar.low, print.ticks),
      close: print.ticks,
      lots: bar.lots + print.lots,
    });
  }
  const price = (ticks: number): string => dec(ticks).mul(tickSize).toFixed();
  return [...bars].map(([openMs, bar]) =>
    [
      openMs,
      price(bar.open),
      price(bar.high),
      price(bar.low),
      price(bar.close),
      dec(bar.lots).mul(lotSize).mul(contractSize).toFixed(),
    ].join(","),
  );
}

/** Source rows with volume, up to a count of candles. */
const sourceRows = (text: string, count: number): string[] =>
  text
    .trim()
    .split("\n")
    .slice(1, count + 1)
    .filter((row) => !row.endsWith(",0"));

const specOf = (tape: ReplayTape, symbol: string): SymbolSpec => {
  const found = tape.symbols.find((spec) => spec.rules.symbol === symbol);
  if (!found) throw new Error(`${symbol} is not played`);
  return found;
};

describe("a replay", () => {
  test("gives trades from which the source's candles are rebuilt exactly", () => {
    const tape = open();
    const into = play(tape, 120 * MINUTE_MS, 2_000);
    const offsetMs = tape.offsetMs() ?? 0;
    expect(rebuilt(into, specOf(tape, BTC), offsetMs)).toEqual(sourceRows(BTC_TEXT, 120));
    expect(rebuilt(into, specOf(tape, DOGE), offsetMs)).toEqual(sourceRows(DOGE_TEXT, 120));
  });

  test("does so however coarsely it is stepped, and on an exchange that counts in contracts", () => {
    const symbols = [specFor("BTC", "EXCHANGE_B", "0.01"), specFor("DOGE", "EXCHANGE_B", "1000")];
    const tape = open({ symbols });
    const into = play(tape, 120 * MINUTE_MS, HOUR_MS);
    const offsetMs = tape.offsetMs() ?? 0;
    for (const [i, text] of [BTC_TEXT, DOGE_TEXT].entries()) {
      expect(rebuilt(into, tape.symbols[i] as SymbolSpec, offsetMs)).toEqual(sourceRows(text, 120));
    }
  });

  test("keeps time running forward and stamps nothing beyond the step", () => {
    const into = play(open(), 20 * MINUTE_MS, 700);
    const times = into.prints.map((print) => print.atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.max(...times)).toBeLessThanOrEqual(NOW_MS + 20 * MINUTE_MS);
  });

  test("is the same for the same seed, differs in the way for another", () => {
    const lines = (seed: number): string[] =>
      play(open({ entropy: seededEntropy(seed) }), 2 * MINUTE_MS, 250, recorder(true)).lines;
    expect(lines(3)).toEqual(lines(3));
    expect(lines(4)).not.toEqual(lines(3));
  });

  test("keeps an uncrossed book of 20 levels and more around the last trade", () => {
    const into = recorder();
    const tape = open();
    tape.start(into, NOW_MS);
    for (let i = 1; i < 600; i++) {
      tape.step(NOW_MS + i * 250);
      const book = into.books.get(BTC);
      const last = into.prints.findLast((print) => print.symbol === BTC);
      if (!book || !last) continue;
      expect(book.bids.length).toBeGreaterThanOrEqual(20);
      const [bid = 0, ask = 0] = [book.bids[0]?.[0], book.asks[0]?.[0]];
      expect(bid).toBeLessThan(ask);
      expect(last.ticks).toBe(last.takerBuys ? ask : bid);
    }
  });

  test("leaves out what has no data and says so; cannot be bent", () => {
    const tape = open();
    expect(tape.symbols.map((spec) => spec.rules.symbol)).toEqual([BTC, DOGE]);
    expect(tape.absent).toEqual(["EXCHANGE_A_PERP_ETH_USDT"]);
    expect(tape.push(BTC, 0.1, 1)).toBe(false);
  });

  test("joins a running candle midway, keeping the rest of it", () => {
    const tape = open();
    const into = play(tape, 10 * MINUTE_MS, 1_000, recorder(), NOW_MS + 20_000);
    expect(into.prints.every((print) => print.atMs >= NOW_MS + 20_000)).toBe(true);
    const rows = rebuilt(into, specOf(tape, BTC), tape.offsetMs() ?? 0);
    expect(rows.slice(1, 9)).toEqual(sourceRows(BTC_TEXT, 120).slice(1, 9));
  });

  test("keeps the time of day unless reported where to begin", () => {
    const settings = { dir, symbols: [specFor("BTC")], entropy: seededEntropy(1) };
    const tape = createReplay(settings);
    if (!tape.ok) throw new Error(tape.error);
    tape.value.start(recorder(), Date.UTC(2026, 6, 20, 17, 0, 0));
    expect((tape.value.offsetMs() ?? 1) % DAY_MS).toBe(0);
  });

  test("shifts recorded funding and names the next settlement only after the last was reached", () => {
    const into = play(open({ only: ["BTC"] }), 70 * MINUTE_MS, MINUTE_MS);
    const reported = into.fundings.map(({ rate, nextFundingAtMs }) => [
      rate.toFixed(),
      (nextFundingAtMs - NOW_MS) / MINUTE_MS,
    ]);
    expect(reported.slice(0, 2)).toEqual([
      ["0.0001", 30],
      ["-0.00005124", 60],
    ]);
  });

  test("halts a symbol when its data ends", () => {
    const tape = open();
    const into = play(tape, 121 * MINUTE_MS, MINUTE_MS);
    expect([...into.states.values()]).toEqual(["halted", "halted"]);
    expect(tape.ended()).toBe(true);
    expect(into.prints.length).toBeGreaterThan(1_000);
  });
});

describe("what cannot be played is refused with a reason", () => {
  const refusal = (more: Partial<ReplaySettings>): string => {
    const tape = createReplay({ dir, symbols: [specFor("BTC")], entropy: seededEntropy(1), ...more });
    return tape.ok ? "none" : tape.error;
  };
  test.each([
    [{ dir: "/nowhere/at/all" }, /folder \/nowhere\/at\/all does not exist/],
    [{ window: "perp-1999" }, /no window "perp-1999"; there are: 1m\/perp-2025-05_06, 1h\/perp-2024-01_02/],
    [{ only: ["SOL"] }, /no data for "SOL" in window 1m\/perp-2025-05_06; it holds BTCUSDT, DOGEUSDT/],
    [{ symbols: [specFor("ETH")] }, /data for none of the symbols/],
    [{ fromMs: 5 }, /--from .* is outside the recorded data/],
  ])("%o", (more, reason) => {
    expect(refusal(more)).toMatch(reason);
  });
  test("a window without candles of its own", () => {
    expect(refusal({ dir: writeFolder({ "readme.txt": "x" }) })).toMatch(/expected folders like klines-1m/);
  });
});

const SPAN_MS = 45 * MINUTE_MS;
const REAL_FILES = [
  ["1m", "perp-2026-01_02", "XMR", MINUTE_MS],
  ["1m", "perp-2026-01_02", "VET", MINUTE_MS],
  ["5m", "perp-2025-09_11", "DOGE", 5 * MINUTE_MS],
] as const;

describe.skipIf(!hasRealData)(
  `real files of ${REAL_DATA} (set BALLAST_MARKET_DATA to a data folder to run these)`,
  () => {
    test.each(REAL_FILES)("every candle of %s %s %s is rebuilt", (interval, window, base, intervalMs) => {
      const path = join(REAL_DATA, `klines-${interval}`, window, `${base}USDT.csv.gz`);
      const candles = readCandleFile(path, intervalMs);
      if (!candles.ok) throw new Error(candles.error);
      const spec = specFor(base);
      const recorded = fitRecorded({
        spec,
        dataSymbol: `${base}USDT`,
        candles: candles.value,
        intervalMs,
        funding: [],
      });
      const entropy = seededEntropy(1);
      const wrong: number[] = [];
      for (let i = 0; i < candles.value.count; i++) {
        const want = wholeCandle(recorded, i);
        const prints = candlePrints(want, entropy);
        if (prints.length === 0) {
          if (want.volume !== 0) wrong.push(i);
          continue;
        }
        let [high, low, lots, lastMs] = [0, Infinity, 0, 0];
        for (const print of prints) {
          high = Math.max(high, print.ticks);
          low = Math.min(low, print.ticks);
          lots += print.lots > 0 ? print.lots : NaN;
          lastMs = print.atMs >= lastMs ? print.atMs : NaN;
        }
        const inside = lastMs < want.openMs + intervalMs && (prints[0]?.atMs ?? 0) >= want.openMs;
        const same =
          prints[0]?.ticks === want.open &&
          prints.at(-1)?.ticks === want.close &&
          high === want.high &&
          low === want.low;
        if (!inside || !same || lots !== want.volume) wrong.push(i);
      }
      expect(wrong).toEqual([]);
      expect(candles.value.count).toBeGreaterThan(10_000);
    });

    test("a stretch of the newest window through the whole tape equals the source row by row", () => {
      const symbols = ["BCH", "ZEC"].map((base) => specFor(base));
      const fromMs = Date.UTC(2026, 0, 19, 0);
      const tape = createReplay({ dir: REAL_DATA, symbols, entropy: seededEntropy(2), fromMs });
      if (!tape.ok) throw new Error(tape.error);
      expect(tape.value.window.name).toBe("perp-2026-01_02");
      const into = play(tape.value, SPAN_MS, 5_000);
      for (const spec of tape.value.symbols) {
        const base = spec.rules.symbol.split("_").at(-2) ?? "";
        const path = tape.value.window.files.get(`${base}USDT`) ?? "";
        const candles = readCandleFile(path, MINUTE_MS);
        if (!candles.ok) throw new Error(candles.error);
        const { value } = candles;
        const price = (column: Float64Array, i: number): string =>
          dec(column[i] ?? 0)
            .div(dec(10).pow(value.priceDecimals))
            .toFixed();
        const rows: string[] = [];
        for (let i = 0; i < value.count; i++) {
          const openMs = value.openMs[i] ?? 0;
          if (openMs < fromMs || openMs >= fromMs + SPAN_MS || value.volume[i] === 0) continue;
          const volume = dec(value.volume[i] ?? 0)
            .div(dec(10).pow(value.volumeDecimals))
            .toFixed();
          const [open, high, low, close] = [value.open, value.high, value.low, value.close].map((column) =>
            price(column, i),
          );
          rows.push([openMs, open, high, low, close, volume].join(","));
        }
        expect(
          rebuilt(into, spec, tape.value.offsetMs() ?? 0).filter((row) => Number(row.split(",")[0]) < fromMs + SPAN_MS),
        ).toEqual(rows);
      }
    });
  },
);
