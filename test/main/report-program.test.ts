import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterEach, expect, test } from "vitest";
import { DAY_MS, isoTime, MINUTE_MS, utcDay } from "../../src/core/time.ts";
import type { ExportName, ExportOptions, ReportOptions } from "../../src/faces/cli/report-commands.ts";
import { exportProgram, reportProgram } from "../../src/main/listings.ts";
import { START_MS } from "../journal/support.ts";
import { asJson, reported, type WrittenRun, writtenRun } from "../report/explained-run.ts";

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function emptyFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-report-"));
  folders.push(dir);
  return dir;
}

const TRADE = {
  ...{ event: "closed", symbol: "EXCHANGE_A_PERP_BTC_USDT", side: "LONG", qty: "0.01", entryPrice: "50000" },
  ...{ exitPrice: "51000", feesUsdt: "0.5", fundingUsdt: "-0.1", openedAtMs: START_MS, exit: "target" },
};

/** Two days: up by 9.4 and down by 4 on the first, a trade of unknown result on the second. */
function twoDays(): WrittenRun {
  const run = writtenRun();
  const closed = (id: string, more: object): void => void run.row("trade", { ...TRADE, id, ...more });
  closed("t-1", { netUsdt: "9.4", closedAtMs: START_MS + 90 * MINUTE_MS, strategy: "momentum", exitReason: "=1+1" });
  closed("t-2", { netUsdt: "-4", closedAtMs: START_MS + 91 * MINUTE_MS, strategy: "<b>panel</b>" });
  closed("t-3", { netUsdt: null, exitPrice: null, closedAtMs: START_MS + DAY_MS, strategy: "momentum" });
  for (const equityUsdt of ["1000", "1010", "999.9"]) run.row("equity", { equityUsdt, positions: 1, anchors: null });
  return run;
}

async function report(run: WrittenRun, more: Partial<ReportOptions> = {}) {
  await run.close();
  const given = { dataDir: run.dataDir, json: false, by: "day", format: "text", ...more } as const;
  return reported(() => reportProgram(given));
}

async function exported(run: WrittenRun, name: ExportName, more: Partial<ExportOptions> = {}) {
  await run.close();
  const given = { dataDir: run.dataDir, json: false, format: "csv", interval: "1m", ...more } as const;
  return reported(() => exportProgram(name, given));
}

const recordsOf = (text: string): Record<string, string>[] => parse(text, { columns: true });

test("a report sums trades by day, with equity and its largest fall", async () => {
  interface Facts {
    equity: object;
    lines: { name: string; trades: number; won: number; lost: number; unknown: number; netUsdt: string }[];
    total: object;
  }
  const facts = asJson<Facts>(await report(twoDays(), { format: "json" }));
  expect(facts.equity).toMatchObject({ firstUsdt: "1000", lastUsdt: "999.9", changeUsdt: "-0.1" });
  expect(facts.equity).toHaveProperty("drawdown", expect.closeTo(0.01, 10));
  expect(facts.lines.map(({ name, trades, won, lost, netUsdt }) => [name, trades, won, lost, netUsdt])).toEqual([
    [utcDay(START_MS), 2, 1, 1, "5.4"],
    [utcDay(START_MS + DAY_MS), 1, 0, 0, "0"],
  ]);
  expect(facts.total).toMatchObject({ trades: 3, unknown: 1, netUsdt: "5.4", feesUsdt: "1.5", bestUsdt: "9.4" });
});

test("the text fits a terminal of 100 columns", async () => {
  const { code, out, err } = await report(twoDays());
  expect([code, err]).toEqual([0, ""]);
  for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  expect(out).toContain("largest fall from a peak 1.00 %");
  expect(out).toMatch(/total.*3.*1.*1.*5\.40/);
});

test("a strategy's name is only text in HTML, and the page loads nothing", async () => {
  const { out } = await report(twoDays(), { by: "strategy", format: "html" });
  expect(out).toContain("&lt;b&gt;panel&lt;/b&gt;");
  expect(out).not.toMatch(/<b>|<script|src=|href=/);
  expect(out).toContain("default-src 'none'");
});

test("Markdown and CSV have a line for each group", async () => {
  expect((await report(twoDays(), { by: "symbol", format: "md" })).out).toMatch(/\| EXCHANGE_A_PERP_BTC_USDT \| 3 \|/);
  const records = recordsOf((await report(twoDays(), { by: "strategy", format: "csv" })).out);
  expect(records.map(({ name, netUsdt }) => [name, netUsdt])).toEqual([
    ["<b>panel</b>", "-4"],
    ["momentum", "9.4"],
  ]);
});

