/** A recorded tape in disguise plays the same market: every call to the exchange, in ticks and lots, at the same instant. */
import { expect, test } from "vitest";
import { seededEntropy } from "../../src/core/entropy.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { shownRecorded } from "../../src/lab/disguise/disguised-market.ts";
import { drawDisguise, shownSymbol } from "../../src/lab/disguise/disguise.ts";
import { bookText, candleText, writeFolder } from "../sim/market/data-folder.ts";
import { stage } from "../sim/market/played-books.ts";

const T0 = Date.UTC(2026, 0, 5, 9);
const DISGUISE = drawDisguise(["BTC"], seededEntropy("test:tape"));
const FACTOR = DISGUISE.factors.get("BTC") ?? 1;
const SHOWN = shownSymbol(DISGUISE, "EXCHANGE_A_PERP_BTC_USDT");
const TRADES = "trade_time_ms,price,qty,is_buyer_maker";

const recordedBook = (): string =>
  writeFolder({
    "book/usdm-BTCUSDT-20260105.snapshot.csv.gz": bookText.snapshot(100, [
      ["bid", "100.0", "5"],
      ["bid", "99.9", "4"],
      ["ask", "100.2", "6"],
      ["ask", "100.3", "8"],
    ]),
    "book/usdm-BTCUSDT-20260105.deltas.csv.gz": bookText.deltas(
      [1_000, 2_000, 5_000, 9_000].map((after, at) => ({
        atMs: T0 + after,
        ids: [at === 0 ? 95 : 100 + at, 100 + at, null] as const,
        rows: [["ask", `100.${at + 2}`, String(at + 1)]] as const,
      })),
    ),
    "trades/usdm-BTCUSDT-20260105.csv.gz": [
      ...[TRADES, `${T0 + 10},100.1,0.5,0`, `${T0 + 3_000},100.2,1.25,0`, `${T0 + 7_000},100.0,2,1`, ""],
    ].join("\n"),
  });

const recordedCandles = (): string =>
  writeFolder({
    "klines-1m/perp-2026-01/BTCUSDT.csv": candleText({
      ...{ seed: 3, fromMs: T0, count: 30, intervalMs: MINUTE_MS, price: 60_000, priceDecimals: 1 },
      ...{ volumeDecimals: 3, volume: 12 },
    }),
    "funding/BTCUSDT.csv": `symbol,funding_time_ms,funding_rate\nBTCUSDT,${T0 + 10 * MINUTE_MS},0.0003\n`,
  });

/** The calls with true symbol and time, and marks apart, whose prices are the only ones in USDT. */
function played(dir: string, disguised: boolean, window: string) {
  const shiftMs = disguised ? DISGUISE.shiftMs : 0;
  const on = stage(
    {
      ...{ dir, window, noted: true, fromMs: T0 },
      ...(disguised ? { disguise: (recorded) => shownRecorded(DISGUISE, recorded) } : {}),
    },
    T0 + shiftMs,
  );
  for (let afterMs = 500; afterMs <= 20 * MINUTE_MS; afterMs += 500) on.tape.step(T0 + shiftMs + afterMs);
  const lines = on.calls.map((line) =>
    line.replaceAll(SHOWN, "EXCHANGE_A_PERP_BTC_USDT").replace(/\b1\d{12}\b/g, (ms) => String(Number(ms) - shiftMs)),
  );
  const marks = lines.filter((line) => /^(mark|interest) /.test(line));
  return {
    symbol: on.spec.rules.symbol,
    calls: lines.filter((line) => !/^(mark|interest) /.test(line)),
    marks: marks.filter((line) => line.startsWith("mark ")).map((line) => JSON.parse(line.slice(5)) as string[]),
  };
}

test.each([
  ["candles", recordedCandles, "perp-2026-01"],
  ["trades and a book", recordedBook, "book/usdm-20260105"],
])("recorded %s", (_what, folder, window) => {
  const dir = folder();
  const [plain, other] = [played(dir, false, window), played(dir, true, window)];
  expect(other.symbol).toBe(SHOWN);
  expect(plain.calls.length).toBeGreaterThan(30);
  expect(other.calls).toEqual(plain.calls);
  const prices = (marks: typeof plain.marks, factor: number) =>
    marks.map(([, mark, index, atMs]) => [Number(mark) * factor, Number(index) * factor, atMs]);
  expect(plain.marks.length).toBeGreaterThan(10);
  expect(prices(other.marks, 1)).toEqual(prices(plain.marks, FACTOR));
});
