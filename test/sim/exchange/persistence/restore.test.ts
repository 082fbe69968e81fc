/** A venue that goes on from what another one saved answers as that one would have. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import type { Exchange } from "../../../../src/sim/exchange/contract/api.ts";
import { createExchange } from "../../../../src/sim/exchange/exchange.ts";
import { joined, type Saved } from "../../../../src/sim/exchange/persistence/saved.ts";
import { ACCOUNTS, type Run, step } from "../random-commands.ts";
import { ALICE, good, SOL, SPECS, T0 } from "../venue.ts";

const SETTINGS = { enforceUniverse: false, eliminationBelowUsdt: null, placeDelayMs: 50, cancelDelayMs: 80 };
const AT_ONCE = { ...SETTINGS, placeDelayMs: 0, cancelDelayMs: 0 };
const OPTIONS = { symbols: SPECS, phase: 2, startMs: T0, settings: SETTINGS } as const;

/** As through a file: text, and nothing but what text holds. */
const written = (saves: readonly Saved[]): Saved => {
  const whole = joined(saves.map((saved) => JSON.parse(JSON.stringify(saved)) as Saved));
  if (!whole) throw new Error("nothing was saved");
  return whole;
};

function marked(exchange: Exchange, nowMs: number): Exchange {
  for (const { rules } of SPECS) {
    exchange.market.setMark(rules.symbol, dec(100), dec(100), nowMs);
    exchange.market.setLiquidity(rules.symbol, true, [[990, 100_000]], nowMs);
    exchange.market.setLiquidity(rules.symbol, false, [[1010, 100_000]], nowMs);
  }
  return exchange;
}

/** All that an account can be asked for. */
const seen = (exchange: Exchange, accountId: string, nowMs: number): unknown => ({
  positions: good(exchange.positions(accountId, {}, nowMs)),
  assets: good(exchange.assets(accountId, {}, nowMs)),
  leverage: good(exchange.leverage(accountId, {}, nowMs)),
  openOrders: good(exchange.openOrders(accountId, {}, nowMs)),
  orders: good(exchange.orderHistory(accountId, { pageSize: "1000" }, nowMs)),
  executions: good(exchange.executions(accountId, { limit: "1000" }, nowMs)),
  closed: good(exchange.positionHistory(accountId, {}, nowMs)),
  openAlgos: good(exchange.openAlgos(accountId, {}, nowMs)),
  algos: good(exchange.algoHistory(accountId, {}, nowMs)),
});

function lived(seed: number, commands: number): { readonly run: Run; readonly saves: readonly Saved[] } {
  const saves: Saved[] = [];
  const exchange = createExchange({ ...OPTIONS, keep: (saved) => saves.push(saved) });
  for (const accountId of ACCOUNTS)
    exchange.openAccount(
      { accountId, exchanges: ["EXCHANGE_A", "EXCHANGE_B"], initialUsdt: dec(1000), mode: "BOTH" },
      T0,
    );
  marked(exchange, T0);
  const run: Run = { exchange, chance: seededEntropy(seed), nowMs: T0 };
  for (let at = 0; at < commands; at++) step(run);
  return { run, saves };
}

/** A venue that acts at once, and what it has saved so far. */
function opened(accounts: readonly string[]): { readonly exchange: Exchange; readonly saves: Saved[] } {
  const saves: Saved[] = [];
  const exchange = createExchange({ ...OPTIONS, settings: AT_ONCE, keep: (saved) => saves.push(saved) });
  for (const accountId of accounts)
    exchange.openAccount({ accountId, exchanges: ["EXCHANGE_A"], initialUsdt: dec(1000), mode: "BOTH" }, T0);
  return { exchange: marked(exchange, T0), saves };
}