test("the model that answered a decision is named beside the strategy, that of a shadow is not", async () => {
  const asked = (run: WrittenRun, decisionId: string, purpose: string, model: string): void =>
    run.row("question", { prompt: "p", fingerprint: "f", purpose, outcome: { kind: "answered", model } }, decisionId);
  const llmRun = (): WrittenRun => {
    const run = writtenRun();
    asked(run, "d-1", "decision", "large-2");
    asked(run, "d-1", "decision", "large-2");
    asked(run, "d-1", "shadow other", "small-1");
    asked(run, "d-2", "decision", "small-1");
    for (const [id, decisionId] of Object.entries({ "t-1": "d-1", "t-2": "d-2", "t-3": "d-3" }))
      run.row("trade", { ...TRADE, id, decisionId, netUsdt: "1", closedAtMs: START_MS, strategy: "llm-trader" });
    return run;
  };
  const lines = recordsOf((await report(llmRun(), { by: "strategy", format: "csv" })).out);
  expect(lines.map(({ name, trades }) => [name, trades])).toEqual([
    ["llm-trader", "1"],
    ["llm-trader, large-2", "1"],
    ["llm-trader, small-1", "1"],
  ]);
  const trades = recordsOf((await exported(llmRun(), "trades")).out);
  expect(trades.map(({ model }) => model)).toEqual(["large-2", "small-1", ""]);
});

test("the organiser's fall is of full hours, beside that of every minute", async () => {
  const run = writtenRun();
  for (let minute = 0; minute <= 180; minute++) {
    run.row("equity", {
      equityUsdt: minute === 90 ? "900" : minute > 90 ? "990" : "1000",
      positions: 0,
      anchors: null,
    });
    await run.clock.advance(MINUTE_MS);
  }
  const { equity } = asJson<{ equity: object }>(await report(run, { format: "json" }));
  expect(equity).toMatchObject({ drawdown: 0.1, organiser: { sharpe: null, drawdown: 0.01 } });
  expect((await report(twoDays())).out).toContain("At full hours, as the organiser reads it: fall");
});

test("--from and --to choose by the time a trade was closed", async () => {
  const { out } = await report(twoDays(), { format: "csv", by: "symbol", from: START_MS + DAY_MS });
  expect(recordsOf(out)).toMatchObject([{ trades: "1", unknown: "1" }]);
  expect(await report(twoDays(), { from: 2, to: 1 })).toMatchObject({ code: 2, err: /must be before/ });
});

test("exported trades are exact, and free text cannot become a formula", async () => {
  const records = recordsOf((await exported(twoDays(), "trades")).out);
  expect(records).toHaveLength(3);
  expect(records[0]).toMatchObject({ netUsdt: "9.4", closedAt: isoTime(START_MS + 90 * MINUTE_MS) });
  expect(records[0]?.["exitReason"]).not.toMatch(/^=/);
});

test("exported equity has a row for each minute, as CSV and as JSON", async () => {
  const records = recordsOf((await exported(twoDays(), "equity")).out);
  expect(records.map(({ equityUsdt }) => equityUsdt)).toEqual(["1000", "1010", "999.9"]);
  const { rows } = asJson<{ rows: object[] }>(await exported(twoDays(), "equity", { format: "json" }));
  expect(rows[1]).toMatchObject({ equityUsdt: "1010", positions: 1 });
});

test("an export of a time without rows says of when the newest are", async () => {
  const { code, out, err } = await exported(twoDays(), "equity", { from: START_MS + 30 * DAY_MS });
  expect([code, out]).toEqual([0, "at,equityUsdt,positions\n"]);
  expect(err).toContain(`contains no equity in that time; its newest row is from ${utcDay(START_MS)}`);
});

test("a file that is there already is not overwritten", async () => {
  const out = path.join(emptyFolder(), "trades.csv");
  expect((await exported(twoDays(), "trades", { out })).code).toBe(0);
  expect(recordsOf(readFileSync(out, "utf8"))).toHaveLength(3);
  writeFileSync(out, "mine");
  const again = await exported(twoDays(), "trades", { out });
  expect([again.code, again.err]).toEqual([1, expect.stringMatching(/exists already; give a new file/)]);
  expect(readFileSync(out, "utf8")).toBe("mine");
});

test("an exported Parquet file holds what the CSV holds, with types", async () => {
  const out = path.join(emptyFolder(), "trades.parquet");
  const run = twoDays();
  expect((await exported(run, "trades", { format: "parquet", out })).code).toBe(0);
  const bytes = readFileSync(out);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { schema } = parquetMetadata(file);
  expect(schema.find(({ name }) => name === "netUsdt")).toMatchObject({ converted_type: "DECIMAL", scale: 1 });
  const rows = await parquetReadObjects({ file });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({ closedAt: new Date(START_MS + 90 * MINUTE_MS), side: "LONG", exitReason: "=1+1" });
  expect(rows.map(({ netUsdt }) => netUsdt as number | null)).toEqual([expect.closeTo(9.4), -4, null]);
  const screen = await reported(() =>
    exportProgram("trades", { dataDir: run.dataDir, json: false, format: "parquet", interval: "1m" }),
  );
  expect([screen.code, screen.err]).toEqual([2, expect.stringContaining("--out")]);
});

