/** Recorded trades: played one by one where they make up a candle, and candles of their own where there are no others. */
import { join } from "node:path";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { dec } from "../../../src/core/decimal.ts";
import { createReplay, type ReplaySettings, type ReplayTape } from "../../../src/sim/market/replay.ts";
import { candlesOf, readTradeFiles, readTrades } from "../../../src/sim/market/trades.ts";
import { REAL_DATA, writeFolder } from "./data-folder.ts";
import { recorder, type Recorder, specFor } from "./recorder.ts";

const HEAD = "local_ts_ns,event_time_ms,trade_time_ms,trade_id,price,qty,is_buyer_maker,order_type";
const T0 = Date.UTC(2026, 0, 5, 9);
const trade = (afterMs: number, price: string, qty: string, sells: 0 | 1): string =>
  `1,2,${T0 + afterMs},7,${price},${qty},${sells},MARKET`;
const TRADES = [
  HEAD,
  trade(1_000, "100.50000000", "0.010", 0),
  trade(20_000, "101.2", "0.250", 0),
  trade(19_990, "99.9", "1", 1),
  trade(59_999, "100", "0.1", 1),
  trade(61_000, "100.1", "0.004", 0),
].join("\n");
/** The first minute is what the trades say; the second one had a trade that nobody recorded. */
const CANDLES = [
  "open_time_ms,open,high,low,close,volume",
  `${T0},100.5,101.2,99.9,100,1.36`,
  `${T0 + 60_000},100.1,100.4,100.1,100.4,5`,
].join("\n");

function play(settings: Omit<ReplaySettings, "entropy" | "symbols">, seed = 1): [ReplayTape, Recorder] {
  const tape = createReplay({ symbols: [specFor("SOL"), specFor("BTC")], entropy: seededEntropy(seed), ...settings });
  if (!tape.ok) throw new Error(tape.error);
  const into = recorder();
  tape.value.start(into, T0);
  for (let atMs = T0; atMs <= T0 + 120_000; atMs += 250) tape.value.step(atMs);
  return [tape.value, into];
}

const reported = ([tape, into]: [ReplayTape, Recorder]): readonly string[] => {
  const { tickSize, lotSize } = tape.symbols[0]?.rules ?? specFor("SOL").rules;
  return into.prints.map(
    ({ atMs, ticks, lots, takerBuys }) =>
      `${atMs - T0} ${dec(ticks).mul(tickSize).toFixed()} ${dec(lots).mul(lotSize).toFixed()} ${takerBuys}`,
  );
};
const FIRST = ["1000 100.5 0.01 true", "20000 101.2 0.25 true", "20000 99.9 1 false", "59999 100 0.1 false"];

describe("trades in the folder", () => {
  test("are a window of their own, played as they happened", () => {
    const dir = writeFolder({ "trades/usdm-SOLUSDT-20260105.csv.gz": `${TRADES}\n` });
    const run = play({ dir, window: "trades/usdm-20260105" });
    expect(reported(run)).toEqual([...FIRST, "61000 100.1 0.004 true"]);
    expect(play({ dir })[0].window.name).toBe("usdm-20260105");
  });

  test("win over the made path where they make up the candle, whatever the seed; elsewhere the path is made", () => {
    const files = { "klines-1m/perp-2026-01/SOLUSDT.csv": CANDLES, "trades/usdm-SOLUSDT-20260105.csv": TRADES };
    const runs = [1, 2].map((seed) => reported(play({ dir: writeFolder(files), fromMs: T0 }, seed)));
    for (const run of runs) expect(run.slice(0, 4)).toEqual(FIRST);
    expect(runs[0]?.slice(4)).not.toEqual(runs[1]?.slice(4));
    expect(runs[0]?.length).toBeGreaterThan(8);
  });

  test("of another market are not mixed in", () => {
    const files = { "klines-1m/perp-2026-01/SOLUSDT.csv": CANDLES, "trades/spot-SOLUSDT-20260105.csv": TRADES };
    expect(reported(play({ dir: writeFolder(files), fromMs: T0 })).slice(0, 4)).not.toEqual(FIRST);
  });
});

test.each([
  ["price,qty", ":1: the first line must name"],
  [HEAD, "holds no trades"],
  [`${HEAD}\n${trade(0, "1e3", "1", 0)}`, ":2: expected plain figures"],
  [`${HEAD}\n${trade(0, "1", "0", 0)}`, ":2: price and quantity"],
  [`${HEAD}\n1,2,3,4,5,6,x,`, ":2: expected plain figures"],
])("a file that breaks the format is refused with its line (%#)", (text, reason) => {
  const read = readTrades(text, "x.csv");
  expect(read).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
});

const REAL = join(REAL_DATA, "trades/usdm-BTCUSDT-20240808.csv.gz");
test.skipIf(!existsSync(REAL))(`every real trade of ${REAL} is played at its price, size and side`, () => {
  const source = readTradeFiles([REAL]);
  if (!source.ok) throw new Error(source.error);
  const [tape, into] = [
    createReplay({ dir: REAL_DATA, symbols: [specFor("BTC")], entropy: seededEntropy(1), window: "usdm-20240808" }),
    recorder(),
  ];
  if (!tape.ok) throw new Error(tape.error);
  const { count, price, qty, sells, priceDecimals, qtyDecimals } = source.value;
  tape.value.start(into, T0);
  const minutes = candlesOf(source.value).count;
  for (let atMs = T0; atMs <= T0 + (minutes + 1) * 60_000; atMs += 1_000) tape.value.step(atMs);
  const rules = tape.value.symbols[0]?.rules ?? specFor("BTC").rules;
  expect(into.prints.length).toBe(count);
  const wrong = into.prints.filter(({ ticks, lots, takerBuys }, i) => {
    const same = dec(ticks)
      .mul(rules.tickSize)
      .eq(dec(price[i] ?? 0).div(dec(10).pow(priceDecimals)));
    return (
      !same ||
      !dec(lots)
        .mul(rules.lotSize)
        .eq(dec(qty[i] ?? 0).div(dec(10).pow(qtyDecimals))) ||
      takerBuys !== (sells[i] === 0)
    );
  });
  expect(wrong.length).toBe(0);
});
