import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { candleFolder } from "../../src/history/candle-sources.ts";
import { candleLine } from "../../src/recorder/lines.ts";
import { BTC } from "../strategy/snapshots.ts";

const MINUTE = 60_000;
/** Ten minutes before a month ends. */
const START = Date.UTC(2026, 0, 31, 23, 50);
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "ballast-candles-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function record(month: string, fromMs: number, count: number): void {
  const folder = path.join(dir, `klines-1m/perp-${month}`);
  mkdirSync(folder, { recursive: true });
  const bars = Array.from({ length: count }, (_, n) => {
    const close = 100 + (fromMs + n * MINUTE - START) / MINUTE;
    return { openMs: fromMs + n * MINUTE, open: close, high: close + 1, low: close - 1, close, volume: 2 };
  });
  writeFileSync(
    path.join(folder, "BTCUSDT.csv"),
    `open_time_ms,open,high,low,close,volume\n${bars.map(candleLine).join("")}`,
  );
}

test("svc reads a recording across the turn of a month and builds longer candles from minutes", async () => {
  record("2026-01", START, 10);
  record("2026-02", START + 10 * MINUTE, 5);
  const source = candleFolder(dir);
  const minutes = await source.candles(BTC, "1m", 8);
  expect(minutes.map((bar) => (bar.openMs - START) / MINUTE)).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
  const fives = await source.candles(BTC, "5m", 2);
  expect(fives).toEqual([
    { openMs: START + 5 * MINUTE, open: 105, high: 110, low: 104, close: 109, volume: 10 },
    { openMs: START + 10 * MINUTE, open: 110, high: 115, low: 109, close: 114, volume: 10 },
  ]);
  expect(await source.candles("EXCHANGE_A_PERP_ETH_USDT", "1m", 5)).toEqual([]);
  expect(await source.candles(BTC, "7m", 5)).toEqual([]);
});
