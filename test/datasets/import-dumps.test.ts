import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importDumps, type ImportRequest } from "../../src/datasets/import-dumps.ts";
import { readCandleFile, readFunding } from "../../src/sim/market/import.ts";

const T0 = Date.UTC(2025, 4, 1);
let dir = "";
beforeEach(() => void (dir = mkdtempSync(path.join(tmpdir(), "dumps-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, content: string | Buffer): string {
  const at = path.join(dir, name);
  writeFileSync(at, content);
  return at;
}

const run = (files: readonly string[], more: Partial<ImportRequest> = {}) =>
  importDumps({
    files,
    dir: path.join(dir, "out"),
    market: "perp",
    symbol: null,
    interval: null,
    mapping: null,
    progress: () => undefined,
    ...more,
  });
const written = (at: string): string => gunzipSync(readFileSync(path.join(dir, "out", at))).toString();
const binance = (at: number, close = "101.50"): string =>
  `${at},100.0,102.0,99.0,${close},12.500,${at + 59_999},1262.5,10,6,600,0`;

test("candles of Binance become a window that playback reads, whatever their unit of time", async () => {
  const may = file("BTCUSDT-1m-2025-05.csv", `${binance(T0)}\n${binance(T0 + 120_000)}\n`);
  const spot = file("ETHUSDT-1m-2025-05.csv.gz", gzipSync(`${binance(T0).replace(String(T0), `${T0}000`)}\n`));
  const done = await run([may, spot]);
  expect(done).toMatchObject({ ok: true, value: { symbols: ["BTCUSDT", "ETHUSDT"], rows: 3, missing: 1 } });
  const folder = "klines-1m/perp-2025-05";
  expect(written(`${folder}/BTCUSDT.csv.gz`).split("\n")[1]).toBe(`${T0},100,102,99,101.5,12.5`);
  const read = readCandleFile(path.join(dir, "out", folder, "ETHUSDT.csv.gz"), 60_000);
  expect(read.ok && read.value.openMs[0]).toBe(T0);
});

test("candles of OKX are read by their headings: volume in the base, open candles left out", async () => {
  const head = "instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm";
  const rows = [`BTC-USDT-SWAP,1,3,1,2,500,5,10,${T0},1`, `BTC-USDT-SWAP,2,3,1,2,500,5,10,${T0 + 60_000},0`];
  const done = await run([file("okx.csv", [head, ...rows].join("\n"))], { interval: "1m" });
  expect(done).toMatchObject({ ok: true, value: { rows: 1 } });
  expect(written("klines-1m/perp-2025-05/BTCUSDT.csv.gz")).toContain(`${T0},1,3,1,2,5\n`);
});

/** One file, stored as it is. */
function zipOf(name: string, content: string): Buffer {
  const [title, body] = [Buffer.from(name), Buffer.from(content)];
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt32LE(crc32(body), 10);
  about.writeUInt32LE(body.length, 14);
  about.writeUInt32LE(body.length, 18);
  about.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), about, title, body]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), about, Buffer.alloc(14), title]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from("PK\x05\x06"), end]);
}

test("a zip is read as the table in it, and a damaged one is refused by its name", async () => {
  const zip = zipOf("BTCUSDT-1m-2025-05.csv", `${binance(T0)}\n`);
  const damaged = Buffer.from(zip);
  damaged.write("9", damaged.indexOf(",101") + 1);
  const bad = await run([file("damaged.zip", damaged)]);
  expect(!bad.ok && bad.error).toContain("damaged.zip");
  expect(await run([file("BTCUSDT-1m-2025-05.zip", zip)])).toMatchObject({ ok: true, value: { rows: 1 } });
});