describe("a restored venue", () => {
  test("shows what the saved one shows, and balances to zero", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 20, max: 150 }), (seed, commands) => {
        const { run, saves } = lived(seed, commands);
        const { exchange } = run;
        // Both end what was on its way; the market of both stands alike.
        exchange.endPending(run.nowMs);
        marked(exchange, run.nowMs);
        const again = createExchange({ ...OPTIONS, startMs: run.nowMs, saved: written(saves) });
        again.endPending(run.nowMs);
        marked(again, run.nowMs);
        for (const accountId of ACCOUNTS)
          expect(seen(again, accountId, run.nowMs)).toEqual(seen(exchange, accountId, run.nowMs));
        const { balances, totals } = again.ledger();
        expect(balances).toEqual(exchange.ledger().balances);
        expect(Object.values(totals).every((total) => dec(total).isZero())).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("has every order of every account, however their numbers alternate", () => {
    const { exchange, saves } = opened(ACCOUNTS);
    const resting = {
      sym: SOL,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      limitPrice: "50",
      orderQty: "0.1",
      timeInForce: "GTC",
    } as const;
    const count = 300;
    for (let at = 0; at < count; at++)
      for (const accountId of ACCOUNTS) {
        const { orderId } = good(exchange.place(accountId, resting, T0)) as { orderId: string };
        good(exchange.cancel(accountId, { orderId }, T0));
      }
    exchange.advance(T0 + 1_000);
    const again = createExchange({ ...OPTIONS, startMs: T0 + 1_000, saved: written(saves) });
    for (const accountId of ACCOUNTS) {
      const { totalSize } = good(again.orderHistory(accountId, {}, T0 + 1_000)) as { totalSize: number };
      expect(totalSize, accountId).toBe(count);
    }
  });

  test("trades on: its stop closes the position, and ids go on ascending", () => {
    const { exchange: first, saves } = opened([ALICE]);
    const order = { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "1" } as const;
    const { orderId } = good(first.place(ALICE, order, T0)) as { orderId: string };
    good(
      first.placeAlgo(
        ALICE,
        {
          algoOrderType: "TPSL",
          sym: SOL,
          conditionType: "CONDITIONAL",
          side: "SELL",
          positionSide: "LONG",
          orderQty: "1",
          reduceOnly: true,
          conditionalTriggerPrice: "95",
          conditionalTriggerType: "MARK_PRICE",
        },
        T0,
      ),
    );
    const again = marked(
      createExchange({
        ...OPTIONS,
        settings: AT_ONCE,
        startMs: T0 + 1e6,
        saved: written(saves),
      }),
      T0 + 1e6,
    );
    expect(good(again.positions(ALICE, {}, T0 + 1e6))).toHaveLength(1);
    again.market.setMark(SOL, dec(94), dec(94), T0 + 2e6);
    again.advance(T0 + 2e6);
    expect(good(again.positions(ALICE, {}, T0 + 2e6))).toEqual([]);
    const next = good(again.place(ALICE, { ...order, orderQty: "0.5" }, T0 + 3e6)) as { orderId: string };
    expect(BigInt(next.orderId)).toBeGreaterThan(BigInt(orderId));
  });

  test("gives no order the id of one that a power cut took from its file", () => {
    const { exchange: first, saves } = opened([ALICE]);
    const onDisk = written(saves);
    const order = { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "1" } as const;
    const idsOf = (exchange: Exchange, atMs: number) => {
      const { orderId } = good(exchange.place(ALICE, order, atMs)) as { orderId: string };
      const [fill] = good(exchange.executions(ALICE, {}, atMs)) as unknown as readonly { transactionId: string }[];
      const [position] = good(exchange.positions(ALICE, {}, atMs)) as unknown as readonly { positionId: string }[];
      return [orderId, fill?.transactionId, position?.positionId];
    };
    const lost = idsOf(first, T0);
    const again = createExchange({ ...OPTIONS, settings: AT_ONCE, startMs: T0 + 1e6, saved: onDisk });
    again.endPending(T0 + 1e6);
    marked(again, T0 + 1e6);
    const given = idsOf(again, T0 + 1e6);
    expect(lost).not.toContain(undefined);
    expect(given.filter((id) => lost.includes(id))).toEqual([]);
  });

  test("writes down nothing of its past a second time, however often it is restored", () => {
    const { run, saves } = lived(11, 150);
    let kept = written(saves);
    const past = JSON.stringify(kept.history);
    expect(kept.history.flatMap(({ executions }) => executions)).not.toEqual([]);
    for (let restart = 0; restart < 3; restart++) {
      const more: Saved[] = [];
      const again = createExchange({ ...OPTIONS, startMs: run.nowMs, saved: kept, keep: (saved) => more.push(saved) });
      // A command that ends nothing, so that the past stays what it was.
      again.cancel(ALICE, { orderId: "1" }, run.nowMs);
      expect(more).not.toEqual([]);
      kept = written([kept, ...more]);
      expect(JSON.stringify(kept.history), `restart ${restart}`).toBe(past);
    }
  });

  test("a venue without one of its symbols refuses the accounts by name", () => {
    const { saves } = lived(7, 120);
    const symbols = SPECS.filter(({ rules }) => rules.symbol !== SOL);
    expect(() => createExchange({ ...OPTIONS, symbols, saved: written(saves) })).toThrow(SOL);
  });
});
