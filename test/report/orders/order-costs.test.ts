/** What crossing costs on paper beside what the account's own orders cost, as `ballast strategy shadows` shows it. */
import { expect, test } from "vitest";
import { PaperAccount } from "../../../src/agent/paper/paper-account.ts";
import { paperRow } from "../../../src/agent/paper/paper-rows.ts";
import { dec } from "../../../src/core/decimal.ts";
import { strategyShadowsProgram } from "../../../src/main/strategy.ts";
import { START_MS } from "../../journal/support.ts";
import { asJson, reported, type WrittenRun, writtenRun } from "../explained-run.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";

/** A shadow that has opened 100 USDT at a fee of 1.75 bp and a point of 1 bp beyond the middle. */
function shadowed(traded: boolean): WrittenRun {
  const account = new PaperAccount(START_MS);
  const held = { symbol: BTC, side: "LONG" as const, qty: dec("0.01"), avgPrice: dec("10001"), stopPrice: null };
  const fill = { price: dec("10001"), mid: dec("10000"), feeRate: dec("0.000175"), atMs: START_MS };
  if (traded)
    account.open({ ...held, targetPrice: null, openedAtMs: START_MS, thesis: "t", contractSize: dec(1) }, fill);
  const run = writtenRun();
  run.row("shadow", { event: "marked", book: "twin", strategy: "twin", hash: "h", account: paperRow(account) });
  return run;
}

const ordered = (run: WrittenRun, orderId: string, more: object): void =>
  run.row("cost", {
    ...{ orderId, clientOrderId: orderId, symbol: BTC, leg: `${BTC}|LONG`, what: "open", side: "BUY", atMs: START_MS },
    ...{ valueUsdt: "100", feeUsdt: "0.008", makerShare: 1, slippageBps: -0.4, ...more },
  });

async function shadows(run: WrittenRun, json: boolean) {
  await run.close();
  return reported(() => strategyShadowsProgram({ dataDir: run.dataDir, json }));
}

test("orders count by their value; stops and orders without a middle do not", async () => {
  const run = shadowed(true);
  ordered(run, "o-1", {});
  ordered(run, "o-2", { what: "close", valueUsdt: "300", feeUsdt: "0.0525", makerShare: 0, slippageBps: 1.2 });
  ordered(run, "o-3", { what: "stop", slippageBps: 90 });
  ordered(run, "o-4", { slippageBps: null, feeUsdt: "1" });
  const { shadows: scores, ownOrders } = asJson<{ shadows: { costBps: number }[]; ownOrders: object }>(
    await shadows(run, true),
  );
  expect(scores[0]?.costBps).toBeCloseTo(1.75 + 1, 3);
  // Resting paid 0.8 bp of fee and earned 0.4 bp; crossing paid 1.75 and 1.2 bp on three times the value.
  expect(ownOrders).toEqual({
    orders: 2,
    costBps: expect.closeTo((0.4 + 3 * 2.95) / 4, 9) as number,
    makerShare: expect.closeTo(0.25, 9) as number,
  });
});

test("the text has both costs; without orders or fills it claims none", async () => {
  const run = shadowed(true);
  ordered(run, "o-1", {});
  const { out } = await shadows(run, false);
  expect(out).toMatch(/twin.*│ 2\.75/);
  expect(out).toContain("own orders since the first of them cost 0.40 bp over 1 order, 100 % of their value as maker");
  const bare = await shadows(shadowed(false), false);
  expect(bare.out).not.toContain("own orders");
  expect(asJson(await shadows(shadowed(false), true))).toMatchObject({ ownOrders: null, shadows: [{ costBps: null }] });
});