test("funding of Binance becomes a file that playback reads", async () => {
  const text = `calc_time,funding_interval_hours,last_funding_rate\n${T0 + 7},8,-0.00010000\n`;
  expect(await run([file("BTCUSDT-fundingRate-2025-05.csv", text)])).toMatchObject({ ok: true });
  const funding = readFunding(path.join(dir, "out"));
  expect(funding.ok && funding.value.get("BTCUSDT")?.[0]?.rate.toFixed()).toBe("-0.0001");
});

/** An aggregated trade as Binance dumps it: id, price, quantity, first and last id, time, who was the maker. */
const trade = (id: number, seconds: number, price: string, qty = "0.5"): string =>
  [id, price, qty, id * 2, id * 2 + 1, T0 + seconds * 1_000, "false"].join(",");

test("aggregated trades become minute candles; a quiet minute is flat where the ids prove it", async () => {
  const rows = [
    trade(5, 1, "100.10"),
    trade(6, 30, "99"),
    trade(7, 59, "101"),
    trade(8, 190, "102"),
    trade(12, 400, "103"),
  ];
  const done = await run([file("BTCUSDT-aggTrades-2025-05-01.csv", rows.join("\n"))]);
  expect(done).toMatchObject({ ok: true, value: { rows: 5, missing: 2, symbols: ["BTCUSDT"] } });
  expect(written("klines-1m/perp-2025-05/BTCUSDT.csv.gz").trim().split("\n").slice(1)).toEqual([
    `${T0},100.1,101,99,101,1.5`,
    `${T0 + 60_000},101,101,101,101,0`,
    `${T0 + 120_000},101,101,101,101,0`,
    `${T0 + 180_000},102,102,102,102,0.5`,
    `${T0 + 360_000},103,103,103,103,0.5`,
  ]);
});

test("days of trades may overlap, and are refused where they come in the wrong order", async () => {
  const first = file("BTCUSDT-aggTrades-2025-05-01.csv", `${trade(5, 1, "100")}\n${trade(6, 61, "101")}\n`);
  const head = "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker";
  const second = file("BTCUSDT-aggTrades-2025-05-02.csv", `${head}\n${trade(6, 61, "101")}\n${trade(7, 62, "102")}\n`);
  const wrong = await run([second, first]);
  expect(!wrong.ok && wrong.error).toContain("name the files in chronological order");
  const done = await run([first, second]);
  expect(done).toMatchObject({ ok: true, value: { rows: 3, repeated: 1 } });
});

test("Parquet is read like a CSV: figures, timestamps, and what is compressed by zlib's methods", async () => {
  const fixture = (name: string): string => path.join("test/datasets/fixtures", name);
  expect(await run([fixture("BTCUSDT-1m-2025-05.parquet")])).toMatchObject({ ok: true, value: { rows: 2 } });
  const rows = [`${T0},100,102,99,101.5,12.5`, `${T0 + 60_000},101.5,103,100.25,102,0.0000001`];
  expect(written("klines-1m/perp-2025-05/BTCUSDT.csv.gz").trim().split("\n").slice(1)).toEqual(rows);
  const eth = { symbol: "ETHUSDT", interval: "1m", market: "spot" as const };
  expect(await run([fixture("candles-gzip.parquet")], eth)).toMatchObject({ ok: true });
  expect(written("klines-1m/spot-2025-05/ETHUSDT.csv.gz").trim().split("\n").slice(1)).toEqual(rows);
  const mapping = { time: "T", price: "P", qty: "Q", id: "I" };
  const sol = { symbol: "SOLUSDT", mapping, dir: path.join(dir, "other") };
  const done = await run([fixture("trades-brotli.parquet")], sol);
  expect(done).toMatchObject({ ok: true, value: { rows: 2, missing: 0, fromMs: T0, toMs: T0 + 180_000 } });
  const cut = file("cut.parquet", Buffer.from("PAR1 this is none"));
  const bad = await run([cut]);
  expect(!bad.ok && bad.error).toContain("cut.parquet");
});

