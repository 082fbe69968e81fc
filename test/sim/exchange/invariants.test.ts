/** What holds after every command, whatever the commands are: thousands of them are drawn from seeds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Decimal, dec, ZERO } from "../../../src/core/decimal.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import type { UserPush, WireRecord } from "../../../src/sim/exchange/contract/api.ts";
import { lengthOf } from "../../support/lengths.ts";
import { ACCOUNTS, type Run, step } from "./random-commands.ts";
import { ledgerTotals } from "../../../src/sim/exchange/state/ledger.ts";
import { ETH_B, field, good, ledgerIsZero, T0, type Venue, venue } from "./venue.ts";

const of = (record: WireRecord, name: string): Decimal => dec(field(record, name) || "0");

/** Quantity by symbol and side, from nothing but executions. */
function foldExecutions(rows: readonly WireRecord[], orders: ReadonlyMap<string, WireRecord>): Map<string, Decimal> {
  const held = new Map<string, Decimal>();
  for (const row of rows) {
    const key = `${field(row, "sym")}|${field(orders.get(field(row, "orderId")), "positionSide")}`;
    const signed = of(row, "quantity").mul(row.side === "BUY" ? 1 : -1);
    held.set(key, (held.get(key) ?? ZERO).add(signed));
  }
  return held;
}

function checkPositions({ exchange, nowMs }: Run, accountId: string): void {
  const orders = new Map(
    good(exchange.orderHistory(accountId, { pageSize: "1000" }, nowMs)).list.map((row) => [field(row, "orderId"), row]),
  );
  const rows = good(exchange.executions(accountId, { limit: "1000" }, nowMs));
  if (rows.length >= 1000 || orders.size >= 1000) return;
  const folded = [...foldExecutions(rows, orders)].filter(([, qty]) => !qty.isZero());
  const shown = good(exchange.positions(accountId, {}, nowMs)).map((row): [string, string] => [
    `${field(row, "sym")}|${field(row, "positionSide")}`,
    (row.positionSide === "SHORT" ? of(row, "positionQty").neg() : of(row, "positionQty")).toFixed(),
  ]);
  expect(shown.sort()).toEqual(folded.map(([key, qty]): [string, string] => [key, qty.toFixed()]).sort());
}

/** Hedge mode: what binds margin are positions, and open orders on the opening side that are not reduce-only. */
function checkMargins({ exchange, nowMs }: Run, accountId: string): void {
  const leverage = new Map(
    good(exchange.leverage(accountId, {}, nowMs)).map((row) => [field(row, "sym"), of(row, "leverage")]),
  );
  const bound = new Map<string, Decimal>();
  const add = (exchangeType: string, amount: Decimal) =>
    bound.set(exchangeType, (bound.get(exchangeType) ?? ZERO).add(amount));
  const size = (sym: string): Decimal => dec(sym === ETH_B ? "0.1" : "1");
  for (const row of good(exchange.positions(accountId, {}, nowMs))) {
    const sym = field(row, "sym");
    add(sym.slice(0, 10), of(row, "positionValue").div(leverage.get(sym) ?? 1));
  }
  const open = good(exchange.openOrders(accountId, { pageSize: "1000" }, nowMs)).list;
  // A MARKET order on its way is counted at the mark of its acceptance, which no record shows.
  if (open.some((row) => row.exchangeOrderType === "MARKET")) return;
  for (const row of open) {
    const opens = (row.side === "BUY") === (row.positionSide === "LONG") && row.reduceOnly !== true;
    const sym = field(row, "sym");
    const left = of(row, "orderQty").sub(of(row, "executedQty"));
    if (opens)
      add(
        sym.slice(0, 10),
        left
          .mul(of(row, "limitPrice"))
          .mul(size(sym))
          .div(leverage.get(sym) ?? 1),
      );
  }
  for (const row of good(exchange.account(accountId, {}, nowMs))) {
    const wanted = bound.get(field(row, "exchangeType")) ?? ZERO;
    const available = of(row, "validMargin").sub(of(row, "frozenMargin"));
    // Shown figures are rounded to 8 decimals one by one.
    expect(of(row, "perpMargin").sub(wanted).abs().toNumber()).toBeLessThan(1e-7);
    expect(of(row, "availableMargin").sub(available).abs().toNumber()).toBeLessThan(1e-7);
  }
}

