import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { plainFigure } from "../../src/recorder/lines.ts";
import { Minutes } from "../../src/recorder/minutes.ts";
import { createRecorder, type Recorder } from "../../src/recorder/recorder.ts";
import { reloadCandles, reloadInterest, reloadNews } from "../../src/recorder/reload.ts";
import { readHeadlines } from "../../src/sim/feed/replayed-news.ts";
import { readCandleFile, readFunding } from "../../src/sim/market/import.ts";
import { listWindows, pickWindow } from "../../src/sim/market/windows.ts";
import { recordingLog } from "../net/servers.ts";
import { recordingSink } from "../protocol/recording-sink.ts";
import { BTC, ETH, newsOf } from "../strategy/snapshots.ts";

const START = Date.UTC(2026, 0, 31, 23, 50);
const MINUTE = 60_000;
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "ballast-recording-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function rig(options: { quotaBytes?: number; atMs?: number } = {}) {
  const clock = virtualClock(options.atMs ?? START);
  const log = recordingLog();
  const recorder = createRecorder({
    clock,
    log,
    dir,
    quotaBytes: options.quotaBytes ?? 10_000_000,
    symbols: [BTC, ETH],
  });
  const heard = recordingSink();
  return { clock, log, recorder, heard, sink: recorder.tee(heard.sink) };
}

/** Reports `count` minutes of a symbol, each in two pushes. */
function minutes({ sink }: { sink: ReturnType<Recorder["tee"]> }, symbol: string, count: number, fromMs = START): void {
  for (let n = 0; n < count; n++) {
    const openMs = fromMs + n * MINUTE;
    sink.received(openMs + 1_000);
    sink.kline("KLINE", symbol, "1m", openMs, 100 + n, 101 + n, 99.5 + n, 100.25 + n, 3.5);
    sink.kline("KLINE", symbol, "1m", openMs, 100 + n, 102 + n, 99.5 + n, 101.5 + n, 7.125);
  }
}

describe("recording", () => {
  test("final minutes are written once and whole; what is running is not", async () => {
    const r = rig();
    await r.recorder.start();
    minutes(r, BTC, 4);
    await r.recorder.stop();
    const text = readFileSync(path.join(dir, "klines-1m/perp-2026-01/BTCUSDT.csv"), "utf8");
    expect(text.split("\n")).toEqual([
      "open_time_ms,open,high,low,close,volume",
      `${START},100,102,99.5,101.5,7.125`,
      `${START + MINUTE},101,103,100.5,102.5,7.125`,
      `${START + 2 * MINUTE},102,104,101.5,103.5,7.125`,
      "",
    ]);
    expect(r.heard.reported.filter(([method]) => method === "kline")).toHaveLength(8);
  });

  test("the practice venue plays what was recorded", async () => {
    const r = rig();
    await r.recorder.start();
    minutes(r, BTC, 30);
    minutes(r, ETH, 30);
    r.recorder.funding({ symbol: BTC, rate: dec("-0.00002"), nextFundingAtMs: START + 10 * MINUTE });
    r.recorder.funding({ symbol: BTC, rate: dec("0.0001"), nextFundingAtMs: START + 490 * MINUTE });
    r.recorder.news(newsOf("1", { title: "Line one\nand two", text: "x".repeat(9_000) }));
    await r.recorder.stop();
    const windows = listWindows(dir);
    const window = windows.ok ? pickWindow(windows.value) : windows;
    expect(window.ok && window.value.name).toBe("perp-2026-02");
    const file = window.ok ? window.value.files.get("BTCUSDT") : undefined;
    expect(readCandleFile(file ?? "", MINUTE)).toMatchObject({ ok: true, value: { count: 19 } });
    const funding = readFunding(dir);
    expect(funding.ok && funding.value.get("BTCUSDT")).toEqual([{ atMs: START + 10 * MINUTE, rate: dec("-0.00002") }]);
    const headlines = readHeadlines(dir);
    expect(headlines.ok && headlines.value[0]?.title).toBe("Line one\nand two");
    expect(r.recorder.status()).toMatchObject({ candles: 58, fundings: 1, news: 1, lost: 0 });
  });

  test("a later run goes on where the file ends, and cuts off a torn line", async () => {
    const first = rig();
    await first.recorder.start();
    minutes(first, BTC, 4);
    await first.recorder.stop();
    const file = path.join(dir, "klines-1m/perp-2026-01/BTCUSDT.csv");
    appendFileSync(file, `${START + 3 * MINUTE},103,10`);
    const second = rig();
    await second.recorder.start();
    minutes(second, BTC, 6, START + MINUTE);
    await second.recorder.stop();
    expect(readCandleFile(file, MINUTE)).toMatchObject({ ok: true, value: { count: 6 } });
  });

  test("beyond the quota the oldest month goes, foreign files never; a month too large is reported", async () => {
    const old = path.join(dir, "klines-1m/perp-2025-11");
    mkdirSync(old, { recursive: true });
    writeFileSync(path.join(old, "BTCUSDT.csv"), "x".repeat(50_000));
    writeFileSync(path.join(dir, "mine.txt"), "y".repeat(50_000));
    const r = rig({ quotaBytes: 20_000 });
    await r.recorder.start();
    minutes(r, BTC, 5);
    await r.recorder.stop();
    expect(existsSync(path.join(old, "BTCUSDT.csv"))).toBe(false);
    expect(existsSync(path.join(dir, "mine.txt"))).toBe(true);
    minutes(r, BTC, 2_000, START + 10 * MINUTE);
    await r.recorder.stop();
    minutes(r, ETH, 10, START + 10 * MINUTE);
    await r.recorder.stop();
    const pruned = r.log.lines.filter((line) => line.evt === "recorder.pruned").map((line) => line.msg);
    expect(pruned[0]).toContain("2025-11");
    expect(r.recorder.status().bytes).toBeLessThan(200_000);
    expect(r.recorder.gauges().every((gauge) => gauge.size <= gauge.cap)).toBe(true);
  });

  test("a folder that cannot be written is reported, and costs nothing else", async () => {
    writeFileSync(path.join(dir, "klines-1m"), "a file where a folder should be");
    const r = rig();
    await r.recorder.start();
    minutes(r, BTC, 5);
    await r.recorder.stop();
    expect(r.log.lines.some((line) => line.evt === "recorder.failed")).toBe(true);
    expect(r.recorder.status().lost).toBe(4);
  });

  test("figures have no exponent and read back as the same number", () => {
    for (const value of [0.00000123, 1e21, 64_250.1, 0.1 + 0.2, 7]) {
      expect(plainFigure(value)).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(plainFigure(value))).toBe(value);
    }
  });
});

