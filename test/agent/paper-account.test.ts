/** The paper account's sums: what comes out is what went in less the costs, and a row brings all of it back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PAPER_CAPITAL, PaperAccount } from "../../src/agent/paper/paper-account.ts";
import { paperFromRow, paperRow } from "../../src/agent/paper/paper-rows.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { BTC, ETH, START_MS } from "../support/agent-world.ts";
import { readShadow, shadowRow } from "../../src/rows/shadow.ts";

test("a position given up in parts is won or lost as a whole", () => {
  const ended = (...prices: readonly number[]): number => {
    const account = new PaperAccount(START_MS);
    const fill = (price: number) => ({ price: dec(price), mid: dec(price), feeRate: ZERO, atMs: START_MS });
    const leg = { symbol: BTC, side: "LONG" as const, qty: dec(2), avgPrice: dec(100), stopPrice: null };
    account.open({ ...leg, targetPrice: null, openedAtMs: 0, thesis: "t", contractSize: dec(1) }, fill(100));
    for (const price of prices) account.reduce(`${BTC}|LONG`, dec(1), fill(price));
    return account.totals.wins;
  };
  expect([ended(110, 95), ended(105, 90), ended(90, 105)]).toEqual([1, 0, 0]);
});

const step = fc.record({
  symbol: fc.constantFrom(BTC, ETH),
  side: fc.constantFrom("LONG" as const, "SHORT" as const),
  opens: fc.boolean(),
  lots: fc.integer({ min: 1, max: 7 }),
  price: fc.integer({ min: 900, max: 1_100 }),
});

test("equity is the capital, plus gains, less fees and funding; a row brings every figure back", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const account = new PaperAccount(START_MS);
      let gains = ZERO;
      for (const [index, { symbol, side, opens, lots, price }] of steps.entries()) {
        const atMs = START_MS + index * 400_000;
        const qty = dec(lots).div(1_000);
        const fill = { price: dec(price), mid: dec(price).add("0.5"), feeRate: dec("0.0005"), atMs };
        const leg = { symbol, side, qty, avgPrice: fill.price, stopPrice: dec("950"), targetPrice: null };
        if (opens) account.open({ ...leg, openedAtMs: atMs, thesis: "t", contractSize: dec(1) }, fill);
        else gains = gains.add(account.reduce(`${symbol}|${side}`, qty, fill));
        if (index % 5 === 0) account.settleFunding(symbol, dec("0.0001"), fill.price);
        account.mark(atMs, () => fill.price);
      }
      const { fees, funding } = account.totals;
      const expected = PAPER_CAPITAL.add(gains).sub(fees).sub(funding);
      expect(account.balance.sub(expected).abs().lt("0.000000001")).toBe(true);
      for (const { qty } of account.positions.values()) expect(qty.gt(0)).toBe(true);
      const about = { event: "marked", book: "one", strategy: "one", hash: "h" } as const;
      const { kind, body } = shadowRow({ ...about, account: paperRow(account) });
      const again = paperFromRow(readShadow({ seq: 1, kind, body: JSON.parse(JSON.stringify(body)) }).account);
      expect(shadowRow({ ...about, account: paperRow(again) }).body).toEqual(body);
      expect(
        again
          .equity(() => dec(1_000))
          .sub(account.equity(() => dec(1_000)))
          .abs()
          .lt("0.000000001"),
      ).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("the fall is counted from the highest point, and Sharpe by the organiser's days", () => {
  const account = new PaperAccount(START_MS);
  const leg = { symbol: BTC, side: "LONG" as const, qty: dec("0.1"), avgPrice: dec(1_000), stopPrice: null };
  const fill = { price: dec(1_000), mid: dec(1_000), feeRate: ZERO, atMs: START_MS };
  account.open({ ...leg, targetPrice: null, openedAtMs: START_MS, thesis: "t", contractSize: dec(1) }, fill);
  const path = [1_000, 1_500, 1_200, 1_400, 1_050];
  for (const [index, price] of path.entries()) account.mark(START_MS + index * 600_000, () => dec(price));
  expect(account.maxDrawdown).toBeCloseTo(1 - 1_005 / 1_050, 10);
  expect(account.sharpe()).toBeNull();
  const midnight = Math.ceil(START_MS / 86_400_000) * 86_400_000;
  const prices = [1_000, 1_050, 1_020, 1_100, 1_100, 1_000];
  for (const [at, price] of prices.entries()) {
    const atMs = midnight + Math.floor(at / 2) * 86_400_000 + (at % 2) * 23 * 3_600_000;
    account.mark(atMs + 60_000, () => dec(price));
    // Long after the hour nothing is counted.
    account.mark(atMs + 1_800_000, () => dec(1));
  }
  expect(account.score.days.map((day) => Number(day.toFixed(6)))).toEqual([0.005, 0.007984, -0.009901]);
  expect(account.sharpe()).toBeCloseTo(2.0492, 3);
  expect(account.score.drawdown).toBeCloseTo(1 - 1_000 / 1_010, 6);
});
