/** The report as a file on disk, in a real browser: nothing is loaded from outside, and texts stay texts. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { marketBars } from "../../src/lab/sheet/market-bars.ts";
import { merged, readReport, writeReportFiles } from "../../src/lab/sheet/report-files.ts";
import { reportHtml, writeReport } from "../../src/lab/sheet/report-page.ts";
import { collectRunRows } from "../../src/lab/sheet/run-rows.ts";
import type { SheetData, SheetPage } from "../../src/lab/sheet/sheet-data.ts";
import { sheetData } from "../../src/lab/sheet/sheet-run.ts";
import { lengthOf } from "../support/lengths.ts";
import { NO_BROWSER, openBrowser, overflows, violations, watch } from "../support/browser.ts";
import { configOf, FROM_MS, madeBars, run, strategiesOf } from "./fast-scene.ts";

const HOURS = lengthOf(5, 12);

/** Lived through once for all tests; each gives it a title of its own. */
async function lived(): Promise<SheetData> {
  const config = configOf("momentum", ["BTC", "ETH"]);
  const bars = madeBars(config, HOURS);
  const collector = collectRunRows(() => dec("1"));
  const { points } = run(config, bars, {
    strategies: await strategiesOf(config),
    minutes: HOURS * 60,
    onRow: ({ row, body, decisionId }, atMs) => collector.note({ kind: row, body, decisionId }, atMs),
  });
  const contractSize = (): number => 1;
  const held = { atMs: FROM_MS, equityUsdt: 1_000 };
  const runs = [
    {
      name: "momentum",
      points,
      rows: collector.gathered(),
      about: [["settings", "as they are"]] as const,
      contractSize,
    },
    {
      name: "hold",
      points: [held, { ...held, atMs: FROM_MS + HOURS * 60 * MINUTE_MS }],
      rows: collectRunRows(() => dec("1")).gathered(),
      about: [],
      contractSize,
    },
  ];
  return sheetData("", runs, bars.map(marketBars));
}
let lifetime: SheetData;
beforeAll(async () => {
  lifetime = await lived();
}, 120_000);
const example = (title: string): SheetData => ({ ...lifetime, title });
const pageOf = (title: string): SheetPage => merged(title, [{ from: "results", data: lifetime }]);

const SCRIPT = `</script><script>window.hurt = true</script><img src=x onerror="window.hurt = true">`;

test("a report is written, read back, and laid beside another one", () => {
  const data = example("first");
  const dir = mkdtempSync(join(tmpdir(), "ballast-report-"));
  expect(writeReportFiles(dir, data)).toEqual({ ok: true, value: undefined });
  expect(readReport(dir)).toEqual({ ok: true, value: JSON.parse(JSON.stringify(data)) });
  const both = merged("both", [
    { from: "a", data },
    { from: "b", data },
  ]);
  expect(both.sheets.flatMap(({ data: { runs } }) => runs.map(({ name }) => name))).toEqual([
    "momentum (a)",
    "hold (a)",
    "momentum (b)",
    "hold (b)",
  ]);
});

test("runs of several reports keep the candles and the basket of their own market", () => {
  const data = example("first");
  const other = { ...data, bars: data.bars.map((one) => ({ ...one, close: one.close.map((price) => price * 2) })) };
  const { sheets } = merged("both", [
    { from: "x/run", data },
    { from: "y/run", data: { ...other, basket: null } },
  ]);
  expect(sheets.map(({ data: { bars, basket } }) => [bars, basket])).toEqual([
    [data.bars, data.basket],
    [other.bars, null],
  ]);
  expect(sheets[1]?.data.runs[0]?.name).toBe("momentum (y/run)");
});

test("a report that was tampered with is refused with its file and field", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-report-"));
  writeFileSync(
    join(dir, "report.json"),
    JSON.stringify({ title: 3, floorUsdt: 800, runs: [], bars: [], basket: null }),
  );
  const read = readReport(dir);
  expect(read.ok ? "" : read.error).toMatch(/report\.json: title: .*expected string.*found 3/);
});

test("where a report cannot be written, the error names the file", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-report-"));
  mkdirSync(join(dir, "report.html"));
  const written = writeReport(join(dir, "report.html"), pageOf("x"));
  expect(written.ok ? "" : written.error).toMatch(/report\.html: EISDIR/);
});

test("a title that is a script stays a title", () => {
  const html = reportHtml(pageOf(SCRIPT));
  const text = html.ok ? html.value : "";
  expect(text.match(/<script/g)?.length).toBe(2);
  expect(text).not.toContain("<img");
  expect(text).toMatch(/default-src 'none'; script-src 'sha256-/);
});

test.skipIf(NO_BROWSER)(
  `in a browser, wide and narrow, light and dark${NO_BROWSER ? " (skipped: no Chromium is installed)" : ""}`,
  { timeout: 300_000 },
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "ballast-report-"));
    const data = example(SCRIPT);
    const hostile = {
      ...data,
      runs: data.runs.map((one) => ({ ...one, trades: one.trades.map((trade) => ({ ...trade, thesis: SCRIPT })) })),
    };
    expect(writeReportFiles(dir, hostile).ok).toBe(true);
    const url = `file://${join(dir, "report.html")}`;
    const browser = await openBrowser();
    try {
      for (const look of [{ width: 1280 }, { width: 390, scheme: "dark" as const }]) {
        const { page, errors, foreign } = await watch(browser, url, ["file://"], look);
        await page.getByRole("heading", { name: "momentum: trades" }).waitFor();
        expect(await page.locator("canvas").count()).toBeGreaterThan(4);
        const first = page.getByRole("region", { name: "Trades of momentum" }).locator("tbody tr").first();
        const oldest = await first.innerText();
        await page.getByRole("region", { name: "Trades of momentum" }).getByRole("button", { name: "net" }).click();
        expect(await first.innerText()).not.toBe(oldest);
        await page.getByRole("button", { name: "hold", exact: true }).click();
        await page.getByText("No position was closed.").waitFor();
        expect(await page.evaluate(`"hurt" in window`)).toBe(false);
        expect(await violations(page)).toEqual([]);
        expect(await overflows(page)).toBe(false);
        expect([errors, foreign]).toEqual([[], []]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
    expect(readFileSync(join(dir, "report.html")).length).toBeLessThan(1_000_000);
  },
);
