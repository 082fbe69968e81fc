import { expect, test } from "vitest";
import { DAY_MS, isoTime, MINUTE_MS } from "../../src/core/time.ts";
import type { TradesOptions } from "../../src/faces/cli/explain-commands.ts";
import { tradesProgram } from "../../src/main/listings.ts";
import { START_MS } from "../journal/support.ts";
import { asJson, reported, type WrittenRun, writtenRun } from "../report/explained-run.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const ETH = "EXCHANGE_A_PERP_ETH_USDT";

function close(run: WrittenRun, id: string, more: object = {}): void {
  run.row("trade", {
    event: "closed",
    id,
    symbol: BTC,
    side: "LONG",
    qty: "0.01",
    entryPrice: "50000",
    exitPrice: "51000",
    feesUsdt: "0.5",
    fundingUsdt: "-0.1",
    netUsdt: "9.4",
    openedAtMs: START_MS,
    closedAtMs: START_MS + 90 * MINUTE_MS,
    strategy: "momentum",
    exit: "target",
    exitReason: "target",
    ...more,
  });
}

function threeTrades(): WrittenRun {
  const run = writtenRun();
  close(run, "t-1");
  close(run, "t-2", { symbol: ETH, side: "SHORT", netUsdt: "-4", exit: "stop", exitReason: "stop", strategy: "panel" });
  const lost = { exitPrice: null, netUsdt: null, exit: "outside", exitReason: `closed at the venue ${"x".repeat(90)}` };
  close(run, "t-3", { ...lost, closedAtMs: START_MS + DAY_MS });
  return run;
}

async function trades(run: WrittenRun, more: Partial<TradesOptions> = {}) {
  await run.close();
  return reported(() => tradesProgram({ dataDir: run.dataDir, json: false, csv: false, ...more }));
}

test("the table shows every trade within 80 columns, then the total", async () => {
  const { code, out, err } = await trades(threeTrades());
  expect([code, err]).toEqual([0, ""]);
  for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(out).toMatch(/BTC +LONG +0\.01 +50000 +51000 +.*9\.40 +momentum/);
  expect(out).toMatch(/ETH +SHORT.*-4\.00 +panel/);
  expect(out).toContain("fees 0.50, funding -0.10");
  expect(out).toMatch(/total of 3: net 5\.40 USDT, fees 1\.50, funding -0\.30; result of 1 not known/);
});

test.each<[Partial<TradesOptions>, readonly (string | null)[], number]>([
  [{ symbol: "eth" }, ["-4"], 1],
  [{ strategy: "momentum" }, ["9.4", null], 2],
  [{ from: START_MS + DAY_MS }, [null], 1],
  [{ to: START_MS + DAY_MS }, ["9.4", "-4"], 2],
  [{ limit: 1 }, [null], 3],
])("%j chooses trades, and the total covers all that meet it", async (more, nets, total) => {
  const facts = asJson<{ trades: { netUsdt: string | null }[]; total: { trades: number } }>(
    await trades(threeTrades(), { json: true, ...more }),
  );
  expect(facts.trades.map(({ netUsdt }) => netUsdt)).toEqual(nets);
  expect(facts.total.trades).toBe(total);
});

test("CSV has one record for each trade", async () => {
  const { out } = await trades(threeTrades(), { csv: true });
  const lines = out.trim().split("\n");
  expect(lines[0]).toBe(
    "closedAt,symbol,side,qty,entryPrice,exitPrice,heldMs,netUsdt,feesUsdt,fundingUsdt,exit,exitReason,strategy,model",
  );
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain(
    `${isoTime(START_MS + 90 * MINUTE_MS)},${BTC},LONG,0.01,50000,51000,5400000,9.4,0.5,-0.1,target,target,momentum,`,
  );
});

test("a journal without a closed trade names the next step", async () => {
  const { code, out, err } = await trades(writtenRun());
  expect([code, out]).toEqual([0, ""]);
  expect(err).toMatch(/contains no closed trade yet\. .*ballast status/);
});

test("conditions that no trade meets are named as the cause", async () => {
  expect((await trades(threeTrades(), { symbol: "DOGE" })).err).toMatch(
    /contains no closed trade like that\. Remove a condition/,
  );
});

test.each<[Partial<TradesOptions>, RegExp]>([
  [{ json: true, csv: true }, /--json or --csv, not both/],
  [{ from: 2, to: 1 }, /--from must be before --to/],
])("%j is a usage error", async (more, says) => {
  const { code, err } = await trades(writtenRun(), more);
  expect(code).toBe(2);
  expect(err).toMatch(says);
});
