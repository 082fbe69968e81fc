import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/core/time.ts";
import { readCandles, readFunding } from "../../../src/sim/market/import.ts";
import { listWindows, pickWindow } from "../../../src/sim/market/windows.ts";
import { writeFolder } from "./data-folder.ts";

const HEADER = "open_time_ms,open,high,low,close,volume";
const read = (...rows: string[]): string => {
  const candles = readCandles([HEADER, ...rows, ""].join("\n"), "BTCUSDT.csv", MINUTE_MS);
  return candles.ok ? "ok" : candles.error;
};

describe("candle files", () => {
  test("are held exactly, in whole numbers of the finest decimal that occurs", () => {
    const text = [HEADER, "60000,1.5,2,1.25,1.75,10.125", "120000,1.75,1.75,1.75,1.75,0"].join("\n");
    const candles = readCandles(text, "x.csv", MINUTE_MS);
    if (!candles.ok) throw new Error(candles.error);
    const { open, high, low, close, volume, priceDecimals, volumeDecimals } = candles.value;
    expect([priceDecimals, volumeDecimals]).toEqual([2, 3]);
    expect([open[0], high[0], low[0], close[0], volume[0]]).toEqual([150, 200, 125, 175, 10_125]);
  });

  test.each([
    [["60000,1,2,1,2"], "BTCUSDT.csv:2: expected six plain figures"],
    [["60000,1,2,1,2,1e3"], "BTCUSDT.csv:2: expected six plain figures"],
    [["60000,1,2,1,2,-1"], "BTCUSDT.csv:2: expected six plain figures"],
    [["60000,1,2,1,2,NaN"], "BTCUSDT.csv:2: expected six plain figures"],
    [["60000,1,2,1,2,1", "60000,1,2,1,2,1"], "BTCUSDT.csv:3: open times must rise"],
    [["60001,1,2,1,2,1"], "BTCUSDT.csv:2: open_time_ms must be a multiple"],
    [["60000,3,2,1,2,1"], "BTCUSDT.csv:2: open and close must lie between"],
    [["60000,0,2,0,2,1"], "BTCUSDT.csv:2: prices must be above zero"],
    [["60000,1,2,1,2,99999999999999999999"], "BTCUSDT.csv:2: expected six plain figures"],
    [[], "BTCUSDT.csv: holds no candles"],
  ])("that break the format are refused with their line: %j", (rows, reason) => {
    expect(read(...rows)).toContain(reason);
  });

  test("need their header", () => {
    const candles = readCandles("time,open\n1,2\n", "a.csv", MINUTE_MS);
    expect(candles.ok ? "" : candles.error).toBe(`a.csv:1: the first line must be ${HEADER}`);
  });
});

describe("funding files", () => {
  test("are joined over all files, rounded to the minute, without doubles", () => {
    const head = "symbol,funding_time_ms,funding_rate\n";
    const dir = writeFolder({
      "funding/a.csv.gz": `${head}BTCUSDT,1746403200004,0.0001\nETHUSDT,1746403200000,-0.00002\n`,
      "funding/b.csv": `${head}BTCUSDT,1746374400001,0.00005\nBTCUSDT,1746403200000,0.0001\n`,
    });
    const funding = readFunding(dir);
    if (!funding.ok) throw new Error(funding.error);
    const rows = funding.value.get("BTCUSDT")?.map(({ atMs, rate }) => [atMs, rate.toFixed()]);
    expect(rows).toEqual([
      [1_746_374_400_000, "0.00005"],
      [1_746_403_200_000, "0.0001"],
    ]);
  });
  test("that break the format are refused with their line; none at all is no error", () => {
    const bad = readFunding(writeFolder({ "funding/a.csv": "symbol,funding_time_ms,funding_rate\nBTCUSDT,soon,1\n" }));
    expect(bad.ok ? "" : bad.error).toContain("funding/a.csv:2");
    expect(readFunding(writeFolder({ "x.txt": "" }))).toEqual({ ok: true, value: new Map() });
  });
});

describe("windows", () => {
  const candle = `${HEADER}\n60000,1,1,1,1,1\n`;
  const windows = listWindows(
    writeFolder({
      "klines-1m/perp-2025-05_06/BTCUSDT.csv": candle,
      "klines-1m/perp-2025-09_2026-03/BTCUSDT.csv": candle,
      "klines-1m/spot-2026-06_07/BTCUSDT.csv": candle,
      "klines-1m/ftx-perp-2022-01/BTC-PERP.csv": candle,
      "klines-5m/perp-2026-04_05/BTCUSDT.csv": candle,
      "news/headlines.jsonl": "",
    }),
  );
  if (!windows.ok) throw new Error(windows.error);
  const pick = (asked?: string): string => {
    const window = pickWindow(windows.value, asked);
    return window.ok ? `${window.value.interval}/${window.value.name}` : window.error;
  };
  test("the newest of one-minute perpetuals is the default", () => {
    expect(pick()).toBe("1m/perp-2025-09_2026-03");
  });
  test("can be asked for by name, with or without interval", () => {
    expect(pick("spot-2026-06_07")).toBe("1m/spot-2026-06_07");
    expect(pick("5m/perp-2026-04_05")).toBe("5m/perp-2026-04_05");
    expect(pick("klines-5m/perp-2026-04_05")).toBe("5m/perp-2026-04_05");
  });
  test("folders with files of other names are passed over", () => {
    expect(pick("ftx-perp-2022-01")).toContain("no window");
  });
});