/** What a reader of Parquet finds, as the CSV has it: empty where there is no value, instants as text. */
async function parquetRecords(name: ExportName, dataDir: string): Promise<Record<string, string>[]> {
  const out = path.join(emptyFolder(), `${name}.parquet`);
  const given = { dataDir, json: false, format: "parquet", interval: "1m", out } as const;
  const { code, err } = await reported(() => exportProgram(name, given));
  expect([code, err]).toEqual([0, ""]);
  const { buffer, byteOffset, byteLength } = readFileSync(out);
  const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) });
  // The reader multiplies a whole number by a power of ten, which a float does not hold.
  const shown = (cell: unknown): string => {
    if (cell instanceof Date) return isoTime(cell.getTime());
    return typeof cell === "number" ? String(Number(cell.toPrecision(12))) : ((cell as string | null) ?? "");
  };
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, shown(cell)])));
}

async function csvRecords(name: ExportName, dataDir: string): Promise<Record<string, string>[]> {
  const given = { dataDir, json: false, format: "csv", interval: "1m" } as const;
  return recordsOf((await reported(() => exportProgram(name, given))).out);
}

test("equity and decisions are the same in Parquet as in CSV, column by column", async () => {
  const run = twoDays();
  run.row("decision", { trigger: ["cadence", "news"], strategy: "panel" }, "d-1");
  run.clock.advanceSync(1_500);
  run.row("decision", { by: "panel", kind: "wishes", wishes: [{}, {}], note: 'two, "quoted"\nlines' }, "d-1");
  run.row("decision", { trigger: ["cadence"], strategy: "panel" }, "d-2");
  run.row("decision", { failed: "panel", reason: "the model failed" }, "d-2");
  await run.close();
  for (const [name, rows] of [
    ["equity", 3],
    ["decisions", 2],
  ] as const) {
    const csv = await csvRecords(name, run.dataDir);
    expect(csv).toHaveLength(rows);
    expect(await parquetRecords(name, run.dataDir)).toEqual(csv);
  }
  const [answered, failed] = await parquetRecords("decisions", run.dataDir);
  expect(answered).toMatchObject({ decisionId: "d-1", decidedBy: "panel", targets: "2", tookMs: "1500", failure: "" });
  expect(failed).toMatchObject({ decisionId: "d-2", decidedBy: "", tookMs: "", failure: "the model failed" });
});

test("candles are the same in Parquet as in CSV", async () => {
  const dataDir = recording({ a: [`${START_MS},0.00001234,0.00002,0.00001,0.000015,1234567.125`] });
  const csv = await csvRecords("candles", dataDir);
  expect(csv).toMatchObject([{ venue: "practice", openAt: isoTime(START_MS), volume: "1234567.125" }]);
  expect(await parquetRecords("candles", dataDir)).toEqual(csv);
});

/** A data folder with minutes of one symbol, each window in its own folder. */
function recording(windows: Readonly<Record<string, readonly string[]>>): string {
  const dataDir = emptyFolder();
  for (const [name, lines] of Object.entries(windows)) {
    const dir = path.join(dataDir, "recording/practice/klines-1m", name);
    mkdirSync(dir, { recursive: true });
    const file = ["open_time_ms,open,high,low,close,volume", ...lines, ""].join("\n");
    writeFileSync(path.join(dir, "BTCUSDT.csv"), file);
  }
  return dataDir;
}

test("exported candles come from every window of the recording once, in order", async () => {
  const at = (minute: number): number => START_MS + minute * MINUTE_MS;
  const dataDir = recording({
    a: [`${at(0)},1,1,1,1,1`, `${at(1)},2,2,2,2,2`],
    b: [`${at(1)},2.5,3,2,2.5,2`, `${at(2)},3,3,3,3,3`, "torn"],
  });
  const options = { dataDir, json: false, format: "csv", interval: "1m" } as const;
  const { code, out } = await reported(() => exportProgram("candles", options));
  expect(code).toBe(0);
  expect(recordsOf(out).map(({ openAt, open }) => [openAt, open])).toEqual([
    [isoTime(at(0)), "1"],
    [isoTime(at(1)), "2.5"],
    [isoTime(at(2)), "3"],
  ]);
  const none = await reported(() => exportProgram("candles", { ...options, interval: "1h" }));
  expect([none.code, none.err]).toEqual([
    1,
    expect.stringMatching(/contains no such candles of 1h.* of 1m; name one with --interval/),
  ]);
  expect(existsSync(path.join(dataDir, "journal.db"))).toBe(false);
});