test("a plain CSV is read by its mapping, and a time without a zone is refused", async () => {
  const mapping = { time: "Date", open: "O", high: "H", low: "L", close: "C", volume: "V" };
  const table = (time: string): string => `Date,O,H,L,C,V\n${time},1,2,1,2,0\n`;
  const more = { mapping, symbol: "BTC/USDT", interval: "1h" };
  const bad = await run([file("a.csv", table("2025-05-01 00:00"))], more);
  expect(!bad.ok && bad.error).toContain("a.csv:2: time");
  expect(await run([file("b.csv", table("2025-05-01T02:00:00+02:00"))], more)).toMatchObject({ ok: true });
  expect(written("klines-1h/perp-2025-05/BTCUSDT.csv.gz")).toContain(`${T0},1,2,1,2,0\n`);
});

test("every bad row is named with file and line, and nothing is imported", async () => {
  const text = [binance(T0), binance(T0 + 60_000, "103"), binance(T0 + 120_000, "x"), binance(T0 + 180_001)].join("\n");
  const done = await run([file("BTCUSDT-1m-2025-05.csv", text)]);
  const problem = done.ok ? "" : done.error;
  for (const line of [2, 3, 4]) expect(problem).toContain(`BTCUSDT-1m-2025-05.csv:${line}: `);
  expect(existsSync(path.join(dir, "out"))).toBe(false);
});

test("minute data named as longer candles is one mistake, with what to do", async () => {
  const rows = [0, 1, 2, 3, 4, 5, 6].map((minute) => binance(T0 + minute * 60_000));
  const done = await run([file("BTCUSDT-5m-2025-05.csv", rows.join("\n"))]);
  expect(done.ok ? "" : done.error).toMatch(
    /^BTCUSDT-5m-2025-05\.csv:2: \S+ is not the start of a candle of 5m \(and 4 more rows\); give the length .* with --interval.*\nNothing was imported\.$/,
  );
});

test("overlapping files are joined where they agree, and refused where they contradict", async () => {
  const first = file("BTCUSDT-1m-2025-05.csv", `${binance(T0)}\n${binance(T0 + 60_000)}\n`);
  const other = file("BTCUSDT-1m-2025-05-02.csv", `${binance(T0 + 60_000, "100.5")}\n`);
  const wrong = await run([first, other]);
  expect(!wrong.ok && wrong.error).toContain("has other figures than in BTCUSDT-1m-2025-05.csv:2");
  const same = file("BTCUSDT-1m-2025-05-03.csv", `${binance(T0 + 60_000)}\n`);
  expect(await run([first, same])).toMatchObject({ ok: true, value: { rows: 2, repeated: 1 } });
});

const ended = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

test("an import that is killed while it writes leaves nothing, and the next one clears what lay aside", async () => {
  const out = path.join(dir, "out");
  const source = file("BTCUSDT-1m-2025-05.csv", `${binance(T0)}\n`);
  const many = Array.from({ length: 60_000 }, (_, i) => binance(T0 + i * 60_000)).join("\n");
  const big = file("ETHUSDT-1m-2025-05.csv", many);
  const module = path.resolve("src/datasets/import-dumps.ts");
  const script = `import { importDumps } from ${JSON.stringify(module)};
await importDumps({ files: ${JSON.stringify([source, big])}, dir: ${JSON.stringify(out)}, market: "perp", symbol: null, interval: null, mapping: null, progress: () => undefined });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], { stdio: "ignore" });
  const gone = ended(child);
  const aside = path.join(out, `.import-${child.pid ?? 0}`);
  await expect.poll(() => existsSync(aside), { timeout: 60_000, interval: 1 }).toBe(true);
  child.kill("SIGKILL");
  await gone;
  expect(readdirSync(path.join(out, "klines-1m"))).toEqual([]);
  expect(await run([source])).toMatchObject({ ok: true });
  expect(readdirSync(out)).toEqual(["klines-1m"]);
}, 120_000);