describe("which minutes are final", () => {
  const reported = (): { bars: number[]; minutes: Minutes } => {
    const bars: number[] = [];
    return { bars, minutes: new Minutes([BTC], (_symbol, bar) => void bars.push(bar.openMs)) };
  };
  const push = (of: Minutes, minute: number): void => of.bar(BTC, START + minute * MINUTE, 10, 11, 9, 10, 1);

  test("one that was reported again after the stream came back is; one that was not is left out", () => {
    const { bars, minutes: of } = reported();
    push(of, 0);
    of.gap();
    push(of, 0);
    push(of, 1);
    of.gap();
    push(of, 3);
    push(of, 4);
    expect(bars).toEqual([START, START + 3 * MINUTE]);
    expect(of.leftOut).toBe(1);
  });

  test("nonsense, outsiders and late bars are left out", () => {
    const { bars, minutes: of } = reported();
    of.bar(ETH, START, 10, 11, 9, 10, 1);
    of.bar(BTC, START, 10, 9, 11, 10, 1);
    push(of, 2);
    push(of, 1);
    push(of, 3);
    expect(bars).toEqual([START + 2 * MINUTE]);
    expect(of.leftOut).toBe(1);
  });
});

describe("reading back", () => {
  test("candles of two months, open interest and news come back as they were", async () => {
    const r = rig();
    await r.recorder.start();
    minutes(r, BTC, 40);
    r.sink.openInterest(BTC, 512.5, 0);
    const item = newsOf("7", { title: "A title", text: "Words", firstSeenMs: START - 5_000, publishedAtMs: null });
    r.recorder.news(item);
    await r.recorder.stop();
    const nowMs = START + 60 * MINUTE;
    const bars = await reloadCandles(dir, BTC, START + 5 * MINUTE, nowMs);
    expect(bars).toHaveLength(34);
    expect(bars[0]).toEqual({
      openMs: START + 5 * MINUTE,
      open: 105,
      high: 107,
      low: 104.5,
      close: 106.5,
      volume: 7.125,
    });
    const interest = await reloadInterest(dir, START);
    expect(interest.get("BTCUSDT")).toEqual([{ atMs: START + 39 * MINUTE + 1_000, openInterest: 512.5 }]);
    expect(await reloadNews(dir, START - MINUTE)).toEqual([item]);
    expect(await reloadNews(dir, START)).toEqual([]);
  });

  test("an absent folder and rubbish read as nothing", async () => {
    expect(await reloadCandles(path.join(dir, "no"), BTC, 0, START)).toEqual([]);
    mkdirSync(path.join(dir, "klines-1m/perp-2026-01"), { recursive: true });
    mkdirSync(path.join(dir, "news"));
    writeFileSync(
      path.join(dir, "klines-1m/perp-2026-01/BTCUSDT.csv"),
      `h\n1,2\n${START},a,b,c,d,e\n${START},5,6,4,5,1\n99`,
    );
    writeFileSync(path.join(dir, "news/headlines-2026-01.jsonl"), '{"key":1}\n{"__proto__":{"a":1}}\nnot json\n');
    expect(await reloadCandles(dir, BTC, START, START + MINUTE)).toHaveLength(1);
    expect(await reloadNews(dir, 0)).toEqual([]);
  });
});
