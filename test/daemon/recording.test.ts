import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createContext } from "../../src/context/context.ts";
import { recordingDir } from "../../src/ops/paths.ts";
import { warmStart } from "../../src/daemon/recording.ts";
import { continues } from "../../src/history/fill-history.ts";
import { candleLine, interestLine, newsLine } from "../../src/recorder/lines.ts";
import { realEnv, recordingLog } from "../net/servers.ts";
import { BTC, ETH, headroomOf, newsOf } from "../strategy/snapshots.ts";

const MINUTE = 60_000;
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "ballast-warm-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const bar = (openMs: number, close: number) => ({
  openMs,
  open: close * 0.9999,
  high: close * 1.001,
  low: close * 0.999,
  close,
  volume: 1,
});

function record(name: string, bars: readonly ReturnType<typeof bar>[]): void {
  const folder = path.join(dir, "klines-1m/perp-2026-11");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, `${name}.csv`),
    `open_time_ms,open,high,low,close,volume\n${bars.map(candleLine).join("")}`,
  );
}

test("a start reads back what reaches the present, names the rest, and its first snapshot is not blind", async () => {
  const env = realEnv(1);
  const log = recordingLog();
  const now = Math.floor(env.clock.nowMs() / MINUTE) * MINUTE;
  const wave = (n: number): number => 100 + Math.sin(n / 40);
  const day = Array.from({ length: 1_600 }, (_, n) => bar(now - (1_603 - n) * MINUTE, wave(n)));
  record("BTCUSDT", day);
  record(
    "ETHUSDT",
    day.map((each) => bar(each.openMs, each.close * 2)),
  );
  mkdirSync(path.join(dir, "news"));
  mkdirSync(path.join(dir, "open-interest"));
  const seen = newsOf("1", { firstSeenMs: now - 2 * 60 * MINUTE, publishedAtMs: null });
  writeFileSync(path.join(dir, "news/headlines-2026-11.jsonl"), newsLine(seen));
  writeFileSync(
    path.join(dir, "open-interest/perp-2026-11.csv"),
    `symbol,time_ms,open_interest\n${interestLine("BTCUSDT", now - 61 * MINUTE, 400)}`,
  );
  const context = createContext({ universe: [BTC, ETH], intervals: ["1m", "5m", "1H", "4H", "1D"] });
  context.sink.received(now);
  for (const symbol of [BTC, ETH]) {
    context.sink.bbo(symbol, 100.19, 1, 100.21, 1, now);
    context.sink.mark(symbol, 100.2, now);
  }
  context.sink.openInterest(BTC, 500, now);
  const report = await warmStart({ env, log, context, dir, symbols: [BTC, ETH] }, new AbortController().signal);
  expect(report).toMatchObject({ warmed: [BTC], cold: [ETH], refused: [ETH], news: 1 });
  const { symbols, news, missing } = context.snapshot({ atMs: now, account: null, headroom: headroomOf() });
  const btc = symbols[0];
  expect(btc?.returns["24h"]).toBeDefined();
  expect(btc?.volatilityHour).toBeGreaterThan(0);
  expect(btc?.candles["1H"]?.length).toBeGreaterThan(20);
  expect(btc?.indicators["5m"]?.rsi14).not.toBeNull();
  expect(btc?.openInterestChange).toBeCloseTo(0.25);
  expect(news[0]?.firstSeenMs).toBe(now - 2 * 60 * MINUTE);
  expect(missing.join()).toContain("less than an hour of prices: ETH");
  const line = log.lines.find(({ evt }) => evt === "context.warmed");
  expect(line?.msg).toMatch(
    /1 of 2 symbols and 1 news item\b.*; the last [\w ]+ are missing.*not lead to the present price/,
  );
});

test("when most prices do not fit, the venue began again and nothing is believed", async () => {
  const env = realEnv(1);
  const now = Math.floor(env.clock.nowMs() / MINUTE) * MINUTE;
  const hour = Array.from({ length: 60 }, (_, n) => bar(now - (62 - n) * MINUTE, 100));
  for (const name of ["BTCUSDT", "ETHUSDT", "SOLUSDT"]) record(name, hour);
  const SOL = BTC.replace("BTC", "SOL");
  const context = createContext({ universe: [BTC, ETH, SOL] });
  context.sink.received(now);
  for (const [symbol, price] of [
    [BTC, 100],
    [ETH, 50],
    [SOL, 200],
  ] as const)
    context.sink.mark(symbol, price, now);
  const given = { env, log: recordingLog(), context, dir, symbols: [BTC, ETH, SOL] };
  expect(await warmStart(given, new AbortController().signal)).toMatchObject({ warmed: [], refused: [BTC, ETH, SOL] });
});

test("a price that the recorded minutes could not have led to is another market's", () => {
  const bars = Array.from({ length: 300 }, (_, n) => bar(n * MINUTE, 100));
  const end = 300 * MINUTE;
  expect(continues(bars, 101, end)).toBe(true);
  expect(continues(bars, 108, end)).toBe(false);
  expect(continues(bars, 108, end + 4_000 * 60 * MINUTE)).toBe(true);
  expect(continues([], 100, end)).toBe(false);
});

test("every venue has a folder of its own", () => {
  expect(recordingDir("data", null)).toBe(path.join("data", "recording", "practice"));
  expect(recordingDir("data", "http://127.0.0.1:8700/x")).toBe(path.join("data", "recording", "127.0.0.1_8700"));
});
