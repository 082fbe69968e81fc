import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { checkFolder } from "../../src/datasets/check-folder.ts";
import { listFolder } from "../../src/datasets/list-folder.ts";
import {
  CRASH_FALL,
  CRASH_TAKES_MS,
  type GeneratedBar,
  type GeneratedMarketKind,
  generateMarket,
  NEWS_LAG_MS,
  NEWS_MOVE,
  NEWS_TAKES_MS,
  SQUEEZE_RATE,
  SQUEEZE_RISE,
  SQUEEZE_TAKES_MS,
} from "../../src/datasets/generated-market.ts";
import { generateFolder } from "../../src/datasets/generate-folder.ts";
import { readCandleFile, readFunding } from "../../src/sim/market/import.ts";

const T0 = Date.UTC(2026, 0, 1);
const HEADER = "open_time_ms,open,high,low,close,volume";
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "ballast-data-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
vi.setConfig({ testTimeout: 240_000 });

const write = (file: string, lines: readonly string[]): void => {
  mkdirSync(path.join(dir, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(dir, file), `${lines.join("\n")}\n`);
};
const candle = (minute: number, close = 100): string =>
  `${T0 + minute * MINUTE_MS},100,${Math.max(101, close)},99,${close},5`;
const check = () => checkFolder(dir, () => undefined);
const texts = (severity: "fault" | "warning") =>
  check().findings.flatMap((each) => (each.severity === severity ? [`${each.place}: ${each.text}`] : []));

describe("checking a folder", () => {
  test("a good folder has no finding", () => {
    write("klines-1m/perp-2026-01/BTCUSDT.csv", [HEADER, candle(0), candle(1)]);
    write("funding/perp-2026-01.csv", ["symbol,funding_time_ms,funding_rate", `BTCUSDT,${T0},0.0001`]);
    expect(check()).toEqual({ files: 2, rows: 3, findings: [] });
  });
  test("every faulty row is named with file and line, and none hides the next", () => {
    const impossible = `${T0 + 3 * MINUTE_MS},100,101,99,102,5`;
    const rows = [candle(0), candle(0), "x,1,1,1,1,1", impossible, candle(2), `${T0 + 1},100,101,99,100,5`];
    write("klines-1m/perp-2026-01/BTCUSDT.csv", [HEADER, ...rows]);
    const found = texts("fault").join("\n");
    expect(found).toContain("BTCUSDT.csv:3: 2026-01-01T00:00:00.000Z is there twice");
    expect(found).toContain("BTCUSDT.csv:4: expected six plain figures");
    expect(found).toContain("BTCUSDT.csv:5: impossible");
    expect(found).toContain("BTCUSDT.csv:6: 2026-01-01T00:02:00.000Z comes after");
    expect(found).toContain("BTCUSDT.csv:7: 2026-01-01T00:00:00.001Z is not the start of a candle of 1m");
  });
  test("a gap is reported with its length, and a leap within one candle is flagged", () => {
    write("klines-1m/perp-2026-01/BTCUSDT.csv", [HEADER, candle(0), candle(31), candle(32, 500)]);
    const [leap, gap] = texts("warning");
    expect(gap).toContain("30 candles are missing, most in a row from 2026-01-01T00:01:00.000Z (30m)");
    expect(leap).toContain("the price goes from 100 to 500 within a candle");
  });
  test("windows that overlap and contradict are reported, with the first time", () => {
    write("klines-1m/perp-2026-01/BTCUSDT.csv", [HEADER, candle(0), candle(1)]);
    write("klines-1m/perp-2026-01_02/BTCUSDT.csv", [HEADER, candle(1, 100.5), candle(2)]);
    expect(texts("fault")).toEqual([
      "klines-1m/perp-2026-01_02: BTCUSDT closes otherwise than in klines-1m/perp-2026-01 at 1 time, first at 2026-01-01T00:01:00.000Z",
    ]);
  });
  test("a symbol in the times of another zone is found by how it moves", () => {
    const { bars } = generateMarket({
      kind: "trending",
      symbols: ["BTCUSDT", "ETHUSDT"],
      fromMs: T0,
      forMs: 10 * DAY_MS,
      seed: 1,
    });
    const lines = (rows: readonly GeneratedBar[], lateMs: number): readonly string[] =>
      rows.map(({ open, high, low, close }, at) =>
        [T0 + lateMs + at * MINUTE_MS, ...[open, high, low, close].map((price) => price.toFixed(6)), 1].join(","),
      );
    write("klines-1m/perp-2026-01/BTCUSDT.csv", [HEADER, ...lines(bars.get("BTCUSDT") ?? [], 0)]);
    write("klines-1m/perp-2026-01/ETHUSDT.csv", [HEADER, ...lines(bars.get("ETHUSDT") ?? [], 8 * HOUR_MS)]);
    expect(texts("fault")).toEqual([
      "klines-1m/perp-2026-01: ETHUSDT moves 8 h after the others: its times are probably in another time zone",
    ]);
  });
  test("coins that all survive a long window are a warning; one that ends early is named", () => {
    const days = (count: number): readonly string[] =>
      Array.from({ length: count * 24 }, (_, hour) => `${T0 + hour * HOUR_MS},100,101,99,100,5`);
    write("klines-1h/perp-2026-01_02/BTCUSDT.csv", [HEADER, ...days(40)]);
    write("klines-1h/perp-2026-01_02/ETHUSDT.csv", [HEADER, ...days(40)]);
    expect(texts("warning").join()).toContain("survivorship");
    write("klines-1h/perp-2026-01_02/LUNAUSDT.csv", [HEADER, ...days(12)]);
    expect(texts("warning").join()).toContain("ends before the others: LUNAUSDT (2026-01-12T23:00:00.000Z)");
  });
  test("funding of two rates for one hour is a fault, and percent for fractions a warning", () => {
    const rows = [`BTCUSDT,${T0},0.01`, `BTCUSDT,${T0},0.02`, `ETHUSDT,${T0},0.5`];
    write("funding/perp-2026-01.csv", ["symbol,funding_time_ms,funding_rate", ...rows]);
    expect(texts("fault").join()).toContain("funding/perp-2026-01.csv:3: BTCUSDT");
    expect(texts("warning").join()).toContain("ETHUSDT: 1 rate is beyond 5 %");
  });
  test("missing settlements are counted, with the first gap", () => {
    const funding = (hours: readonly number[]): void =>
      write("funding/perp-2026-01.csv", [
        "symbol,funding_time_ms,funding_rate",
        ...hours.map((hour) => `BTCUSDT,${T0 + hour * HOUR_MS},0.0001`),
      ]);
    funding([0, 8, 16, 40, 48]);
    expect(texts("warning").join()).toContain(
      "BTCUSDT: 2 settlements are missing between 2026-01-01T16:00:00.000Z and 2026-01-02T16:00:00.000Z; each counts as none",
    );
    funding([0, 8, 24, 32, 40, 56, 64]);
    expect(texts("warning").join()).toContain("2 settlements are missing in 2 places, first between 2026-01-01T08:00");
  });
});

const request = (kind: GeneratedMarketKind, days = 14) => ({
  kind,
  symbols: ["BTCUSDT", "ETHUSDT", "SOLUSDT"],
  fromMs: T0,
  forMs: days * DAY_MS,
  seed: 7,
});
const closesOf = (bars: readonly GeneratedBar[] | undefined, everyMs: number): readonly number[] => {
  const step = everyMs / MINUTE_MS;
  return (bars ?? []).filter((_, at) => (at + 1) % step === 0).map(({ close }) => Math.log(close));
};
const variance = (closes: readonly number[], lag: number): number => {
  const moves = closes.slice(lag).map((close, at) => close - (closes[at] ?? 0));
  return moves.reduce((sum, move) => sum + move * move, 0) / moves.length;
};
/** Above 1 prices trend within a day, below 1 they return. */
const dayOverHours = (closes: readonly number[]): number => variance(closes, 24) / (24 * variance(closes, 1));
const between = (bars: readonly GeneratedBar[] | undefined, fromMs: number, toMs: number): number =>
  (bars?.[(toMs - T0) / MINUTE_MS - 1]?.close ?? NaN) / (bars?.[(fromMs - T0) / MINUTE_MS]?.open ?? NaN) - 1;
const plantedAt = (line: string | undefined): number => Date.parse((line ?? "").slice(0, 16) + "Z");

describe("generated markets", () => {
  test("trends go on and ranges turn back, by the variance of days over that of hours", () => {
    for (const symbol of request("trending").symbols) {
      expect(dayOverHours(closesOf(generateMarket(request("trending")).bars.get(symbol), HOUR_MS))).toBeGreaterThan(
        1.5,
      );
      expect(dayOverHours(closesOf(generateMarket(request("ranging")).bars.get(symbol), HOUR_MS))).toBeLessThan(0.6);
    }
  });
  test("a crash takes what it says within its hour, and half of it comes back", () => {
    const { bars, planted } = generateMarket(request("crash"));
    const atMs = plantedAt(planted[0]);
    for (const rows of bars.values()) {
      expect(between(rows, atMs, atMs + CRASH_TAKES_MS)).toBeCloseTo(-CRASH_FALL, 1);
      expect(between(rows, atMs, atMs + 13 * HOUR_MS)).toBeCloseTo(Math.sqrt(1 - CRASH_FALL) - 1, 0);
    }
  });
  test("shorts pay before a squeeze, and then the price rises as it says", () => {
    const { bars, funding, planted } = generateMarket(request("funding-squeeze"));
    const [crowdedMs, squeezeMs] = [plantedAt(planted[0]), plantedAt(planted[1])];
    for (const [symbol, rows] of bars) {
      const crowded = funding.get(symbol)?.filter(({ atMs }) => atMs > crowdedMs && atMs <= squeezeMs);
      expect(crowded?.map(({ rate }) => rate)).toEqual(Array.from({ length: 9 }, () => SQUEEZE_RATE));
      expect(between(rows, squeezeMs, squeezeMs + SQUEEZE_TAKES_MS)).toBeCloseTo(SQUEEZE_RISE, 1);
    }
  });
  test("headlines move their own symbol the way they say, after they are known, and no other", () => {
    const { bars, headlines } = generateMarket(request("news-shocks", 30));
    expect(headlines.length).toBe(120);
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const move = (symbol: string, atMs: number, forMs: number): number => between(bars.get(symbol), atMs, atMs + forMs);
    const after = NEWS_LAG_MS + NEWS_TAKES_MS;
    const own = headlines.map(({ symbol, atMs, move: way }) => Math.sign(way) * move(symbol, atMs, after));
    const before = headlines.map(
      ({ symbol, atMs, move: way }) => Math.sign(way) * move(symbol, atMs - HOUR_MS, HOUR_MS),
    );
    const other = headlines.map(({ symbol, atMs, move: way }) => {
      const another = request("news-shocks").symbols.find((each) => each !== symbol) ?? "";
      return Math.sign(way) * move(another, atMs, after);
    });
    expect(mean(own)).toBeCloseTo(NEWS_MOVE, 2);
    expect(Math.abs(mean(before.filter(Number.isFinite)))).toBeLessThan(0.005);
    expect(Math.abs(mean(other))).toBeLessThan(0.005);
  });
  test("a generated folder passes the check, plays, and is the same for the same seed", () => {
    const made = generateFolder(path.join(dir, "a"), request("news-shocks", 2));
    const again = generateFolder(path.join(dir, "b"), request("news-shocks", 2));
    expect(made).toEqual(again);
    const window = "klines-1m/perp-news-shocks-7-2026-01";
    expect(made).toMatchObject({ ok: true, value: { window, candles: 3 * 2 * 1_440 } });
    expect(checkFolder(path.join(dir, "a"), () => undefined).findings).toEqual([]);
    const text = (folder: string) =>
      gunzipSync(readFileSync(path.join(dir, folder, window, "SOLUSDT.csv.gz"))).toString();
    expect(text("a")).toBe(text("b"));
    const read = readCandleFile(path.join(dir, "a", window, "BTCUSDT.csv.gz"), MINUTE_MS);
    expect(read.ok && read.value.count).toBe(2_880);
    const funding = readFunding(path.join(dir, "a"));
    expect(funding.ok && funding.value.get("BTCUSDT")?.length).toBe(6);
    expect(listFolder(path.join(dir, "a"))).toMatchObject({
      windows: [{ path: window, symbols: ["BTCUSDT", "ETHUSDT", "SOLUSDT"], candles: 8_640, fromMs: T0 }],
      others: ["funding/perp-news-shocks-7-2026-01.csv.gz", "news/perp-news-shocks-7-2026-01.jsonl.gz"],
    });
    expect(generateFolder(path.join(dir, "a"), request("news-shocks", 2))).toMatchObject({ ok: false });
  });
  test("a folder that cannot be made is refused with what is in the way", () => {
    write("file", []);
    for (const below of ["file", "file/y/z"])
      expect(generateFolder(path.join(dir, below), request("ranging", 1))).toEqual({
        ok: false,
        error: `folder ${path.join(dir, below)} cannot be created: ${path.join(dir, "file")} is a file, not a folder; name another`,
      });
  });
  test.skipIf(process.platform !== "linux")("a folder that takes no other one ends with an error", () => {
    for (const folder of ["/proc", "/proc/zz"])
      expect(generateFolder(folder, request("ranging", 1))).toMatchObject({
        error: expect.stringMatching(/cannot be created \(\w+\); name one in a writable place/) as string,
      });
  });
});