/** Cash in the ledger is what the assets show. */
function checkCash({ exchange, nowMs }: Run): void {
  const balances = exchange.ledger().balances.USDT ?? {};
  for (const accountId of ACCOUNTS) {
    for (const row of good(exchange.assets(accountId, {}, nowMs)).list) {
      expect(field(row, "balance")).toBe(balances[`cash/${accountId}/${field(row, "exchangeType")}`]);
    }
  }
}

function runSeed(seed: number, steps: number, check: boolean): string {
  const { exchange } = venue({
    settings: { placeDelayMs: seed % 2 === 0 ? 0 : 50, cancelDelayMs: 30, amendDelayMs: 20 },
  });
  const run: Run = { exchange, chance: seededEntropy(seed), nowMs: T0 };
  for (let i = 0; i < steps; i++) {
    step(run);
    if (!check) continue;
    expect(ledgerIsZero(exchange)).toBe(true);
    for (const accountId of ACCOUNTS) {
      checkMargins(run, accountId);
      if (i % 5 === 0) checkPositions(run, accountId);
    }
    if (i % 20 === 0) checkCash(run);
  }
  return exchange.snapshot();
}

describe("whatever is done", () => {
  test("the ledger sums to zero, reserves fit orders and positions, positions are the fold of fills", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => void runSeed(seed, 120, true)),
      { numRuns: 8 },
    );
  }, 60_000);

  const COMMANDS = lengthOf(20_000, 100_000);

  test(`after each of ${COMMANDS} commands every coin of the ledger sums to zero`, () => {
    const { world, exchange } = venue({ settings: { placeDelayMs: 20, cancelDelayMs: 30 }, usdt: "1000000" });
    const run: Run = { exchange, chance: seededEntropy(5), nowMs: T0 };
    let uneven = 0;
    for (let i = 0; i < COMMANDS; i++) {
      step(run);
      for (const total of ledgerTotals(world.ledger).values()) if (!total.isZero()) uneven++;
    }
    expect(uneven).toBe(0);
    expect(exchange.ledger().entries.length).toBeGreaterThan(COMMANDS / 10);
  }, 120_000);

  test("the same commands give the same bytes, with and without listeners", () => {
    expect(runSeed(7, 400, false)).toBe(runSeed(7, 400, false));
    expect(runSeed(8, 400, false)).not.toBe(runSeed(7, 400, false));
  }, 30_000);

  test.each<[what: string, change: (venue: Venue) => void]>([
    ["a setting", ({ exchange }) => exchange.setDelays({ cancelMs: 30 })],
    ["a setting that is overridden", ({ exchange }) => void exchange.overrideRules({ duplicatePolicy: "accept" })],
    ["the phase", ({ world }) => void (world.phase = 1)],
    ["what a score has counted", ({ world }) => world.portfolios.forEach(({ scored }) => scored.trades++)],
    [
      "when a margin call was last reported",
      ({ world }) => world.portfolios.forEach(({ wallets }) => wallets.forEach((each) => (each.marginCallAtMs = T0))),
    ],
  ])("venues that differ in %s give other text", (_what, change) => {
    const changed = venue();
    expect(changed.exchange.snapshot()).toBe(venue().exchange.snapshot());
    change(changed);
    expect(changed.exchange.snapshot()).not.toBe(venue().exchange.snapshot());
  });

  test("an override that has ended leaves no trace in the text", () => {
    const { exchange } = venue();
    exchange.overrideRules({ cancelDelayMs: 9, duplicatePolicy: "accept" })();
    expect(exchange.snapshot()).toBe(venue().exchange.snapshot());
  });

  test("executed quantities never fall, nothing follows a terminal state, ids ascend", () => {
    const { exchange, pushes } = venue({ settings: { placeDelayMs: 40, cancelDelayMs: 30, amendDelayMs: 20 } });
    const run: Run = { exchange, chance: seededEntropy(11), nowMs: T0 };
    for (let i = 0; i < 600; i++) step(run);
    const last = new Map<string, UserPush["data"]>();
    let newest = "";
    for (const { channel, data } of pushes) {
      if (channel !== "Orders") continue;
      const id = field(data, "orderId");
      const before = last.get(id);
      if (before === undefined) {
        expect(data.orderState).toBe("NEW");
        expect(id > newest).toBe(true);
        newest = id;
      } else {
        expect(["FILLED", "CANCELLED", "REJECTED"]).not.toContain(before.orderState);
        expect(of(data, "executedQty").gte(of(before, "executedQty"))).toBe(true);
      }
      last.set(id, data);
    }
    expect(last.size).toBeGreaterThan(100);
  }, 30_000);
});
